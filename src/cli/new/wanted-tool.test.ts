import { expect, test } from 'vitest'
import { readErrors, readExamples, readFields } from './wanted-tool.ts'

test('a field says its name, its type, whether it may be left out, and what it means', () => {
  expect(readFields(['text:string', 'page_size:integer? How many  ', ' tags:string[]?'], 'param')).toEqual([
    { name: 'text', type: 'string', isList: false, isOptional: false, description: 'Text' },
    { name: 'page_size', type: 'integer', isList: false, isOptional: true, description: 'How many' },
    { name: 'tags', type: 'string', isList: true, isOptional: true, description: 'Tags' },
  ])
})

test.each(['text', 'text:', 'text:text', '1a:string', 'a b:string', 'a:string??', 'a:string[][]', ':string', ''])(
  '%j is no field',
  (word) => {
    expect(() => readFields([word], 'returns')).toThrow(`--returns cannot be '${word}'.`)
  },
)

test('a field is given once', () => {
  expect(() => readFields(['a:string', 'a:integer'], 'param')).toThrow('--param gives a twice.')
})

test('a failure says its code, its status and when it comes', () => {
  expect(readErrors(['no_note:404 There is no note.', 'too_slow:503'])).toEqual([
    { code: 'no_note', status: 404, when: 'There is no note.', suggestion: 'Change the input.' },
    { code: 'too_slow', status: 503, when: 'Too slow.', suggestion: 'Try again later.' },
  ])
})

test.each(['no_note', 'no_note:200', 'NoNote:404', ':404', 'a:4040'])('%j is no failure', (word) => {
  expect(() => readErrors([word])).toThrow('--error cannot be')
})

test('an example is JSON with an input', () => {
  expect(readExamples(['{"input":{},"output":{}}'])).toEqual([{ input: {}, output: {} }])
  expect(() => readExamples(['{'])).toThrow('--example is not valid JSON.')
  for (const word of ['5', 'null', '{"output":{}}']) expect(() => readExamples([word])).toThrow('has no input')
})
