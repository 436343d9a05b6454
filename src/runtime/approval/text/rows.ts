import { type Painted, type Part, paint } from '../../../contract/text/painted.ts'
import type { DiffLine } from '../diff.ts'
import { reveal } from './reveal.ts'
import { wrap } from './wrap.ts'

/** A row of the screen. Its content fits the width. */
export type Row = readonly Part[]

/**
 * A heading, followed by untrusted text. Continuation rows are indented, so that untrusted text never starts at the left
 * margin, where headings do.
 */
export function toRows(
  heading: Part,
  parts: readonly Part[],
  { width, indent }: { width: number; indent: number },
): Row[] {
  const margin = ' '.repeat(indent)
  return wrap([heading, ...parts], width - indent).map((row, index) => (index === 0 ? row : [margin, ...row]))
}

/** As many rows as fit; the last one shows how many are left out, and how to see them. */
export function clip(rows: readonly Row[], most: number, hint: string | undefined): Row[] {
  if (rows.length <= most) return [...rows]
  const kept = rows.slice(0, Math.max(most - 1, 1))
  return [...kept, [paint('yellow', `  … ${toMore(rows.length - kept.length, 'row', hint)}`)]]
}

/** `3 more rows: type v`, or `3 more rows not shown` if they cannot be seen here. */
export function toMore(count: number, noun: string, hint: string | undefined): string {
  return `${toCount(count, `more ${noun}`)}${hint === undefined ? ' not shown' : `: ${hint}`}`
}

/** Text of several lines, indented, with tabs and unusual characters made visible. */
export function toTextRows(text: string, width: number): Row[] {
  return text.split('\n').flatMap((line) => toRows('    ', revealLine(line), { width, indent: 4 }))
}

const signs: { readonly [kind in DiffLine['kind']]: readonly [sign: string, style: Painted['style']] } = {
  same: ['    ', 'dim'],
  added: ['  + ', 'green'],
  removed: ['  - ', 'red'],
  place: ['  @ ', 'cyan'],
  note: ['  \\ ', 'yellow'],
}

export function toDiffRows(lines: readonly DiffLine[], width: number): Row[] {
  return lines.flatMap(({ kind, text }) => {
    const [sign, style] = signs[kind]
    const parts = revealLine(text).map((part) => (typeof part === 'string' ? paint(style, part) : part))
    return toRows(paint(style, sign), parts, { width, indent: 4 })
  })
}

function revealLine(line: string): Part[] {
  return line
    .split('\t')
    .flatMap((text, index) => [...(index > 0 ? [paint('dim', '→   ')] : []), ...reveal(text).parts])
}

export function toCount(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
