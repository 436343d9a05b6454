import type { Element } from '../../../../tool-parts/html/tree.ts'

const most = 300

/** The attributes that hint at the role of an element: class, id and the like, up to a bounded length. */
export function marksOf({ attributes }: Element): string {
  const { class: classes, id, itemprop, rel } = attributes
  if (classes === undefined && id === undefined && itemprop === undefined && rel === undefined) return ''
  return `${cut(itemprop)} ${cut(rel)} ${cut(id)} ${cut(classes)}`
}

function cut(text: string | undefined): string {
  return text === undefined ? '' : text.slice(0, most)
}

/** Whether an element says by itself that it is a time: `<time>`, and elements such as `<relative-time datetime="…">`. */
export function isTime({ tag, attributes: { datetime } }: Element): boolean {
  return tag === 'time' || (datetime !== undefined && tag !== 'ins' && tag !== 'del')
}

const maxKept = 5000

/** Tests marks against a pattern, with a cache because marks repeat often. */
export function toMarkTest(expression: RegExp): (marks: string) => boolean {
  const known = new Map<string, boolean>()
  return (marks) => {
    if (marks === '') return false
    const before = known.get(marks)
    if (before !== undefined) return before
    const fits = expression.test(marks)
    if (known.size < maxKept) known.set(marks, fits)
    return fits
  }
}
