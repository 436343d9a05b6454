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
  promotion:
    /newsletter|cookie|subscri|suscri|assin(?:e|atur)|abonn|iscriviti|prenumer|subskry|sign(?:ed)? up|unsere app|\bapps?\b.{0,20}(?:ios|android)|download (?:the|our|this)|descarg|follow (?:us|me|her|him)|folg(?:t|en sie|e) (?:uns|mir)|s[íi]guenos|s[íi]ga ?nos|únete|(?:canal de|kanal|channel).{0,12}(?:telegram|whatsapp)|(?:telegram|whatsapp)-?(?:kanal|channel)|advertis|anzeige|werbung|sponsor|publicidad|publicité|pubblicità|donate|spende|unterstützen? (?:sie )?(?:uns|mich)|support (?:us|our)|become a (?:member|subscriber|patron)|paywall|\babo\b|(?:jetzt|kostenlos) registrieren|register (?:now|for)|datenschutz|privacy|einwillig|javascript|adblock|your browser|click here|klicke? hier|haz clic|submit your|send us|have a tip|contact us|your inbox|posteingang|earn .{0,20}commission|affiliate|compensation|log in|already a|free trial|join (?:us|our)|gefällt (?:dir|ihnen)|if you (?:enjoyed|liked|have)|enjoyed this/,
  legal:
    /copyright|©|all rights reserved|alle rechte|rights reserved|tous droits|derechos reservados|impressum|terms (?:of|and)|agb\b|disclaimer|powered by|haftung|nutzungsbedingung|reprint|creative commons|lizenz|licen[sc]e/,
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
