import type { FoundAt } from './find-encoded.ts'
import type { SignalContext } from './find-signals.ts'
import type { Signal } from './signal.ts'

export const otherServerSignal: Signal = {
  id: 'names-other-server',
  looksFor: 'a tool of another server is named',
  why: 'A server need not know which others are connected; one that mentions them may try to shadow them.',
  tools: 2,
}

/** Unambiguous names: several words, joined by punctuation or camel case. */
const names =
  /[A-Za-z][A-Za-z0-9]{0,63}(?:[_.-][A-Za-z0-9]{1,63}){1,10}|[a-z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,6}/g

export function findOtherServers(text: string, { server, others }: SignalContext): FoundAt | undefined {
  if (!others) return undefined
  for (const { 0: name, index } of text.matchAll(names)) {
    const known = others.findElsewhere(server, name) ?? others.findElsewhere(server, name.slice(name.indexOf('.') + 1))
    if (known && known.server !== server) return { signal: otherServerSignal, at: index }
  }
  return undefined
}
