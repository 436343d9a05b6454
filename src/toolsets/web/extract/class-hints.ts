import type { Element, Page } from '../../../tool-parts/html/tree.ts'

/**
 * Common class names and ids of page parts, in several languages. A hint applies to everything inside the element and
 * weakens with distance.
 */
const hints = {
  body: /(?:article|artikel|story|entry|post|news|blog|content|page|beitrag|node|recipe|product|item|single)[-_ ]*(?:body|content|text|inner|copy|main|inhalt|detail|full)|articlebody|body-?copy|bodytext|text-?body|field-name-body|field--name-body|(?:^|[\s_-])(?:entry|hentry|prose|rich-?text|rte|wysiwyg|markdown|mw-parser-output|fliesstext|cuerpo|corps|treść|tresc)(?:$|[\s_-])/,
  content:
    /content|inhalt|contenu|contenido|conteudo|contenuto|article|artikel|articolo|articulo|story|post|beitrag|main|text|body|haber|noticia|nota|blog|recipe|rezept/,
  comment:
    /comment|komment|coment|disqus|respond|reply|replies|reaction|discussion|guestbook|opinie|yorum|leserbrief|trackback|pingback/,
  // Unambiguous names of comment sections.
  comments:
    /(?:^|[\s_-])(?:comments?|kommentare?|commentaires|comentarios|reacties)(?:$|[\s_-])|commentlist|comment-?(?:list|body|content|text|area|section|thread|entry|item|author|meta)|disqus|fb-comments/,
  forum: /forum|thread|topic|message|postbody|post-body|question|answer|posttext|post_text|review/,
  navigation:
    /nav(?!y)|menu|breadcrumb|crumb|paginat|pager|paging|skip-?link|sitemap|tab-?list|toolbar|top-?bar|mega-?menu|hauptmen|index-?list/,
  related:
    /relat|recommend|similar|more-?(?:stories|news|articles|posts|from|on|link)|also|popular|trending|most-?(?:read|viewed|popular|recent)|meist|teaser|read-?more|readnext|read-next|weitere|mehr|outbrain|taboola|plista|latest|recent|up-?next|next-?(?:post|article)|prev|carousel|slider|swiper|(?:^|[\s_-])cards?(?:$|[\s_-])|linklist|link-list|siehe|zum-thema|lesen|voir|leggi|lees/,
  sidebar:
    /side-?bar|sidebar|widget|(?:^|[\s_-])(?:rail|aside|secondary|complementary|tertiary|side|marginal|randspalte|seitenleiste)|(?:right|left|rechts|links)[-_]?(?:col|spalte|side|bar|block)|(?:col|spalte|column)[-_]?(?:right|left|rechts|links)/,
  share:
    /share|sharing|social|facebook|twitter(?!-tweet)|whatsapp|addthis|addtoany|follow|teilen|sociable|shariff|bookmark|partage|compart|soc-?icons/,
  advertisement:
    /(?:^|[\s_-])(?:ad|ads|adv|advert|adsense|dfp|gpt|banner|sponsor|sponsored|anzeige|anzeigen|werbung|reklam|reklama|affiliate|publicidad|pub|promo|promotion)(?:$|[\s_\d-])|advertis|adbox|ad-?slot|promobox|sponsor/,
  about:
    /(?:^|[\s_-])(?:meta|metadata|byline|by-line|date|datum|datetime|time|timestamp|posted|tag|tags|taglist|category|categories|kategorie|info|infos|credit|credits|source|kicker|dateline|published|pubdate|postmeta|entry-utility|details|cat-links|tags-links|label|labels|stats|views|rating|votes?)(?:$|[\s_\d-])|postmeta|post-?info|article-?info|post-?date|entry-?date|articledate|post-?footer|entry-?footer|post-?tag/,
  author: /author|autor|byline|(?:^|[\s_-])bio(?:$|[\s_-])|profile|verfasser|redakteur|vcard|about-the/,
  footer: /foot(?!ball|age|print)|bottom|copyright|colophon|impressum|legal|disclaimer|fuss|pie-?de/,
  header: /head(?!line)|masthead|logo|branding|kopf|entete|cabecera/,
  title: /title|headline|titel|titre|titulo|überschrift|h1/,
  lead: /lead|teaser-?text|intro|standfirst|summary|excerpt|vorspann|abstract|chapo|deck|dek|subtitle|sub-?headline|entradilla|sommario/,
  form: /newsletter|subscri|sign-?up|signin|login|log-?in|register|registr|(?:^|[\s_-])form|search|such|captcha|contact|kontakt|paywall|donat|spende|(?:^|[\s_-])abo|piano|premium|checkout|cart|warenkorb|price/,
  popup:
    /modal|pop-?up|overlay|cookie|consent|gdpr|dsgvo|lightbox|dialog|tooltip|dropdown|flyout|notice|notification|alert|hinweis|toast|drawer|off-?canvas/,
  consent:
    /cookie-?(?:banner|notice|consent|modal|law|bar|popup|policy|settings)|consent|onetrust|(?:^|\s)ot-(?:sdk|pc|acc|cat|grp|desc|tab)|ensmodal|gdpr|dsgvo|didomi|usercentrics|qc-cmp|cybot|truste|sp_message|(?:^|\s)cky-|borlabs/,
  caption:
    /caption|bildunterschrift|bildtext|legende|(?:^|[\s_-])(?:image|photo|foto|img|bild|media)[-_]?(?:text|info|credit|copyright|source|quelle|desc|title)|photo-?credit|quelle|bu-?text|(?:^|[\s_-])(?:image|photo|img|picture|foto|bild)s?(?:$|[\s_-])/,
  picture:
    /caption|figure|image|img|photo|foto|gallery|galerie|bild|legend|thumb|media|slideshow|video|player|audio|embed|podcast/,
  product:
    /product|(?:^|[\s_-])(?:price|prices|sku|variants?|spec|specs|specification|specifications|artikel|preis|prix|precio|availability|buy-?box|pdp)(?:$|[\s_-])/,
  list: /(?:^|[\s_-])(?:list|grid|items?|results?|cards?|tiles?|feed|archive|loop|listing|listings|collection|entries|catalog|catalogue|gallery)(?:$|[\s_-])|item-?list|(?:post|product|article|card|result|news|story|event|job)s?-?(?:list|grid|item|card|tile|feed|listing)/,
  review: /review|rating|testimonial|feedback|bewertung|avis/,
  question:
    /faq|accordion|collaps|question|answer|disclosure|toggle|(?:^|[\s_-])tabs?(?:$|[\s_-])|tab-?(?:panel|pane|content)/,
  filter: /filter|facet|refine|sort(?!able)|(?:^|[\s_-])(?:options?|swatch|swatches|quantity|qty|select)(?:$|[\s_-])/,
  action: /(?:^|[\s_-])(?:cta|btn|button|buttons|action|actions|controls?|tools?)(?:$|[\s_-])|call-to-action/,
  hero: /hero|jumbotron|banner|(?:^|[\s_-])(?:intro|lead|feature|features|benefits?)(?:$|[\s_-])/,
  signature:
    /signature|user-?(?:info|details|profile|title|name|data|card|cell)|poster|avatar|member|(?:message|post)-?(?:user|author|avatar|head|meta|attribution)|(?:^|[\s_-])sig(?:$|[\s_-])/,
  gone: /(?:^|\s)(?:(?:is|js|u|util)-)?(?:hide|hidden)(?:$|\s)|screen-?reader/,
  hidden:
    /hidden|(?:^|[\s_-])hide|sr-?only|screen-?reader|visually|invisible|d-none|(?:^|[\s_-])collapsed?(?:$|[\s_-])|no-?print|print-?only|mobile-?only|accessib|offscreen|unsichtbar/,
} as const satisfies Record<string, RegExp>

export type Hint = keyof typeof hints
export const hintNames = Object.keys(hints) as Hint[]

/** Levels up to the nearest ancestor with a hint (0: the element itself); `nowhere` if there is none close by. */
export type DistanceTo = (hint: Hint, element: Element) => number
export const nowhere = 12

export function toDistanceTo({ elements }: Page): DistanceTo {
  /** Bit set of hints per element; -1 until computed. */
  const hintsOf = new Int32Array(elements.length).fill(-1)
  const known = new Map<string, number>()
  return (hint, element) => {
    const bit = bits[hint]
    let at: Element | null = element
    for (let distance = 0; at && distance < nowhere; distance++, at = at.parent) {
      if (hintsOf[at.index] === -1) hintsOf[at.index] = findHints(at, known)
      if ((hintsOf[at.index]! & bit) !== 0) return distance
    }
    return nowhere
  }
}

const bits = Object.fromEntries(hintNames.map((name, at) => [name, 1 << at])) as Record<Hint, number>

function findHints({ tag, attributes }: Element, known: Map<string, number>): number {
  const { class: classes = '', id = '', role = '', itemprop = '' } = attributes
  // Hints on the root apply to no part in particular.
  if (tag === 'html' || tag === 'body' || (classes === '' && id === '' && role === '' && itemprop === '')) return 0
  const words = `${classes} ${id} ${role} ${itemprop}`.slice(0, 300)
  let found = known.get(words)
  if (found === undefined) {
    const lower = words.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()
    found = hintNames.reduce((sum, name) => (hints[name].test(lower) ? sum | bits[name] : sum), 0)
    known.set(words, found)
  }
  return found
}
