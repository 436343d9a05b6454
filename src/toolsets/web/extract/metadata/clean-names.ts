import { fold, toPlainLine } from '../../../../tool-parts/html/plain-line.ts'
import { findDate } from './find-date.ts'
import { toMonth } from './month-names.ts'
import {
  breaks,
  datedByline,
  isDeskWord,
  isOrganizationWord,
  isTeamWord,
  joints,
  leadIn,
  nobody,
  ofPicture,
  particles,
  roles,
} from './name-words.ts'

const maxLength = 200
const maxNames = 8

export interface NameOptions {
  /** Also accept names of groups, for bylines that the page shows. */
  readonly groups?: boolean
}

/**
 * Extracts the names from an author line, joined by commas; null if there are none.
 *
 * `cleanNames('Von Ada Lovelace und Alan Turing | 3. März 2021')` is `Ada Lovelace, Alan Turing`.
 */
export function cleanNames(text: string, { groups = false }: NameOptions = {}): string | null {
  const line = toPlainLine(text, maxLength)
  if (line.endsWith('…') || ofPicture.test(line)) return null
  const start = withoutLeadIn(withoutDateAfter(withoutDate(line.replace(/\s?[([{][^)\]}]{0,80}[)\]}]/g, ''))))
  const names: string[] = []
  for (const part of start
    .split(breaks)[0]!
    .split(joints)
    .slice(0, maxNames * 2)) {
    const name = cleanName(withoutLeadIn(part), groups && names.length === 0)
    if (name === null) {
      // A part after a name may be a role, and a single word is one, or a place. If the first part is not a name, the line is not a list of names.
      if (names.length === 0 && withoutLeadIn(part) !== '' && !nobody.has(fold(part))) return null
    } else if (!names.includes(name) && names.length < maxNames && !(names[0]?.includes(' ') && !name.includes(' ')))
      names.push(name)
  }
  return names.length === 0 ? null : names.join(', ')
}

/** Many lines put the date before the name. */
function withoutDate(line: string): string {
  const before = datedByline.exec(line)?.[0]
  if (before !== undefined && findDate(before) !== null) return line.slice(before.length)
  const [first, ...rest] = line.split(/\s*[|•·–—]\s*|\s-\s/u)
  const names = rest.length > 0 && first!.length < 40 && findDate(first!) !== null ? rest.join(' | ') : line
  return names.replace(/^[\d\s.:,/]{6,30}(?:uhr\s)?/i, '')
}

/** `Ada Dec 4` is not called Dec. */
function withoutDateAfter(line: string): string {
  const date = /[\s,|]+(\p{L}{3,12})\.?\s\d{1,2}(?!\d)/u.exec(line)
  return date && toMonth(date[1]!) !== undefined ? line.slice(0, date.index) : line
}

function withoutLeadIn(text: string): string {
  let rest = text.trim()
  for (let round = 0; round < 3; round++) rest = rest.replace(leadIn, '').trim()
  return rest
}

/** One name: a few words with letters, none of which occur only in sentences. */
function cleanName(text: string, groups: boolean): string | null {
  const name = text.replace(/^[\s.,:;"'“”„«»*_–—-]+|[\s,:;"'“”„«»*_–—-]+$/gu, '').replace(/(?<=\p{L}{3})\.$/u, '')
  if (name.length < 2 || name.length > 60 || !/\p{L}/u.test(name) || isAddress.test(name)) return null
  const folded = fold(name).split(' ')
  if (nobody.has(folded.join(''))) return null
  if (folded.some(isOrganizationWord) || (!groups && (folded.some(isDeskWord) || roles.has(folded[0]!)))) return null
  if (isInitials.test(name) || findDate(name) !== null) return null
  const all = name.split(' ')
  const role = all.findIndex((word, at) => at > 1 && isRole(fold(word).split(' ')[0]!, groups))
  const words = role < 0 ? all : all.slice(0, role)
  if (toMonth(words.at(-1)!) !== undefined && ((words.length === 1 && !groups) || words.length > 2)) words.pop()
  if (words.length === 0) return null
  if (words.length === 1) return words[0]!
  if (words.filter((word) => !word.endsWith('.')).length > 5 || /\d|['’]s\b/.test(name)) return null
  const small = words.filter(
    (word) =>
      /^\p{Ll}/u.test(word) &&
      !word.endsWith('.') &&
      !particles.has(word.split(/['’-]/)[0]!) &&
      !(groups && isDeskWord(word)),
  )
  return small.length === 0 ? words.join(' ') : null
}

function isRole(word: string, groups: boolean): boolean {
  return roles.has(word) && !(groups && isTeamWord(word))
}

const isAddress = /[@#<>{}=?!%$€]|\.(?:com|de|org|net|at|ch|it|info|html?|php)\b|^https?/i

/** Abbreviations of agencies and editors, which are not names. */
const isInitials = /^(?:\p{Ll}{1,3}|\p{Lu}{1,3}|\p{Lu}\p{Ll}\p{Lu})$/u
