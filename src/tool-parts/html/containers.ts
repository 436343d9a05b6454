import { type List, takeMarker, toList } from './list-markers.ts'
import { listTags } from './tag-kinds.ts'
import type { Element } from './tree.ts'

/** What is before the first line of a block, and before its other lines. */
interface Prefix {
  readonly lead: string
  readonly indent: string
}

export interface Prefixes extends Prefix {
  /** In Markdown, with the marks of quotes. */
  readonly markdown: Prefix
}

interface Container {
  /** Before the first line inside; later lines are indented by as much. */
  readonly marker: string
  readonly markdown: string
  readonly markdownIndent: string
  /** No line has been written yet. */
  isFresh: boolean
}

/** Deeper ones are not indented further. */
const maxLevels = 8

/** The open items, definitions and quotes around a block. */
export class Containers {
  readonly #open: Container[] = []
  readonly #lists: List[] = []

  enter(element: Element): void {
    const { tag } = element
    if (listTags.has(tag)) this.#lists.push(toList(element))
    else if (tag === 'li') this.#open.push(toItem(takeMarker(this.#lists.at(-1), element)))
    else if (tag === 'dd') this.#open.push({ marker: ': ', markdown: ': ', markdownIndent: '  ', isFresh: true })
    else if (tag === 'blockquote') this.#open.push({ marker: '', markdown: '> ', markdownIndent: '> ', isFresh: true })
  }

  leave({ tag }: Element): void {
    if (listTags.has(tag)) this.#lists.pop()
    else if (tag === 'li' || tag === 'dd' || tag === 'blockquote') this.#open.pop()
  }

  /** What is before the next block. A marker is taken once. */
  take(): Prefixes {
    if (this.#open.length === 0) return none
    const [text, markdown] = [
      { lead: '', indent: '' },
      { lead: '', indent: '' },
    ]
    for (const container of this.#open.slice(0, maxLevels)) {
      const spaces = ' '.repeat(container.marker.length)
      text.lead += container.isFresh ? container.marker : spaces
      text.indent += spaces
      markdown.lead += container.isFresh ? container.markdown : container.markdownIndent
      markdown.indent += container.markdownIndent
    }
    for (const container of this.#open) container.isFresh = false
    return { ...text, markdown }
  }
}

const none: Prefixes = { lead: '', indent: '', markdown: { lead: '', indent: '' } }

/** Markdown knows numbers only: `a.` becomes the beginning of the item's text. */
function toItem(marker: string): Container {
  const text = `${marker} `
  const isKnown = marker === '-' || /^\d{1,9}\.$/.test(marker)
  const markdown = isKnown ? text : `- ${text}`
  return { marker: text, markdown, markdownIndent: ' '.repeat(isKnown ? text.length : 2), isFresh: true }
}
