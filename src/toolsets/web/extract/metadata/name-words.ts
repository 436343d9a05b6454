/** Words around names in bylines, in the main languages. The patterns run on single lines of bounded length. */

const by = anyOf`by|von|vom|durch|par|por|di|da|door|av|af|przez|yazan`

const done = anyOf`written|posted|published|contributed|submitted|reported|created|verfasst|geschrieben|veröffentlicht|
  publiziert|erstellt|eingestellt|gepostet|publié|écrit|rédigé|publicado|escrito|pubblicato|scritto|a cura|ein essay|eine rezension|ein bericht|geplaatst|geschreven|napisany|skrevet|skriven|texto|texte|texte et photos|
  story|article|post|artikel|beitrag|ein beitrag|gastbeitrag|ein gastbeitrag|kommentar|interview|pressemitteilung|text|
  eine kolumne|kolumne|eine analyse|analyse|ein kommentar|ein interview|eine reportage`

const marked = anyOf`作者|责任编辑|記者|记者|autor(?:e|es|en|in|innen|[:/*]in(?:nen)?)?|das (?:interview|gespräch) führten?|die fragen stellten?|propos recueillis par|auteurs?|authors?|contributors?|автор|verfasser(?:in)?|redakteur(?:in)?|about the author|
  über den autor|über die autorin|written|posted|published`

/** Only before a colon; otherwise they may be parts of names. */
const kind = anyOf`text\s?(?:&|und|and)\s?(?:fotos?|photos?|bilder)|text(?:e|o)?|testo|words|interview|redaktion|name|quelle|source`

/** `Posted by`, `Von`, `Autorin:` and the like at the start of a line. */
export const leadIn = new RegExp(
  String.raw`^(?:[|–—•·:,/\\-]+|${done}\s*(?=${by}[\s:])|${by}\s*:?\s+|unser(?:em|en|er)\s\S+\s(?=\S+\s\S)|${marked}(?:\s*[:：]\s*|\s+)|${kind}\s*:\s*)`,
  'i',
)

/** Names the photographer. */
export const ofPicture = /^(?:fotos?|photos?|bild(?:er|quelle|rechte)?|illustration(?:en)?|credits?|image)\s?:/i

const authorLabel = anyOf`autor(?:e|es|en|in|innen|[:/*]in(?:nen)?)?|das (?:interview|gespräch) führten?|die fragen stellten?|propos recueillis par|auteurs?|authors?|contributors?|автор|verfasser(?:in)?|作者|责任编辑|記者|记者`

const textLabel = anyOf`text(?:e|o)?|testo|words|redaktion`

/** The first words of a line that names authors, and of a line with an explicit label. */
export const byline = new RegExp(
  String.raw`^[\s|–-]{0,50}(?:${done}|${by}|${authorLabel}|${textLabel})(?![\p{L}])`,
  'iu',
)
export const label = new RegExp(String.raw`^[\s|–-]{0,50}(?:${authorLabel}|${textLabel})`, 'i')
export const labelStart = new RegExp(
  String.raw`^[\s|–-]{0,50}(?:(?:${authorLabel}|${textLabel})\s?[:：]\s{0,50}\S|${authorLabel}\s\S+\s\S)`,
  'i',
)
export const bylineStart = new RegExp(
  String.raw`^[\s|–-]{0,5}(?:(?:${done}\s)?${by}\s*:?[\s|]+\S|(?:${authorLabel}|${textLabel})\s?[:：]\s?\S)`,
  'i',
)

/** `4. März 2021 von Ada Lovelace` */
export const datedByline = new RegExp(String.raw`^(?=.{0,40}\d{4}).{6,60}?\s${by}\s+(?=\p{Lu})`, 'iu')

/** A label in an element of its own, with the names in the next one. */
export const labelAlone = new RegExp(String.raw`^(?:(?:${done}\s)?${by}|${authorLabel})\s?:?$`, 'i')

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
  words(`phd ph md jr sr msc ba ma mba cfa esq llm ll staff editor author autor autorin redakteur redakteurin
  redaktion reporter correspondent journalist journalistin contributor senior chief writer columnist gast guest freelance dpa afp ap
  reuters apa sid epd kna efe ansa executive content marketing social digital technical managing founder co
  cofounder ceo cto cmo coo president vice director manager head lead professor researcher engineer specialist expert consultant
  producer photographer strategist coordinator contributing analyst teacher gardener medical physician therapist lawyer updated chefredakteur
  geschäftsführer chefredakteurin volontär volontärin kolumnist rédacteur redactor periodista giornalista`)

/** Placeholders that systems and templates use instead of a name, without spaces. */
export const nobody =
  words(`admin administrator webmaster anonym anonymous anonymus guest gast unknown unbekannt none null undefined
  user root editor editorial author autor autorin staff team home website blog news writer contributor me mir uns us name profil profile
  avatar about follow share kommentar comment comments more mehr weiterlesen posted test default superuser site noauthor von by on par
  por stand datum allebeiträge interview publiziert publisiert veröffentlicht published geschrieben autoren authors übermich login
  suche search zurperson artikel text publiziertam veröffentlichtam sun mon tue wed thu fri sat redaktionsteam fullbio bio cancel get read new edit reply quote print email contact kontakt red viewfullprofile fullprofile viewprofile viewallposts readmore seemore`)

/** Words for the people who make a site, whom a byline may name instead of one of them. */
const desks =
  words(`team redaktion editors editor editorial staff desk newsroom contributors contributor writer redacción redação
  rédaction redazione redactie redakcja toimitus`)

export function isDeskWord(word: string): boolean {
  return desks.has(word)
}

/** The desk words that are not also the role of one person. */
export function isTeamWord(word: string): boolean {
  return desks.has(word) && !/^(?:editor|contributor|writer)$/.test(word)
}

/** Words that occur in names of organizations and not of people. */
const organizations =
  words(`gmbh ag inc ltd llc ev verlag magazin magazine zeitung news media medien online press presse agentur agency
  foundation stiftung verein universität university institut institute ministerium ministry company group network club studio office
  department association verband digital tv radio times journal post portal shop service services community blog kitchen
  kitchens deutschland archiv council committee`)

/** `jugendverband` is one, too. */
export function isOrganizationWord(word: string): boolean {
  return organizations.has(word) || /(?:verband|zeitung|magazin|nachrichten|verlag|blog)$/.test(word)
}

/** Lower-case parts of names. */
export const particles = words(
  'van von der den de del della di da do dos das du la le el al bin ibn zu zum zur ter ten y e v. af d l ben dell',
)

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}
