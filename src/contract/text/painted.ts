import type { styleText } from 'node:util'

/** Styled text. Only terminals show the style. */
export interface Painted {
  readonly text: string
  readonly style: Parameters<typeof styleText>[0]
  /** An http address that a terminal may open; checked by `toAddress`. */
  readonly link?: string
}

export type Part = string | Painted

export function paint(style: Painted['style'], text: string): Painted {
  return { text, style }
}
