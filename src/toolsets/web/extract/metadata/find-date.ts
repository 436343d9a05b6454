import { toMonth } from './month-names.ts'

export interface DateOptions {
  /** How to read an ambiguous 3/4/2020. */
  readonly monthFirst?: boolean
  /** Ignores dates more than a day after this time. Milliseconds; default: now. */
  readonly now?: number
}

const most = 300

/**
 * The first date in a text as `YYYY-MM-DD`, or with time if the zone is known; null if there is none.
 *
 * `findDate('Am 3. März 2021 von Ada')` is `2021-03-03`.
 */
export function findDate(text: string, options: DateOptions = {}): string | null {
  const start = text.slice(0, most).normalize('NFC').toLowerCase()
  if (!/\d/.test(start)) return null
  let best: { at: number; date: string } | undefined
  for (const [pattern, read] of forms) {
    for (const match of start.matchAll(pattern)) {
      if (best && match.index >= best.at) break
      const date = toDate(read(match, options), match.groups ?? {}, options.now ?? Date.now())
      if (date === null) continue
      best = { at: match.index, date }
      break
    }
  }
  return best?.date ?? null
}

/** The date in metadata, where some systems state the seconds or milliseconds since 1970 instead. */
export function readStatedDate(text: string, options: DateOptions = {}): string | null {
  const [, seconds] = /^\s?(1\d{9})(?:\d{3})?\s?$/.exec(text) ?? []
  return findDate(seconds === undefined ? text : new Date(Number(seconds) * 1000).toISOString(), options)
}

type Day = readonly [year: number, month: number | undefined, day: number]

const time = String.raw`(?:(?:t|,?\s*(?:at|um|à|a las|alle|às|om|o|kl\.?|[-–|•·])?\s*)(?<hour>\d{1,2})[:.](?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d{1,9})?)?\s?(?<half>[ap]\.?m\b)?\s?(?<zone>z\b|utc\b|gmt\b(?![+-])|[+-]\d{2}:?\d{2}\b)?)?`
/** Any word; `toMonth` decides whether it is a month. */
const word = String.raw`([^\s\d.,;:!?()/|–-]{2,14})`

/** Date formats. All patterns have bounded repetition. */
const forms: readonly (readonly [RegExp, (match: RegExpExecArray | RegExpMatchArray, options: DateOptions) => Day])[] =
  [
    [
      new RegExp(String.raw`(?<![\d.])(\d{4})([-/.]\s?)(\d{1,2})\2(\d{1,2})(?!\d)${time}`, 'g'),
      ([, year, , month, day]) => [Number(year), Number(month), Number(day)],
    ],
    [
      /(?<!\d)((?:19|20)\d{2})([01]\d)([0-3]\d)(?:t?\d{4,6}z?)?(?!\d)/g,
      ([, year, month, day]) => [Number(year), Number(month), Number(day)],
    ],
    [
      /(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})/g,
      ([, year, month, day]) => [Number(year), Number(month), Number(day)],
    ],
    [
      new RegExp(
        String.raw`(?<![\d.:])(\d{1,2})(?:st|nd|rd|th|er|[.ºª°])?[\s\u00a0/-]{0,3}(?:de\s|of\s|d['’])?${word}[.,]{0,2}[\s/-]{0,3}(?:del?\s)?(\d{4})(?!\d)${time}`,
        'g',
      ),
      ([, day, month, year]) => [Number(year), toMonth(month!), Number(day)],
    ],
    [
      new RegExp(String.raw`${word}\.?\s{0,3}(\d{1,2})(?:st|nd|rd|th)?,?\s{1,3}(\d{4})(?!\d)${time}`, 'g'),
      ([, month, day, year]) => [Number(year), toMonth(month!), Number(day)],
    ],
    [
      new RegExp(String.raw`(?<!\d)(\d{4})(?:[.,]?\s|-)${word}[\s-](\d{1,2})(?!\d)`, 'g'),
      ([, year, month, day]) => [Number(year), toMonth(month!), Number(day)],
    ],
    [
      // Java and others: Mon May 13 10:00:00 CEST 2019.
      /(\S{3})\s(\d{1,2})\s\d{2}:\d{2}:\d{2}\s[a-z]{2,5}\s(\d{4})(?!\d)/g,
      ([, month, day, year]) => [Number(year), toMonth(month!), Number(day)],
    ],
    [
      new RegExp(
        String.raw`(?<![\d.,:/-])(\d{1,2})(\s?[./-]\s?)(\d{1,2})\2(\d{4}|\d{2})(?![\d]|[.,:/-]\d)${time}`,
        'g',
      ),
      readNumbers,
    ],
  ]

function readNumbers(match: RegExpExecArray | RegExpMatchArray, { monthFirst = false }: DateOptions): Day {
  const [, first, separator, second, written] = match
  const year = written!.length === 2 ? 2000 + Number(written) : Number(written)
  const isMonthFirst = Number(second) > 12 || (monthFirst && !separator!.includes('.') && Number(first) <= 12)
  return isMonthFirst ? [year, Number(first), Number(second)] : [year, Number(second), Number(first)]
}

/** There are no web pages from before. */
const firstYear = 1991
const dayLength = 86_400_000

function toDate([year, month, day]: Day, groups: Record<string, string | undefined>, now: number): string | null {
  if (month === undefined || year < firstYear || month < 1 || month > 12 || day < 1) return null
  const start = Date.UTC(year, month - 1, day)
  if (new Date(start).getUTCDate() !== day || start > now + dayLength) return null
  const date = new Date(start).toISOString().slice(0, 10)
  return date + toTime(groups)
}

function toTime({ hour, minute, second = '00', half, zone }: Record<string, string | undefined>): string {
  if (hour === undefined || zone === undefined) return ''
  const isAfternoon = half?.startsWith('p')
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return ''
  const offset = /\d/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : 'Z'
  return `T${String(hours).padStart(2, '0')}:${minute}:${second}${offset}`
}
