import { findDate } from './find-date.ts'
import { toMonth } from './month-names.ts'

/** The date in the path of an address, such as `/2021/03/04/`, `/20210304-` and `/2021/march/04/`. */
export function fromAddress(url: string): string | null {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').slice(0, 500)
  const numbers =
    /[/_-]((?:19|20)\d{2})([/_-]?)([01]?\d)\2([0-3]?\d)(?:[/_.-]|$)/.exec(path) ??
    /[/_-]((?:19|20)\d{2})([/_-])([a-z]{3,9})\2([0-3]?\d)(?:[/_.-]|$)/i.exec(path)
  if (!numbers) return null
  const [, year, , month, day] = numbers
  return findDate(`${year}-${toMonth(month!) ?? month}-${day}`)
}
