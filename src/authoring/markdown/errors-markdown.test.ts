import { expect, test } from 'vitest'
import { defineTool } from '../../contract/define-tool.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { toErrorsMarkdown } from './errors-markdown.ts'

const object = { type: 'object', properties: {}, additionalProperties: false } as const
const source = { description: 'Does nothing.', risk: 'read_only', input: object, output: object } as const
const quiet = defineTool({ ...source, name: 'quiet' }, () => ({}))
const loud = defineTool(
  {
    ...source,
    name: 'loud',
    errors: [
      { code: 'too_loud', status: 422, when: 'It is too loud.', suggestion: 'Be quiet.' },
      { code: 'broken', status: 502, when: 'It | breaks\nhere.', suggestion: 'Use <b>`other`</b> *things*.' },
    ],
  },
  () => ({}),
)
const http = { not_found: { status: 404, when: 'There is nothing.', suggestion: 'Look elsewhere.' } }
const pipeline = { busy: { status: 503, fixable: true, when: 'There is no room.', suggestion: 'Wait.' } }

test('the pipeline comes first, then the HTTP layer, each tool that declares codes, then the others by name', () => {
  const text = toErrorsMarkdown({ pipeline, http }, [
    defineToolset('one', [loud, quiet]),
    defineToolset('two', [quiet]),
  ])
  expect(text).toContain('| `busy` | 503 | yes | There is no room. | Wait. |')
  expect(text).toContain('### one.loud\n\n| code |')
  expect(text).toContain('| `too_loud` | 422 | yes | It is too loud. | Be quiet. |')
  expect(text).toContain('No codes of their own: `one.quiet`, `two.quiet`.\n')
  expect(text).toContain('| `not_found` | 404 | yes | There is nothing. | Look elsewhere. |')
  expect(text.indexOf('busy')).toBeLessThan(text.indexOf('not_found'))
  expect(text.indexOf('not_found')).toBeLessThan(text.indexOf('too_loud'))
})

test('a row stays one row, whatever a contract says in it', () => {
  const text = toErrorsMarkdown({ pipeline: {}, http: {} }, [defineToolset('one', [loud])])
  expect(text).toContain('| `broken` | 502 | no | It \\| breaks here. | Use \\<b\\>\\`other\\`\\</b\\> \\*things\\*. |')
  expect(text).not.toContain('No codes of their own')
})
