import type { Change, Finding } from '../../contract/diff/change.ts'
import { diffIdentities } from './diff-identities.ts'
import { diffLockedTools, diffOverlays } from './diff-locked-tools.ts'
import { findServer, findTool } from './find-locked.ts'
import type { Lock } from './lock.ts'

/** The changes from one lock to another, by server and by `server.tool`. */
export function diffLocks(old: Lock, next: Lock): Change[] {
  return unionOf(old.servers, next.servers).flatMap((name) => diffServer(name, old, next))
}

function diffServer(name: string, old: Lock, next: Lock): Change[] {
  const [before, after] = [findServer(old, name), findServer(next, name)]
  const identity = before && after ? diffIdentities(before.identity, after.identity) : []
  return [
    ...identity.map(({ weight: _, ...finding }) => ({ tool: name, ...finding })),
    ...unionOf(before?.tools ?? {}, after?.tools ?? {}).flatMap((tool) => {
      const [was, is] = [findTool(before, tool), findTool(after, tool)]
      const findings: Finding[] =
        was && is ? [...diffLockedTools(was, is), ...diffOverlays(was, is)] : [toWhole(is !== undefined)]
      return findings.map((finding) => ({ tool: `${name}.${tool}`, ...finding }))
    }),
  ]
}

function toWhole(isAdded: boolean): Finding {
  return {
    pointer: '',
    category: 'wire',
    breaking: !isAdded,
    message: isAdded ? 'The tool was added.' : 'The tool was removed.',
  }
}

function unionOf(one: object, other: object): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()
}
