import { canonicalJson } from '../../contract/canonical-json.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'
import { type AdmissionContext, admit, definitionLimits, nameOf, withhold } from '../admit.ts'
import type { ServerSettings } from '../server-settings.ts'
import { foldName, upstreamNameForm } from './fold-name.ts'
import { createToReason } from './reasons.ts'
import type { LockVerdict, Reason, Verdict } from './verdict.ts'

export interface ListContext extends Omit<AdmissionContext, 'lock'> {
  /** How a definition compares with the lock. */
  readonly lockOf?: (name: string, definition: unknown) => LockVerdict | undefined
}

export interface AdmittedList {
  /** In the order of the list. */
  readonly tools: readonly Verdict[]
  /** How many definitions were not read because the list is too long, and what to do. */
  readonly unread?: { readonly count: number; readonly reason: Reason }
}

/** The longest list of a real server has 353 tools and 1.1 MB. */
export const listLimits = { tools: 2_000, bytes: 16_777_216 } as const

/** Decides about each tool of a server's list. Tools with indistinguishable names are all withheld. */
export async function admitAll(definitions: readonly unknown[], context: ListContext): Promise<AdmittedList> {
  const { lockOf, ...rest } = context
  const read = readList(definitions)
  const clashes = findClashes(read, context)
  const tools: Verdict[] = []
  for (const [index, definition] of read.entries()) {
    const name = nameOf(definition)
    const lock = lockOf?.(name, definition)
    const verdict = await admit(definition, { ...rest, ...(lock && { lock }) })
    const clash = clashes[index]
    if (!clash) tools.push(verdict)
    else tools.push(withhold(name, verdict.state === 'withheld' ? [clash, ...verdict.reasons] : [clash]))
    // Yield, so that a long list does not block the event loop.
    if (index % 50 === 49) await new Promise((resolve) => setImmediate(resolve))
  }
  const unread = definitions.length - read.length
  if (unread === 0) return { tools }
  const found = `${unread} of ${definitions.length} tools were not read: the limits are ${listLimits.tools} tools and ${listLimits.bytes} bytes.`
  return { tools, unread: { count: unread, reason: createToReason(context.server, '')('list_too_long', found) } }
}

/** The definitions up to the limits. */
function readList(definitions: readonly unknown[]): unknown[] {
  let bytes = 0
  const read: unknown[] = []
  for (const definition of definitions) {
    const bounded = boundJson(definition, definitionLimits)
    bytes += bounded.ok ? bounded.bytes : definitionLimits.maxBytes
    if (read.length === listLimits.tools || bytes > listLimits.bytes) break
    read.push(definition)
  }
  return read
}

/** For each definition, the reason if its name clashes with another's. */
function findClashes(definitions: readonly unknown[], { server, settings }: ListContext): (Reason | undefined)[] {
  const entries = definitions
    .map((definition, index) => ({ definition, index, name: nameOf(definition) }))
    // Tools with an invalid name, or left out by the operator, cannot clash.
    .filter(({ name }) => upstreamNameForm.test(name) && isWanted(name, settings))
  const clashes: (Reason | undefined)[] = []
  for (const group of Map.groupBy(entries, ({ name }) => foldName(name)).values()) {
    if (group.length === 1) continue
    const names = [...new Set(group.map(({ name }) => name))]
    // If a definition is listed twice, the first is used.
    const isOne = names.length === 1 && isSame(group.map(({ definition }) => definition))
    for (const { index, name } of isOne ? group.slice(1) : group) {
      const toReason = createToReason(server, name)
      if (isOne) clashes[index] = toReason('name_repeated', 'The server lists this tool twice; the first is used.')
      else if (names.length === 1) clashes[index] = toReason('name_repeated')
      else {
        const others = names.slice(0, 4).filter((other) => other !== name)
        clashes[index] = toReason('name_confusable', `The name is easily confused with ${others.join(', ')}.`)
      }
    }
  }
  return clashes
}

function isWanted(name: string, { tools, exclude }: ServerSettings = {}): boolean {
  return !exclude?.includes(name) && (tools?.includes(name) ?? true)
}

function isSame(definitions: readonly unknown[]): boolean {
  const texts = definitions.map((definition) => {
    const bounded = boundJson(definition, definitionLimits)
    return bounded.ok ? canonicalJson(bounded.value) : undefined
  })
  return texts[0] !== undefined && texts.every((text) => text === texts[0])
}
