import type { Element } from '../tree.ts'

const most = 300

/** What an element says about its role: its classes and the like, as far as a person would read them. */
export function marksOf({ attributes }: Element): string {
  const { class: classes, id, itemprop, rel } = attributes
  if (classes === undefined && id === undefined && itemprop === undefined && rel === undefined) return ''
  return `${cut(itemprop)} ${cut(rel)} ${cut(id)} ${cut(classes)}`
}

function cut(text: string | undefined): string {
  return text === undefined ? '' : text.slice(0, most)
}

const maxKept = 5000

/** Tells whether an expression fits the marks of an element, once for marks that come again and again. */
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
