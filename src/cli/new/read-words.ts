import type { DeclaredError, Example } from '../../contract/contract.ts'
import { errorCodeForm } from '../../contract/forms.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { UsageError } from '../options/command.ts'
import { type Field, type FieldType, fieldTypes } from './wanted-tool.ts'

const fieldForm = new RegExp(`^([A-Za-z_]\\w{0,63}):(${fieldTypes.join('|')})(\\[\\])?(\\?)?(?:\\s+(\\S[\\s\\S]*))?$`)

const fieldHelp = `NAME:TYPE, with ? where it may be left out and its meaning after a space, such as 'limit:integer? How many to return'. Types are ${fieldTypes.join(', ')}; string[] is a list.`

/** Parses fields such as `text:string` or `tags:string[]? Search terms`. */
export function readFields(words: readonly string[], option: 'param' | 'returns'): Field[] {
  const fields = words.map((word): Field => {
    const [, name, type, list, optional, description] = fieldForm.exec(word.trim()) ?? []
    if (name === undefined) throw new UsageError(`--${option} cannot be '${word}'.`, `Write ${fieldHelp}`)
    return {
      name,
      type: type as FieldType,
      isList: list !== undefined,
      isOptional: optional !== undefined,
      description: description?.trim() ?? toWords(name),
    }
  })
  const names = fields.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`--${option} gives ${twice} twice.`)
  return fields
}

/** Parses declared errors such as `no_such_note:404 There is no note of that name.` */
export function readErrors(words: readonly string[]): DeclaredError[] {
  return words.map((word) => {
    const [, code = '', status, when] = /^([^\s:]+):([45]\d\d)(?:\s+(\S[\s\S]*))?$/.exec(word.trim()) ?? []
    if (!errorCodeForm.test(code))
      throw new UsageError(`--error cannot be '${word}'.`, `Write CODE:STATUS, a code in snake_case and an HTTP status of an error, and when it comes: 'no_such_note:404 There is no note of that name.'`) // biome-ignore format: one line
    return {
      code,
      status: Number(status),
      when: when?.trim() ?? `${toWords(code)}.`,
      suggestion: Number(status) < 500 ? 'Change the input.' : 'Try again later.',
    }
  })
}

/** Parses examples: `{ "input": …, "output": … }`, or `error` instead of the output. */
export function readExamples(words: readonly string[]): Example[] {
  return words.map((word) => {
    const parsed = parseJson(word, { maxBytes: 1_048_576, maxDepth: 100 })
    const advice = `Write '{"input": {…}, "output": {…}}', or "error": "CODE" in place of the output.`
    if (!parsed.ok) throw new UsageError(`--example is not valid JSON. ${parsed.message}`, advice)
    if (typeof parsed.value !== 'object' || parsed.value === null || !('input' in parsed.value))
      throw new UsageError('--example has no input.', advice)
    return parsed.value as unknown as Example
  })
}

/** `page_count` becomes `Page count`. */
function toWords(name: string): string {
  const words = name.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
