import { shorten } from '../../../../contract/text/shorten.ts'
export interface PdfText {
  /** Paragraphs, with an empty line between pages. */
  readonly text: string
  readonly pages: number
  /** Only the first pages, or the first characters, were read. */
  readonly truncated: boolean
  readonly title: string | null
  readonly author: string | null
  /** As in the document, such as `D:20250304101112Z`. */
  readonly created: string | null
  readonly lang: string | null
}

const maxPages = 500
const maxCharacters = 4_000_000
/** Maximum length of a title, an author and the like. */
const maxInfo = 2000

/** The text of a PDF. Rejects if it is not a PDF, or is locked. */
export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const { getDocumentProxy, getMeta } = await import('unpdf')
  const document = await getDocumentProxy(bytes, { verbosity: 0 })
  const { info = {} } = await getMeta(document)
  const pages: string[] = []
  let characters = 0
  for (let number = 1; number <= Math.min(document.numPages, maxPages); number++) {
    if (characters > maxCharacters) break
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const text = toText(items as readonly Item[])
    page.cleanup()
    characters += text.length
    pages.push(text)
  }
  const { Title: title, Author: author, CreationDate: created, Language: lang } = info as Record<string, unknown>
  return {
    text: shorten(pages.filter(Boolean).join('\n\n'), maxCharacters, { ellipsis: '' }),
    pages: document.numPages,
    truncated: pages.length < document.numPages || characters > maxCharacters,
    title: orNull(title),
    author: orNull(author),
    created: orNull(created),
    lang: orNull(lang),
  }
}

interface Item {
  readonly str?: string
  readonly hasEOL?: boolean
  readonly height?: number
  readonly transform?: readonly number[]
}

/** Joins the lines of a paragraph, recognised by their distance, and words that were hyphenated at line ends. */
function toText(items: readonly Item[]): string {
  const lines: { text: string; at: number; height: number }[] = []
  let line = ''
  for (const { str = '', hasEOL, height = 0, transform } of items) {
    line += str
    if (!hasEOL) continue
    lines.push({ text: line.trim(), at: transform?.[5] ?? 0, height })
    line = ''
  }
  lines.push({ text: line.trim(), at: items.at(-1)?.transform?.[5] ?? 0, height: items.at(-1)?.height ?? 0 })
  let text = ''
  for (const [index, { text: words, at, height }] of lines.entries()) {
    if (words === '') continue
    const before = lines[index - 1]
    const isClose = before !== undefined && before.at - at > 0 && before.at - at < Math.max(height, 6) * 1.6
    if (text === '') text = words
    else if (!isClose) text += `\n${words}`
    else if (/\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(words)) text = text.slice(0, -1) + words
    else text += ` ${words}`
  }
  return text
}

function orNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? shorten(value.trim(), maxInfo) : null
}
