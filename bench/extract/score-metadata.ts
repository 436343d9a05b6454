export const metadataFields = ['title', 'author', 'date'] as const
export type MetadataField = (typeof metadataFields)[number]

export interface MetadataScore {
  /** Share of the pages that have one, where the right one was found. */
  readonly right: number
  /** Pages without one, where one was found, as if there were 990 pages. */
  readonly invented: number
}

type Found = Partial<Readonly<Record<MetadataField, string | null>>>

interface Page {
  /** An empty text: the page has none. Undefined: nobody looked. */
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

/** Titles and names are the same if their letters and digits are; several names in whatever way they are joined. */
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
