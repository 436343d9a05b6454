import { type Signal, signal } from '@preact/signals'
import type { JsonValue } from '../../../../contract/json.ts'
import { toStart, type Value } from './form-value.ts'

/** What was typed: a value that both views edit, and the text of JSON that does not parse yet. */
export interface FormState {
  readonly schema: JsonValue
  readonly value: Signal<Value>
  /** The text of the JSON view; null while the form is shown. */
  readonly text: Signal<string | null>
  /** Syntax errors in JSON, by the JSON pointer of the part; the pointer of the JSON view is empty. */
  readonly faults: Signal<Readonly<Record<string, string>>>
}

export function openForm(schema: JsonValue, start?: JsonValue): FormState {
  return {
    schema,
    value: signal<Value>(start ?? toStart(schema, schema)),
    text: signal<string | null>(null),
    faults: signal<Readonly<Record<string, string>>>({}),
  }
}

/** Replaces what was typed, such as by an example. */
export function fillForm(form: FormState, value: JsonValue): void {
  form.faults.value = {}
  form.value.value = value
  if (form.text.value !== null) form.text.value = toText(value)
}

/** Switches between the views. Stays if there is JSON that does not parse, since the other view would lose it. */
export function switchView(form: FormState): boolean {
  if (Object.keys(form.faults.value).length > 0) return false
  form.text.value = form.text.value === null ? toText(form.value.value) : null
  return true
}

/** Takes the text of the JSON view. Text that does not parse stays as it is and is a fault. */
export function typeText(form: FormState, text: string): void {
  form.text.value = text
  const read = readText(text)
  setFault(form, '', read.fault)
  if (read.fault === undefined) form.value.value = read.value
}

export function setFault(form: FormState, pointer: string, fault: string | undefined): void {
  const { [pointer]: before, ...others } = form.faults.value
  if (before !== fault) form.faults.value = fault === undefined ? others : { ...others, [pointer]: fault }
}

/** Parses JSON; no text is no value. A key that is typed twice in one object is a fault: it is unclear which value counts. */
export function readText(text: string): { readonly value?: Value; readonly fault?: string } {
  if (text.trim() === '') return { value: undefined }
  try {
    const value = JSON.parse(text)
    const twice = findTwice(text)
    return twice === undefined ? { value } : { fault: `The key ${twice} is there twice. Remove one of them.` }
  } catch (error) {
    // Not every browser says where, and some say it for some faults only.
    const place = /line (\d+) column (\d+)/.exec(String(error))
    return { fault: place ? `Not valid JSON at line ${place[1]}, column ${place[2]}.` : 'Not valid JSON.' }
  }
}

/** The first key of valid JSON that its object has already, as it was typed. */
function findTwice(text: string): string | undefined {
  const objects: Set<string>[] = []
  let last = ''
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"|[{}:]/g)) {
    if (token === '{') objects.push(new Set())
    else if (token === '}') objects.pop()
    else if (token !== ':') last = token
    else {
      const keys = objects.at(-1)!
      const key = JSON.parse(last)
      if (keys.has(key)) return last
      keys.add(key)
    }
  }
  return undefined
}

export function toText(value: Value): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

/** The id of a part's control in the document. */
export function toId(pointer: string): string {
  return `input${pointer}`
}
