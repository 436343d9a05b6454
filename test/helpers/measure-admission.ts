/** The decisions of admission about tools of real servers and poisoned variants of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { JsonObject } from '../../src/contract/json.ts'
import { admitAll } from '../../src/host/admission/admit-all.ts'
import { indexTools, type KnownTool } from '../../src/host/admission/tool-index.ts'
import { findSignals, flagInstructions } from '../../src/host/signals/find-signals.ts'
import { otherTools, type Poison, poisonDefinition, poisons } from '../data/poisoned-definitions.ts'
import { poisonedTexts } from '../data/poisoned-texts.ts'

const folder = new URL('../../../shared/data/definitions/', import.meta.url)

export const hasDefinitions = existsSync(folder)

interface RealServer {
  readonly server: string
  readonly instructions: string | null
  readonly tools: readonly JsonObject[]
}

export function readRealServers(): RealServer[] {
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const { instructions, tools } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as RealServer
      return { server: file.slice(0, -'.json'.length), instructions, tools }
    })
}

/** All servers are connected at once, to detect references to tools of other servers. */
export async function measureReal(servers: readonly RealServer[]) {
  const others = indexTools(servers.flatMap(toKnown))
  const real = {
    servers: servers.length,
    tools: 0,
    admitted: 0,
    flagged: 0,
    withInstructions: 0,
    flaggedInstructions: 0,
  }
  const withheld: string[] = []
  const bySignal: { [signal: string]: number } = {}
  for (const { server, instructions, tools } of servers) {
    const { tools: verdicts } = await admitAll(tools, { server, settings: { withoutOutputSchema: 'opaque' }, others })
    for (const [index, verdict] of verdicts.entries()) {
      const isAdmitted = verdict.state === 'admitted'
      real.tools++
      if (isAdmitted) real.admitted++
      else withheld.push(`${server} ${verdict.name}: ${verdict.reasons.map(({ code }) => code).join(', ')}`)
      const flags = isAdmitted ? verdict.flags : findSignals(tools[index]!, { server, others })
      if (flags.length > 0) real.flagged++
      for (const { signal } of flags) bySignal[signal] = (bySignal[signal] ?? 0) + 1
    }
    if (instructions) real.withInstructions++
    if (flagInstructions(instructions ?? undefined, { server, others }).length > 0) real.flaggedInstructions++
  }
  return { ...real, withheld, bySignal }
}

export const allPoisons: readonly Poison[] = [
  ...poisons,
  ...poisonedTexts.map((text, index): Poison => ({ id: `text-${index + 1}`, at: 'description', text })),
]

const context = { server: 'honest', others: indexTools(otherTools) }

/** Definitions without findings, so that later findings come from the poison. */
export function toClean(definitions: readonly JsonObject[]): JsonObject[] {
  return definitions.filter((definition) => findSignals(definition, context).length === 0)
}

/** Inserts each poison into some clean definitions and counts how many are flagged. */
export function measurePoisoned(clean: readonly JsonObject[], variants: readonly Poison[], each: number) {
  let flagged = 0
  const missed = new Set<string>()
  const signals = new Set<string>()
  variants.forEach((variant, index) => {
    for (let turn = 0; turn < each; turn++) {
      const flags = findSignals(poisonDefinition(clean[(index * 97 + turn * 389) % clean.length]!, variant), context)
      for (const { signal } of flags) signals.add(signal)
      if (flags.length > 0) flagged++
      else missed.add(variant.id)
    }
  })
  return { poisoned: variants.length * each, flagged, missed: [...missed], signals: [...signals] }
}

function toKnown({ server, tools }: RealServer): KnownTool[] {
  return tools.map(({ name }) => ({ server, tool: String(name) }))
}
