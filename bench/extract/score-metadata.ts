export const metadataFields = ['title', 'author', 'date'] as const
export type MetadataField = (typeof metadataFields)[number]

export interface MetadataScore {
  /** Recall: share of the annotated pages with the right value. */
  readonly right: number
  /** False positives on pages without a value, scaled to 990 pages. */
  readonly invented: number
}

type Found = Partial<Readonly<Record<MetadataField, string | null>>>

interface Page {
  /** Empty: the page has none. Undefined: not annotated. */
  readonly expected: Readonly<Record<MetadataField, string>> | undefined
  readonly found: Found
}

export function scoreMetadata(pages: readonly Page[], field: MetadataField): MetadataScore {
  const annotated = pages.filter(({ expected }) => expected !== undefined)
  const present = annotated.filter(({ expected }) => expected![field].trim() !== '')
  const absent = annotated.filter(({ expected }) => expected![field].trim() === '')
  const right = present.filter(({ expected, found }) => isSame(field, expected![field], found[field])).length
  const invented = absent.filter(({ found }) => (found[field] ?? '').trim() !== '').length
  return { right: right / Math.max(1, present.length), invented: (invented * 990) / Math.max(1, pages.length) }
}

/** Compares letters and digits only; separators between names do not matter. */
export function isSame(field: MetadataField, expected: string, found: string | null | undefined): boolean {
  if (found === null || found === undefined || found.trim() === '') return false
  if (field === 'date') return toDay(expected) === toDay(found)
  if (field === 'title') return toWords(expected).join('') === toWords(found).join('')
  const names = (text: string) => toWords(text).filter((word) => !joining.has(word))
  return names(expected).join(' ') === names(found).join(' ')
}

const joining = new Set(['and', 'by', 'et', 'e', 'i', 'par', 'por', 'und', 'von', 'y'])

function toWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
}

function toDay(text: string): string {
  const [, year, month, day] = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})/.exec(text) ?? []
  if (year !== undefined) return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`
  const time = Date.parse(text)
  return Number.isNaN(time) ? text.trim() : new Date(time).toISOString().slice(0, 10)
}
