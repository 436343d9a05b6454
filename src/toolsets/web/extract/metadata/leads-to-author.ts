import type { Element } from '../../../../tool-parts/html/tree.ts'

/** Whether a link leads to a page about an author. */
export function leadsToAuthor({ tag, attributes: { href } }: Element): boolean {
  return tag === 'a' && href !== undefined && href.length < 300 && authorAddress.test(href)
}

const authorAddress =
  /\/(?:authors?|autor(?:en?|es|i)?|auteurs?|redakteur\w{0,5}|journalists?|contributors?|writers?|reporters?)\/[^/?#]{3}/i
