import type { Markup } from './rich-writer.ts'

/**
 * Inputs of tools that return the text of a page. Without defaults, which would become part of every input: rules that name all
 * inputs of a call would match no more.
 */
export const readingInputs = {
  format: {
    enum: ['text', 'markdown'],
    description: 'Plain text, or Markdown with headings, lists, links, images, code, tables and quotes (default: text)',
  },
  links: {
    enum: ['auto', 'none', 'inline', 'list'],
    description: 'Addresses of links: beside their words, as a list at the end, or none; auto, the default, is inline in Markdown and none in text', // biome-ignore format: one line
  },
  start: {
    type: 'integer',
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Where to begin in the text, in characters: next_start of the call before (default: 0)',
  },
  max_length: {
    type: 'integer',
    minimum: 100,
    maximum: 10_000_000,
    description: 'Length of the part to return, in characters; default: all of it',
  },
} as const

/** Undefined for plain text without links. */
export function toMarkup(
  { format, links }: { readonly format: Markup['format']; readonly links: Markup['links'] | 'auto' },
  url: string,
): Markup | undefined {
  const chosen = links === 'auto' ? (format === 'markdown' ? 'inline' : 'none') : links
  return format === 'text' && chosen === 'none' ? undefined : { url, format, links: chosen }
}
