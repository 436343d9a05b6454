import { findDate } from './find-date.ts'
import { toPlainLine } from './plain-line.ts'

const mostNames = 8

/**
 * The names of people in what a page says about its author, joined by commas; null if it names nobody.
 *
 * `cleanNames('Von Ada Lovelace und Alan Turing | 3. März 2021')` is `Ada Lovelace, Alan Turing`.
 */
export function cleanNames(text: string): string | null {
  let line = toPlainLine(text, 200).replace(/[\u200e\u200f]/g, '')
  if (line.endsWith('…')) return null
  line = line.replace(/\s*[([{][^)\]}]{0,80}[)\]}]/g, '')
  for (let round = 0; round < 3; round++) line = line.replace(leadIn, '').trim()
  line = line.split(breaks)[0]!.trim()
  const names: string[] = []
  for (const part of line.split(joints).slice(0, mostNames * 2)) {
    const name = cleanName(part)
    if (name === null) {
      // A role after a name is left out; what does not begin with a name is none.
      if (names.length === 0 && part.trim() !== '') return null
      continue
    }
    if (!names.includes(name) && names.length < mostNames) names.push(name)
  }
  return names.length === 0 ? null : names.join(', ')
}

/** By, in many languages, and what stands before it. */
const leadIn =
  /^(?:[|–—•·:,/\\-]+|(?:an? )?(?:article|story|post|artikel|beitrag|text|ein gastbeitrag|gastbeitrag|interview|kommentar)\s+(?=by|von)|(?:written|posted|published|reviewed|contributed|submitted|reported|verfasst|geschrieben|veröffentlicht|erstellt|eingestellt|gepostet|publié|écrit|publicado|escrito|pubblicato|scritto|geplaatst)\s*(?=by|von|durch|par|por|da|door)|(?:by|von|vom|durch|par|por|di|da|door|av|af|przez|yazan|автор|text|texte|texto|testo|words|autor(?:e|es|en|in|innen)?|auteurs?|authors?|verfasser(?:in)?|redakteur(?:in)?|written|posted|publié|story|about the author|über den autor|über die autorin)(?:\s*:\s*|\s+))/iu

/** What comes after names: another column of the line, a date, a place. */
const breaks =
  /\s*[|•·►»›\\]\s*|\s[–—-]\s|\s(?:on|am|at|le|el|il|um|vor|ago|follow|folgen|veröffentlicht|published|updated|aktualisiert|posted|foto|photo|fotos|photos|bild(?:er)?|illustration|für|for the|special to|schreibt|redaktion:)\s|,?\s(?=\d)|\s?@|https?:|www\./iu

const joints = /\s*[,;&+/]\s*|\s(?:und|and|et|y|e|en|og|och|mit|with|i|ve|и)\s/iu

const roles =
  /^(?:ph\.?d|m\.?d|dr|jr|sr|msc|ba|ma|mba|cfa|esq|ll\.?m|staff|editor|author|autor(?:in)?|redakteur(?:in)?|redaktion|reporter|correspondent|journalist(?:in)?|contributor|senior|chief|writer|columnist|gast|guest|freelance|dpa|afp|ap|reuters|apa|sid|epd|kna)\b/i

const nobody =
  /^(?:admin(?:istrator)?|webmaster|anonym(?:ous|us)?|guest|gast|unknown|unbekannt|none|null|undefined|user|root|editor(?:ial)?|author|autor(?:in)?|staff|team|home|website|blog|news|writer|contributor|redaktion|me|mir|uns|us|name|profil|profile|avatar|about|follow|share|kommentar|comments?|more|mehr|weiterlesen|posted|test|default|super user|superuser|site)$/i

const organization =
  /\b(?:gmbh|ag|inc|ltd|llc|e\.?\s?v|verlag|magazin|magazine|zeitung|news|media|medien|online|team|redaktion|editors?|editorial|staff|desk|press|presse|agentur|agency|foundation|stiftung|verein|universität|university|institut|institute|ministerium|company|group|network|club|studio|office|department|association|verband|redacción|redação|rédaction|redazione|newsroom|contributors?|digital|tv|radio|times|journal|post|portal|shop|service|community|blog)\b/i

/** One name: some words with letters, not too many, none of them of a sentence. */
function cleanName(text: string): string | null {
  const name = text.replace(/^[\s.,:;"'“”„«»*_–—-]+|[\s,:;"'“”„«»*_–—-]+$/gu, '').replace(/(?<=\p{L}{3})\.$/u, '')
  if (name.length < 2 || name.length > 60 || !/\p{L}/u.test(name)) return null
  if (
    /[@#<>{}=?!%$€]|\.(?:com|de|org|net|at|ch|info|html?|php)\b|^https?/i.test(name) ||
    nobody.test(name) ||
    roles.test(name)
  )
    return null
  const words = name.split(' ')
  if (words.length > 5 || organization.test(name) || findDate(name) !== null) return null
  if (words.length > 1 && (/\d/.test(name) || !words.some((word) => /^\p{Lu}|^[^\p{Ll}\p{Lu}]/u.test(word))))
    return null
  if (words.length > 2 && words.filter((word) => /^\p{Ll}/u.test(word) && !particles.has(word)).length > 0) return null
  return name
}

const particles = new Set(
  'van von der den de del della di da do dos das du la le el al bin ibn zu zum zur ter ten y e v. af'.split(' '),
)
