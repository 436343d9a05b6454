import { expect, test } from 'vitest'
import { fillForm, openForm, readText, setFault, switchView, typeText } from './form-state.ts'

const schema = { type: 'object', properties: { name: { type: 'string' }, count: { type: 'integer' } } }

test('switching between form and JSON keeps what was typed, also what the schema does not allow', () => {
  const form = openForm(schema)
  form.value.value = { name: 'Ada', count: '12a', other: [1] }
  expect(switchView(form)).toBe(true)
  expect(JSON.parse(form.text.value!)).toEqual({ name: 'Ada', count: '12a', other: [1] })
  typeText(form, '{ "name": "Bob", "other": {} }')
  expect(switchView(form)).toBe(true)
  expect(form.value.value).toEqual({ name: 'Bob', other: {} })
})

test('JSON that does not parse stays, says where it is wrong, and blocks the form until it is corrected', () => {
  const form = openForm(schema, { name: 'Ada' })
  switchView(form)
  typeText(form, '{\n  "name": "Ada",\n}')
  expect(form.faults.value['']).toMatch('line 3, column 1')
  expect(switchView(form)).toBe(false)
  expect(form.text.value).toBe('{\n  "name": "Ada",\n}')
  typeText(form, '{}')
  expect(form.faults.value).toEqual({})
  expect(switchView(form)).toBe(true)
})

test('JSON whose fault has no place is refused as well, and no text is no value', () => {
  expect(readText('{"a":').fault).toBe('Not valid JSON.')
  expect(readText(' \n')).toEqual({ value: undefined })
})

test('a part of the form that is typed as JSON blocks likewise', () => {
  const form = openForm(schema)
  setFault(form, '/other', 'Not valid JSON')
  expect(switchView(form)).toBe(false)
  setFault(form, '/other', undefined)
  expect(switchView(form)).toBe(true)
})

test('an example replaces what was typed in either view', () => {
  const form = openForm(schema)
  switchView(form)
  typeText(form, '{')
  fillForm(form, { name: 'Eve' })
  expect(JSON.parse(form.text.value!)).toEqual({ name: 'Eve' })
  expect(form.faults.value).toEqual({})
})

test.each([
  ['{"a": 1, "b": {"a": 2}, "c": [{"a": 1}, {"a": 2}], "d": "\\"a\\": {"}', undefined],
  ['{"a": 1, "b": {}, "a": 2}', '"a"'],
  ['[{"x": {"y": [], "\\u0079": 1}}]', '"\\u0079"'],
])('a key that is typed twice in one object is a fault: %s', (text, key) => {
  const { fault } = readText(text)
  if (key === undefined) expect(fault).toBeUndefined()
  else expect(fault).toBe(`The key ${key} is there twice. Remove one of them.`)
})
