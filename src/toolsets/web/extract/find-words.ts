import type { Element } from '../../../tool-parts/html/tree.ts'
import type { Line } from './measure-page.ts'

/**
 * The words that a block and its surroundings use, as hashes. Whether they speak for content is learned from annotated pages:
 * `weigh-words.ts`. Class names, ids and roles are split into their parts, and digits do not matter.
 */

/** Hashes have this many values. */
export const hashSize = 2 ** 22

/** Class names apply to everything inside the element: near, around, and far above a block. */
export const ranges = [1, 4, 11] as const

/** For an element, the words of its names in each of the ranges. */
export function findNameWords(element: Element): readonly (readonly number[])[] {
  const parts = new Set<string>([`<${element.tag}`])
  const lower = namesOf(element)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/\d+/g, '0')
  for (const name of lower.split(/\s+/)) {
    if (name.length < 2 || name.length > maxName) continue
    parts.add(name)
    for (const part of name.split(/[-_:/[\].]+/)) if (part.length > 2 && part !== name) parts.add(`~${part}`)
    if (parts.size > maxParts) break
  }
  return ranges.map((range) => Array.from(parts, (part) => hash(part, range)))
}

export function namesOf({ attributes }: Element): string {
  const { class: classes = '', id = '', role = '', itemprop = '' } = attributes
  return `${classes} ${role} ${itemprop} ${id}`.slice(0, maxNames)
}

const maxNames = 300
const maxName = 40
const maxParts = 40

/** The tags of an element and its ancestors: one, two, and three of them. */
export function findTagWords(element: Element): number[] {
  const found: number[] = []
  let path = 0
  for (let at: Element | null = element, level = 0; at && level < 3; at = at.parent, level++) {
    path = hash(at.tag, path + 20)
    found.push(path)
  }
  return found
}

/** The words of a block's beginning. A menu, a heading and a paragraph use the same words differently. */
export function findTextWords({ block: { text, kind } }: Line): ReadonlySet<number> {
  const words = toWords(text.slice(0, maxText))
  const seed = kind === 'heading' ? 30 : words.length <= 8 ? 31 : 32
  const found = new Set<number>()
  for (const word of words) found.add(hash(word, seed))
  for (let at = 0; at < Math.min(3, words.length - 1); at++)
    found.add(hash(words[at + 1]!, hash(words[at]!, seed + 10)))
  found.add(hash(words[0] ?? '', seed + 20))
  if (text.length <= maxText) found.add(hash(words.at(-1) ?? '', seed + 30))
  if (words.length <= maxWhole) found.add(hash(words.join(' '), 70))
  found.add(hash(String(Math.min(words.length, 12)), 71))
  return found
}

/** The words of the heading above a block. */
export function findHeadingWords(heading: string): number[] {
  const words = toWords(heading.slice(0, maxText))
  const found = new Set(words.map((word) => hash(word, 80)))
  if (words.length <= maxWhole) found.add(hash(words.join(' '), 81))
  found.add(hash(String(Math.min(words.length, 10)), 82))
  return [...found]
}

const maxText = 200
const maxWhole = 6

function toWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replace(/\d+/g, '0')
      .match(/[\p{L}\p{N}$€£%©|»›→+@#]+/gu) ?? []
  )
}

/** FNV-1a. The seed tells apart what the same word means in different places. */
function hash(text: string, seed: number): number {
  let value = Math.imul(2166136261 ^ seed, 16777619)
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 16777619)
  value ^= value >>> 15
  return (Math.imul(value, 0x2c1b3c6d) >>> 10) % hashSize
}
