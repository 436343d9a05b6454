import type { Element } from './tree.ts'

/**
 * Where one inline element ends and the next begins, with nothing between them. Style sheets set such elements apart
 * (`<span>Parts</span><span>1385</span>`), so two words or numbers that meet there are not one.
 */
export class Seam {
  #state: 'none' | 'closed' | 'open' = 'none'
  #isLink = false
  #inCode = 0

  enter({ tag }: Element): void {
    if (tag === 'code') this.#inCode++
    if (this.#state === 'closed') this.#state = 'open'
    if (tag !== 'a') this.#isLink = false
  }

  leave({ tag }: Element): void {
    if (tag === 'code') this.#inCode--
    if (!inlineTags.has(tag)) return
    if (tag === 'a' || this.#state === 'none') this.#isLink = tag === 'a'
    this.#state = tag === 'img' ? 'open' : 'closed'
  }

  /** An element that has no text, such as an icon. */
  skip({ tag }: Element): void {
    if (objects.has(tag)) this.#state = 'open'
  }

  /** Whether a space belongs between these pieces. Each seam is asked about once. */
  isBetween(before: string, after: string): boolean {
    const state = this.#state
    if (after === '') return false
    this.#state = 'none'
    if (state !== 'open' || this.#inCode > 0) return false
    return this.#isLink ? /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after) : isApart(before, after)
  }
}

const inlineTags = new Set('span a b strong i em small label time font u img bdi data abbr'.split(' '))
const objects = new Set('svg img button input select video audio iframe picture'.split(' '))

/** A word may be cut into elements, for example for a large initial, so letters of one case stay together. */
function isApart(before: string, after: string): boolean {
  const last = before.slice(-2)
  if (/\p{N}$/u.test(last)) return /^[\p{L}\p{N}]/u.test(after)
  if (/\p{Ll}$/u.test(last)) return /^[\p{Lu}\p{N}]/u.test(after)
  return /\p{L}\p{Lu}$/u.test(last) && /^(?:\p{N}|\p{Lu})/u.test(after)
}
