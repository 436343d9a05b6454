import { isatty } from 'node:tty'
import {
  type GrantOffer,
  type GrantProposal,
  proposeGrants,
  toOfferedGrants,
} from '../../app/isolation/propose-grants.ts'
import type { JsonObject } from '../../contract/json.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { toPathWord } from '../../contract/text/shell-word.ts'
import { describeGrants } from '../../host/lock/grants.ts'
import type { Request } from '../options/command.ts'
import { toColumns } from '../terminal/columns.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import type { GrantMembers } from './change-grants.ts'

interface Proposing {
  /** Of the config; undefined for a server of every folder. */
  readonly folder: string | undefined
  readonly request: Request
}

interface Asking extends Proposing {
  /** Whether it is being added. */
  readonly isNew: boolean
}

/** How many servers are started at the same time. */
const maxStarts = 4

/**
 * What new servers may touch, by name: found out and asked, unless their entry decides it or there is nobody to ask. A server
 * that is missing runs unconfined.
 */
export async function proposeToNew(
  servers: readonly { readonly name: string; readonly entry: JsonObject }[],
  proposing: Proposing,
): Promise<ReadonlyMap<string, GrantMembers>> {
  const { options } = proposing.request
  const granted = new Map<string, GrantMembers>()
  if (options['no-connect'] || options.json || (!options.yes && !isatty(0) && !isatty(2))) return granted
  const undecided = servers.filter(
    ({ entry }) => entry.command !== undefined && entry.disabled !== true && !isDecided(entry),
  )
  const found = new Map<string, Promise<GrantProposal>>()
  const start = (count: number) => {
    for (const { name, entry } of undecided.slice(0, count)) if (!found.has(name)) found.set(name, find(name, entry, proposing)) // biome-ignore format: one line
  }
  for (const [index, { name }] of undecided.entries()) {
    start(index + maxStarts)
    const members = await ask(name, await found.get(name)!, { ...proposing, isNew: true })
    if (members) granted.set(name, members)
  }
  return granted
}

function isDecided(entry: JsonObject): boolean {
  return ['isolation', 'read', 'write', 'network', 'container'].some((key) => entry[key] !== undefined)
}

/**
 * Starts a server once without network, shows what it wanted and asks what of it to grant. Resolves to the settings of its
 * entry; undefined if nothing is granted.
 */
export async function proposeToUser(
  name: string,
  entry: JsonObject,
  proposing: Proposing,
): Promise<GrantMembers | undefined> {
  return ask(name, await find(name, entry, proposing), { ...proposing, isNew: false })
}

function find(name: string, entry: JsonObject, { folder, request }: Proposing): Promise<GrantProposal> {
  const { options, terminal } = request
  const progress = (text: string) => terminal.log(paint('dim', text))
  progress(`Starting ${name} once, confined and without network, to see what it needs …`)
  const onInstalling = (by: string) => progress(`${name} is being installed (${by}) …`)
  return proposeGrants(name, entry, { workspace: options.workspace, folder, signal: terminal.signal, onInstalling })
}

async function ask(name: string, proposal: GrantProposal, asking: Asking): Promise<GrantMembers | undefined> {
  const { request, isNew } = asking
  const { options, terminal } = request
  const note = (text: string) => terminal.log([paint('yellow', 'Note:'), ` ${text}`])
  if ('reason' in proposal) {
    const { state, reason, suggestion } = proposal
    if (state === 'unavailable') note(`${name} is not confined: ${printable(reason)}. To change that: ${printable(suggestion ?? '')}`) // biome-ignore format: one line
    else note(`${name} did not start confined, and is not: ${printable(reason)} If it needs a folder or a host, grant it: toolpact mcp grant ${name} --read DIR --allow-host HOST`) // biome-ignore format: one line
    return undefined
  }
  const { offers } = proposal
  if (!isNew && options.json && !options.yes) {
    terminal.print(printableJson({ server: name, offers, command: toCommand(name, offers) }))
    return undefined
  }
  terminal.log(...toOfferLines(name, offers))
  const chosen = options.yes ? offers.filter(({ isClaim }) => !isClaim) : await choose(name, offers, request)
  const left = offers.filter((offer) => chosen?.includes(offer) === false)
  if (options.yes && left.length > 0) note(`Only ${name} itself says that it needs ${left.map(({ value }) => printable(value)).join(', ')}, so that is not granted by --yes. To grant it: ${printable(toCommand(name, left))}`) // biome-ignore format: one line
  if (chosen) return toOfferedGrants(chosen)
  if (chosen === undefined)
    note(`There is no terminal to ask at, so nothing was granted. To grant it: ${printable(toCommand(name, offers))}`) // biome-ignore format: one line
  else if (isNew)
    note(`${name} is not confined: it can do what you can. To confine it later: toolpact mcp grant ${name}`) // biome-ignore format: one line
  else terminal.log('Nothing was granted.')
  return undefined
}

const maxTries = 3

/** Undefined if there is no terminal; null if it is to run unconfined. */
async function choose(
  name: string,
  offers: readonly GrantOffer[],
  { terminal, options }: Request,
): Promise<readonly GrantOffer[] | null | undefined> {
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = options.json ? undefined : openTty()
  if (!tty) return undefined
  const may = offers.length === 0 ? `: it ${describeGrants(toOfferedGrants([]))}` : ' to this'
  const question = `Confine ${name}${may}? (${offers.length > 1 ? 'y, n, or numbers such as 1 2' : 'y/n'}) `
  try {
    for (let tries = 0; tries < maxTries; tries++) {
      const typed = (await tty.ask(paint('bold', question), terminal.signal))?.trim().toLowerCase()
      if (typed === undefined || /^(?:no?)?$/.test(typed)) return null
      if (/^y(?:es)?$/.test(typed)) return offers
      const numbers = typed.split(/[\s,]+/)
      const chosen = numbers.map((word) => (/^\d+$/.test(word) ? offers[Number(word) - 1] : undefined))
      if (!chosen.includes(undefined)) return offers.filter((offer) => chosen.includes(offer))
      tty.print([`Type y for all of it, n to leave ${name} unconfined, or numbers from the list.`])
    }
    return null
  } finally {
    tty.close()
  }
}

function toOfferLines(name: string, offers: readonly GrantOffer[]): Line[] {
  if (offers.length === 0) return [`${name} wanted no folder of yours, and no host.`]
  const rows = offers.map(({ access, value, why, isClaim }, index) => [
    `  ${index + 1}`,
    `${access === 'connect' ? 'connect to' : access} ${printable(value)}`,
    paint('dim', isClaim ? `${why}, as it says itself` : why),
  ])
  return [`${name} wanted:`, ...toColumns(rows)]
}

/** The command that grants it. */
function toCommand(name: string, offers: readonly GrantOffer[]): string {
  const words = offers.map(({ access, value }) => access === 'connect' ? `--allow-host ${value}` : `--${access} ${toPathWord(value)}`) // biome-ignore format: one line
  return ['toolpact mcp grant', name, ...(words.length > 0 ? words : ['--network none'])].join(' ')
}
