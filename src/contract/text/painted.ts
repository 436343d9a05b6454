import type { styleText } from 'node:util'

/** Text with a style, which a terminal shows and every other reader drops. */
export interface Painted {
  readonly text: string
  readonly style: Parameters<typeof styleText>[0]
}

export type Part = string | Painted

export function paint(style: Painted['style'], text: string): Painted {
  return { text, style }
}
