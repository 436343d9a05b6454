import type { Token } from './read-tokens.ts'

/** A date, as precise as it is given. */
export interface DateFound {
  readonly year?: number
  readonly month?: number
  readonly day?: number
  readonly weekday?: number
  /** A time, or a date whose day and month are ambiguous: compared as written. */
  readonly raw?: string
  /** First and last token. */
  readonly at: number
  readonly end: number
}

/** The dates and times of a text, each with its tokens. */
export function readDates(tokens: readonly Token[]): DateFound[] {
  const dates: DateFound[] = []
  for (let at = 0; at < tokens.length; ) {
    const found = readAt(tokens, at)
    if (found) dates.push(...found)
    at = found ? found.at(-1)!.end : at + 1
  }
  return dates
}

/** Whether the evidence confirms everything that a claim says of a date. */
export function isSameDate(claim: DateFound, evidence: DateFound): boolean {
  return (['year', 'month', 'day', 'weekday', 'raw'] as const).every(
    (part) => claim[part] === undefined || claim[part] === evidence[part],
  )
}

function readAt(tokens: readonly Token[], at: number): DateFound[] | undefined {
  const token = tokens[at]!
  if (token.kind === 'date') return readDigits(token.lower, at)
  const weekday = token.kind === 'word' ? weekdays.get(token.lower) : undefined
  if (weekday !== undefined && isMeant(token)) return [{ weekday, at, end: at + 1 }]
  // 12 May 2024, 12. Mai 2024, 12 de mayo de 2024
  const day = toDay(token)
  if (day !== undefined) {
    const month = skip(tokens, at + 1, ['.', 'of', 'de', 'th', 'st', 'nd', 'rd', 'er'])
    const number = toMonth(tokens[month], true)
    if (number !== undefined) return withYear(tokens, month + 1, { month: number, day, at })
  }
  // May 12, 2024; May 2024; May
  const month = toMonth(token, false)
  if (month === undefined) return undefined
  const next = toDay(tokens[at + 1])
  if (next !== undefined) {
    return withYear(tokens, skip(tokens, at + 2, ['th', 'st', 'nd', 'rd']), { month, day: next, at })
  }
  return withYear(tokens, at + 1, { month, at })
}

function withYear(tokens: readonly Token[], from: number, date: Omit<DateFound, 'end'>): DateFound[] {
  const at = skip(tokens, from, [',', 'de', 'of'])
  const year =
    tokens[at]?.kind === 'number' && /^[12]\d{3}$/.test(tokens[at].text) ? Number(tokens[at].text) : undefined
  return [{ ...date, ...(year !== undefined && { year }), end: year === undefined ? from : at + 1 }]
}

function skip(tokens: readonly Token[], from: number, texts: readonly string[]): number {
  return tokens[from] && texts.includes(tokens[from].lower) ? from + 1 : from
}

function readDigits(text: string, at: number): DateFound[] {
  const end = at + 1
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[t ](.+))?$/.exec(text)
  if (iso) {
    const date = { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]), at, end }
    return iso[4] ? [date, { raw: iso[4], at, end }] : [date]
  }
  const dotted = /^(\d+)\.(\d+)\.(\d+)$/.exec(text)
  if (dotted) return [{ day: Number(dotted[1]), month: Number(dotted[2]), year: Number(dotted[3]), at, end }]
  const year = /\/(\d{4})$/.exec(text)?.[1]
  return [{ raw: text, at, end, ...(year && { year: Number(year) }) }]
}

function toDay(token: Token | undefined): number | undefined {
  return token?.kind === 'number' && /^(?:0?[1-9]|[12]\d|3[01])$/.test(token.text) ? Number(token.text) : undefined
}

/** Some months are also other words: these must be capitalized, or next to a day. */
function toMonth(token: Token | undefined, byDay: boolean): number | undefined {
  if (token?.kind !== 'word') return undefined
  const month = months.get(token.lower)
  return month !== undefined && (byDay || isMeant(token)) ? month : undefined
}

const doubtful = /^(?:may|march|mars|mar|mai|jun|sun|sat|fri|wed|mon|so|mi|set|ago|dic|out|juni|abril|marts|maj|mei)$/

function isMeant({ text, lower }: Token): boolean {
  return !doubtful.test(lower) || /^\p{Lu}\p{Ll}/u.test(text)
}

const months = toNumbers([
  'january jan januar janvier enero gennaio janeiro januari января январь',
  'february feb februar février febrero febbraio fevereiro februari февраля февраль',
  'march mar märz mars marzo março maart марта март',
  'april apr avril abril aprile апреля апрель',
  'may mai mayo maggio maio mei maj мая май',
  'june jun juni juin junio giugno junho июня июнь',
  'july jul juli juillet julio luglio julho июля июль',
  'august aug août agosto augustus augusti августа август',
  'september sep sept septembre septiembre settembre setembro сентября сентябрь',
  'october oct oktober octobre octubre ottobre outubro октября октябрь',
  'november nov novembre noviembre novembro ноября ноябрь',
  'december dec dezember décembre diciembre dicembre dezembro декабря декабрь',
])
const weekdays = toNumbers([
  'monday montag lundi lunes lunedì maandag понедельник',
  'tuesday dienstag mardi martes martedì dinsdag вторник',
  'wednesday mittwoch mercredi miércoles mercoledì woensdag среда среду',
  'thursday donnerstag jeudi jueves giovedì donderdag четверг',
  'friday freitag vendredi viernes venerdì vrijdag пятница пятницу',
  'saturday samstag sonnabend samedi sábado sabato zaterdag суббота субботу',
  'sunday sonntag dimanche domingo domenica zondag воскресенье',
])

function toNumbers(lists: readonly string[]): ReadonlyMap<string, number> {
  return new Map(lists.flatMap((list, index) => list.split(' ').map((word): [string, number] => [word, index + 1])))
}
