/** Words around names in bylines, in the main languages. All of these are run on single lines of bounded length. */

function anyOf({ raw }: TemplateStringsArray): string {
  return `(?:${raw[0]!
    .trim()
    .split(/\s*\|\s*/)
    .join('|')})`
}

const by = anyOf`by|von|vom|durch|par|por|di|da|door|av|af|przez|yazan`

const done = anyOf`written|posted|published|reviewed|contributed|submitted|reported|created|verfasst|geschrieben|veröffentlicht|
  publiziert|erstellt|eingestellt|gepostet|publié|écrit|rédigé|publicado|escrito|pubblicato|scritto|geplaatst|geschreven|
  story|article|post|artikel|beitrag|ein beitrag|gastbeitrag|ein gastbeitrag|kommentar|interview|pressemitteilung|text`

const label = anyOf`autor(?:e|es|en|in|innen)?|auteurs?|authors?|автор|verfasser(?:in)?|redakteur(?:in)?|about the author|
  über den autor|über die autorin|written|posted|published`

/** Before a colon only: without it they are names or parts of names. */
const title = anyOf`text(?:e|o)?|testo|words|interview|fotos?|photos?|redaktion|name|quelle|source`

/** `Posted by`, `Von`, `Autorin:` and the like at the start. */
export const leadIn = new RegExp(
  String.raw`^(?:[|–—•·:,/\\-]+|${done}\s*(?=${by}\s)|${by}\s*:?\s+|${label}(?:\s*:\s*|\s+)|${title}\s*:\s*)`,
  'iu',
)

const authorLabel = anyOf`text(?:e|o)?|testo|words|autor(?:e|es|en|in|innen)?|auteurs?|authors?|автор|verfasser(?:in)?`

/** The start of a line that names its author in so many words. */
export const labelStart = new RegExp(String.raw`^${authorLabel}\s?:\s?\p{L}`, 'iu')
export const bylineStart = new RegExp(String.raw`^(?:(?:${done}\s)?${by}\s+\p{L}|${authorLabel}\s?:\s?\p{L})`, 'iu')

const afterNames = anyOf`on|am|at|le|il|um|vor|ago|follow|folgen|veröffentlicht|publiziert|published|updated|aktualisiert|
  im gespräch|posted|stand|datum|date|foto|photo|fotos|photos|bild(?:er)?|illustration|für|for the|special to|schreibt|in|shares|
  last|under|unter|leave|\d+ comments?`

/** What ends the names: another column of the line, a date, a place. */
export const breaks = new RegExp(
  String.raw`\s*[|•·►»›\\]\s*|\s[–—-]\s|\s${afterNames}(?=[\s:]|$)|,?\s(?=\d)|\s?@|https?:|www\.`,
  'iu',
)

export const joints = /\s*[,;&+/]\s*|\s(?:und|and|et|y|e|en|og|och|mit|with|i|ve|и)\s/iu

/** What may follow a name after a comma. */
export const role = new RegExp(
  `^${anyOf`ph\.?d|m\.?d|dr|jr|sr|msc|ba|ma|mba|cfa|esq|ll\.?m|staff|editor|author|autor(?:in)?|redakteur(?:in)?|redaktion|
  reporter|correspondent|journalist(?:in)?|contributor|senior|chief|writer|columnist|gast|guest|freelance|dpa|afp|ap|reuters|apa|
  sid|epd|kna|efe|ansa`}\\b`,
  'i',
)

/** What systems and templates write where nobody's name is known. */
export const nobody = new RegExp(
  `^${anyOf`admin(?:istrator)?|webmaster|anonym(?:ous|us)?|guest|gast|unknown|unbekannt|none|null|undefined|user|root|
  editor(?:ial)?|author|autor(?:in)?|staff|team|home|website|blog|news|writer|contributor|me|mir|uns|us|name|profile?|
  avatar|about|follow|share|kommentar|comments?|more|mehr|weiterlesen|posted|test|default|super ?user|site|no author|von|by|on|par|
  por|stand|datum|alle beiträge|interview|publi[zs]iert|veröffentlicht|published|geschrieben|autoren|authors|über mich|login|
  suche|search|zur person|artikel|text`}$`,
  'i',
)

/** Words that people do not have in their names, and groups of people do. */
export const group = new RegExp(
  String.raw`(?<!\p{L})${anyOf`gmbh|ag|inc|ltd|llc|e\.?\s?v|verlag|magazine?|zeitung|news|media|medien|online|team|redaktion|
  editors?|editorial|staff|desk|press|presse|agentur|agency|foundation|stiftung|verein|universität|university|institute?|
  ministerium|company|group|network|club|studio|office|department|association|\p{L}*verband|redacción|redação|rédaction|redazione|
  newsroom|contributors?|digital|tv|radio|times|journal|post|portal|shop|service|community|blog|kitchens?|deutschland|archiv`}(?!\p{L})`,
  'iu',
)

/** Parts of names that are written small. */
export const particles = new Set(
  'van von der den de del della di da do dos das du la le el al bin ibn zu zum zur ter ten y e v. af'.split(' '),
)
