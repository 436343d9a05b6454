import { type Line, paint } from '../terminal.ts'

const context = 2

/** One edit as a diff: the lines that differ between the common start and end, with a few around them. */
export function toDiffLines(before: string, after: string): Line[] {
  const [old, next] = [toLines(before), toLines(after)]
  const shorter = Math.min(old.length, next.length)
  let start = 0
  while (start < shorter && old[start] === next[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === next.at(-1 - end)) end++
  const same = (lines: readonly string[]) => lines.map((line) => paint('dim', `  ${line}`))
  return [
    ...same(old.slice(Math.max(0, start - context), start)),
    ...old.slice(start, old.length - end).map((line) => paint('red', `- ${line}`)),
    ...next.slice(start, next.length - end).map((line) => paint('green', `+ ${line}`)),
    ...same(old.slice(old.length - end, old.length - end + context)),
  ]
}

function toLines(text: string): string[] {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
