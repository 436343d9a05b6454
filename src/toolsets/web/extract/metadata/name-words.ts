/** Words around names in bylines, in the main languages. The patterns run on single lines of bounded length. */

const by = anyOf`by|von|vom|durch|par|por|di|da|door|av|af|przez|yazan`

const done = anyOf`written|posted|published|reviewed|contributed|submitted|reported|created|verfasst|geschrieben|veröffentlicht|
  publiziert|erstellt|eingestellt|gepostet|publié|écrit|rédigé|publicado|escrito|pubblicato|scritto|geplaatst|geschreven|
  story|article|post|artikel|beitrag|ein beitrag|gastbeitrag|ein gastbeitrag|kommentar|interview|pressemitteilung|text|
  eine kolumne|kolumne|eine analyse|analyse|ein kommentar|ein interview|eine reportage`

const marked = anyOf`autor(?:e|es|en|in|innen)?|auteurs?|authors?|автор|verfasser(?:in)?|redakteur(?:in)?|about the author|
  über den autor|über die autorin|written|posted|published`

/** Only before a colon; otherwise they may be parts of names. */
const kind = anyOf`text\s?(?:&|und|and)\s?(?:fotos?|photos?|bilder)|text(?:e|o)?|testo|words|interview|fotos?|photos?|redaktion|name|quelle|source`

/** `Posted by`, `Von`, `Autorin:` and the like at the start of a line. */
export const leadIn = new RegExp(
  String.raw`^(?:[|–—•·:,/\\-]+|${done}\s*(?=${by}\s)|${by}\s*:?\s+|${marked}(?:\s*:\s*|\s+)|${kind}\s*:\s*)`,
  'i',
)

const authorLabel = anyOf`text(?:e|o)?|testo|words|autor(?:e|es|en|in|innen)?|auteurs?|authors?|автор|verfasser(?:in)?`

/** An explicit author label at the start of a line. */
export const label = new RegExp(String.raw`^\s{0,50}${authorLabel}`, 'i')
export const labelStart = new RegExp(String.raw`^${authorLabel}\s?:\s?\S`, 'i')
export const bylineStart = new RegExp(String.raw`^(?:(?:${done}\s)?${by}\s+\S|${authorLabel}\s?:\s?\S)`, 'i')

const afterNames = anyOf`on|am|at|le|il|um|vor|ago|follow|folgen|veröffentlicht|publiziert|published|updated|aktualisiert|
  im gespräch|posted|stand|datum|date|fotos?|photos?|bild(?:er)?|illustration|für|for the|special to|schreibt|in|shares|
  last|under|unter|leave`

/** Ends the list of names: a column separator, a date, a place. */
export const breaks = new RegExp(
  String.raw`\s*[|•·►»›\\]\s*|\s[–—-]\s|\s${afterNames}(?=[\s:]|$)|,?\s(?=\d)|\s?@|https?:|www\.`,
  'i',
)

export const joints = /\s*[,;&+/]\s*|\s(?:und|and|et|y|e|en|og|och|mit|with|i|ve|и)\s/i

function anyOf({ raw }: TemplateStringsArray): string {
  return `(?:${raw[0]!
    .trim()
    .split(/\s*\|\s*/)
    .join('|')})`
}

/** First words of a role that follows a name after a comma. */
export const roles =
  words(`phd ph md dr jr sr msc ba ma mba cfa esq llm ll staff editor author autor autorin redakteur redakteurin
  redaktion reporter correspondent journalist journalistin contributor senior chief writer columnist gast guest freelance dpa afp ap
  reuters apa sid epd kna efe ansa`)

/** Placeholders that systems and templates use instead of a name, without spaces. */
export const nobody =
  words(`admin administrator webmaster anonym anonymous anonymus guest gast unknown unbekannt none null undefined
  user root editor editorial author autor autorin staff team home website blog news writer contributor me mir uns us name profil profile
  avatar about follow share kommentar comment comments more mehr weiterlesen posted test default superuser site noauthor von by on par
  por stand datum allebeiträge interview publiziert publisiert veröffentlicht published geschrieben autoren authors übermich login
  suche search zurperson artikel text publiziertam veröffentlichtam redaktionsteam`)

/** Words that occur in names of groups and not of people. */
export const groups =
  words(`gmbh ag inc ltd llc ev verlag magazin magazine zeitung news media medien online team redaktion editors editor
  editorial staff desk press presse agentur agency foundation stiftung verein universität university institut institute ministerium
  company group network club studio office department association verband redacción redação rédaction redazione newsroom
  contributors contributor digital tv radio times journal post portal shop service community blog kitchen kitchens deutschland archiv`)

/** Lower-case parts of names. */
export const particles = words(
  'van von der den de del della di da do dos das du la le el al bin ibn zu zum zur ter ten y e v. af',
)

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}
