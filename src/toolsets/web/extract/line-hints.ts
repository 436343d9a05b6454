/**
 * Typical beginnings of short boilerplate lines, in the most common languages. Matched against the line in lower case.
 */
const lines = {
  share:
    /^(?:share|tweet|teilen|twittern|compartir|compartilh|partager|condividi|delen|dela|udostępnij|paylaş|facebook|twitter|whatsapp|linkedin|pinterest|e-?mail|print|drucken|imprimer|imprimir|stampa|tell a friend|artikel (?:teilen|drucken)|send|pin it|like this|gefällt mir|empfehlen|flipboard|telegram|reddit|xing|copy link|link kopieren|follow us|folge(?:n|t)? )/,
  related:
    /^(?:related|read (?:more|also|next)|see also|more (?:from|on|stories|news|articles|posts|about|like|in)|also (?:on|read)|recommended|you (?:may|might) (?:also )?(?:like|be|enjoy)|don'?t miss|what to read|most (?:read|popular|viewed)|popular|trending|latest|recent|similar|next|previous|editor'?s|top stories|up next|in other news|lesen sie|lies auch|mehr (?:zum|zu|aus|von|dazu|lesen|infos|artikel|news|über)|weitere|auch interessant|das könnte|siehe auch|ähnliche|passend|verwandte|zum thema|meistgelesen|beliebt|aktuelle|neueste|vorheriger|nächster|à lire|lire aussi|voir aussi|sur le même|articles? (?:liés|similaires)|leer más|lea también|te puede|relacionad|más (?:noticias|información|leíd|sobre)|noticias relacionadas|ver más|leia (?:mais|também)|veja também|leggi anche|potrebbe interessarti|articoli correlati|lees (?:ook|meer|verder)|meer over|läs (?:också|mer)|les også|læs også|lue myös|schon gelesen|lust auf|noch mehr|außerdem|vorschau|hier geht|mira|mirá|vea |ve también|además|te recomendamos|también|czytaj|zobacz|podobne|polecamy|читайте|смотрите|ilgili|関連|相关)/,
  comment:
    /^(?:\d+\s*)?(?:comment|kommentar|komentar|commentaire|comentari|commenti|reacties|reactions?|responses?|replies|antworten|leave a|post a|write a|add (?:a|your) |schreib|hinterlass|laisser un|deja un|deixe|lascia un|join the|diskussion|diskutier|discussion|was denkst|what do you think|einloggen|log ?in|sign in|anmelden|registrier|antwort|reply|répondre|responder|rispondi|beantwoorden|trackback|pingback|your email|deine e-?mail|ihre e-?mail|name \*|e-?mail \*|required fields)|(?:\d+|no|keine|ein) (?:comments?|kommentare?|responses?|antworten|gedanken|thoughts|replies|commentaires)|says:$|sagt:$|\d+ gedanken zu|thoughts on/,
  about:
    /^(?:by |von |par |por |di |door |av |posted|published|veröffentlicht|geschrieben|verfasst|erstellt|aktualisiert|updated?|last (?:updated|modified)|stand:|publié|publicado|pubblicato|geplaatst|gepubliceerd|opublikowano|автор|autor|author|written|text:|quelle|source|fuente|fonte|foto|photo|bild|image|credit|getty|©|datum|date|tags?\b|schlagw|stichw|kategorie|categor|filed|topics?|themen|labels|rubrik|views|aufrufe|gelesen|lesezeit|lesedauer|reading time|\d+ min|permalink|written by|about the author|über den autor|zur person|geschrieben von|abgelegt unter|eingetragen)|(?:min read|min\. lesezeit|uhr)$/,
  credit:
    /^\W{0,2}(?:foto|photo|bild|image|picture|pic|credits?|cr[ée]dit|quelle|source|fuente|fonte|abbildung|abb\.|fig(?:ure|\.)|grafik|symbolbild|titelbild|screenshot|illustration|video|getty|reuters|afp|dpa|ap\b|imago|shutterstock|copyright|©)[^.!?]{0,20}[:©/]|(?:getty images|shutterstock|reuters|imago|picture[- ]alliance|ap photo|\/dpa|\/afp|wikimedia|unsplash|pixabay|istock)\W{0,3}$|^\W{0,2}(?:foto|photo|bild|image|credit|©|abbildung|abb\.)/,
  // Words such as newsletter or privacy say nothing on their own: texts are about them, too.
  promotion:
    /^(?:please |jetzt |bitte |(?:i |we )?(?:hope|want) .{0,20})?(?:subscri(?:be|ption)|suscr[ií]b|assin(?:e|atur)|abonn|iscriviti|prenumer|subskry|sign(?:ed)? up|follow (?:us|me|her|him|@)|folg(?:t|en sie|e) (?:uns|mir)|s[íi]guenos|s[íi]ga ?nos|únete|join (?:us|our)|download (?:the|our|this)|descarg|donate|spende|unterstützen? (?:sie )?(?:uns|mich)|support (?:us|our)|become a (?:member|subscriber|patron)|(?:kostenlos )?registrier|register (?:now|for)|advertis(?:ement|ing)|anzeige\b|werbung\b|sponsored|publicidad|publicité|pubblicità|click here|klicke? hier|haz clic|submit your|send us|have a tip|contact us|log in\b|already a|get (?:the|our|your) .{0,40}(?:inbox|newsletter|app\b)|receive .{0,40}(?:inbox|newsletter)|this (?:web)?site uses|we use cookies|wir (?:verwenden|nutzen) cookies|by (?:clicking|continuing|signing|subscribing)|if you (?:enjoyed|liked)|enjoyed this|gefällt (?:dir|ihnen)|newsletter\W*$|cookies?\W*$|privacy(?: policy)?\W*$|datenschutz\W*$)|\b(?:our|unser(?:en)?|notre|nuestr[oa]) (?:\w+ )?newsletter\b|\bnewsletter (?:abonnieren|anmeld|sign-?up|bestellen)|\b(?:canal de|kanal|channel).{0,12}(?:telegram|whatsapp)|\b(?:telegram|whatsapp)-?(?:kanal|channel)|\baccept (?:all )?cookies|\b(?:enable|activate|aktivieren sie) javascript|\byour (?:inbox|browser)\b|\bposteingang\b|\bearn .{0,20}commission|\baffiliate (?:links?|commission|partner)|\bfree trial\b|\bpaywall\b|\badblock|\bunsere app\b|\bapps?\b.{0,20}(?:ios|android)/,
  legal:
    /copyright|©|all rights reserved|alle rechte|rights reserved|tous droits|derechos reservados|impressum|terms (?:of|and)|agb\b|disclaimer|powered by|haftung|nutzungsbedingung|reprint|creative commons|lizenz|licen[sc]e/,
  action:
    /^(?:\+ ?)?(?:add to (?:cart|bag|basket|wish|compare)|buy(?: it)? now|shop (?:now|all)|learn more|get (?:started|a quote|in touch|a demo|the app)|sign up|start (?:your|free|now|for)|try (?:it|for|now)|request (?:a|more)|contact (?:us|sales)|view (?:all|more|details|product|full)|load more|see (?:more|all|details)|show (?:more|less|all)|quick (?:view|shop|add|buy)|choose options|select options|sold out|out of stock|in stock|reply|quote|report|like|upvote|downvote|vote|flag|edit|save|share|bookmark|apply|clear all|reset|in den warenkorb|ajouter au panier|añadir al carrito|jetzt kaufen|mehr erfahren|en savoir plus)\b/,
  price: /(?:[$€£¥₹]|\b(?:usd|eur|gbp|chf|kr)\b)\s?\d|\d\s?(?:€|£|\$|eur\b|usd\b|zł\b|kr\b|лв)/,
  ago: /\b\d+\s?(?:s|sec|min|mins|minutes?|h|hrs?|hours?|d|days?|w|weeks?|mo|months?|y|yrs?|years?)\.? ago\b|^vor \d|^il y a \d|^hace \d|^(?:yesterday|today|gestern|heute)\b/,
  member:
    /^(?:joined|posts?|messages?|registered|member since|location|reputation|karma|likes received|reaction score|points|solutions|threads?|topics?|replies|views|last post|original poster|moderator|administrator|senior member|junior member|active member|well-known member|new member|member|guest|beiträge|registriert|dabei seit|inscrit|messages)\b/,
  count:
    /^\(?[\d.,]+ ?\+?\)? ?(?:results?|items?|products?|reviews?|ratings?|customer|posts?|replies|views|votes?|likes?|points?|comments?|followers?|members?|articles?|entries|ergebnisse|artikel)\b|\b(?:showing|page) [\d.,]+ ?(?:-|–|to|of)|out of 5\b|\d(?:\.\d)? stars?\b/,
  navigation:
    /^(?:home|start(?:seite)?|back|zurück|nach oben|to top|back to top|menu|menü|skip|zum inhalt|search|suche|contact|kontakt|about|über uns|sitemap|next|weiter|previous|older|newer|ältere|neuere|vorherig|nächst|»|«|›|‹|←|→|↑|\||page \d|seite \d|zur (?:startseite|übersicht)|übersicht|print|close|schließen|show|hide|view|anzeigen|mehr|more|inicio|accueil|retour|volver|weiterlesen|continue reading|read more|click here|hier klicken|download|login)/,
} as const satisfies Record<string, RegExp>

export type LineHint = keyof typeof lines
export const lineHintNames = Object.keys(lines) as LineHint[]

const bits = Object.fromEntries(lineHintNames.map((name, at) => [name, 1 << at])) as Record<LineHint, number>

/** Bit set of hints found at the start of a line. Long lines have none. */
export function findLineHints(text: string): number {
  if (text.length > 300) return 0
  const lower = text.toLowerCase()
  let found = 0
  for (const name of lineHintNames) if (lines[name].test(lower)) found |= bits[name]
  return found
}

export function hasLineHint({ hints }: { readonly hints: number }, hint: LineHint): boolean {
  return (hints & bits[hint]) !== 0
}
