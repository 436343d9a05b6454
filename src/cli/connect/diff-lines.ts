import { findSecrets } from '../../policy/secrets.ts'
import { type Line, paint } from '../terminal/terminal.ts'

const context = 2

/**
 * One edit as a diff: the lines that differ between the common start and end, with a few around them. Those may hold
 * keys of other servers, so what looks like a secret is not shown.
 */
export function toDiffLines(before: string, after: string): Line[] {
  const [old, next] = [toLines(before), toLines(after)]
  const shorter = Math.min(old.length, next.length)
  let start = 0
  while (start < shorter && old[start] === next[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end++
  const same = (lines: readonly string[]) => lines.map((line) => paint('dim', `  ${hideSecrets(line)}`))
  return [
    ...same(old.slice(Math.max(0, start - context), start)),
    ...old.slice(start, old.length - end).map((line) => paint('red', `- ${hideSecrets(line)}`)),
    ...next.slice(start, next.length - end).map((line) => paint('green', `+ ${hideSecrets(line)}`)),
    ...same(old.slice(old.length - end, old.length - end + context)),
  ]
}

function toLines(text: string): string[] {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function hideSecrets(line: string): string {
  return findSecrets(line)
    .filter(({ start, end }) => !isReference.test(line.slice(start, end)))
    .reduceRight((text, { start, end }) => `${text.slice(0, start)}…${text.slice(end)}`, line)
}

/** The name of an environment variable, in the forms of the clients, is not a secret. */
const isReference = /^(?:Bearer )?(?:\$\{[\w:]+\}|\{env:\w+\}|\$\w+)$/
