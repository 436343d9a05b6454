import { expect, test } from 'vitest'
import { parseOptions, splitCommandLine } from './command-line.ts'

test('the command is the first word; global options may precede it', () => {
  expect(splitCommandLine(['call', 'a', '--json'])).toEqual({ name: 'call', rest: ['a', '--json'] })
  expect(splitCommandLine(['--workspace', 'w', '--json', 'call', 'a'])).toEqual({
    name: 'call',
    rest: ['--workspace', 'w', '--json', 'a'],
  })
  expect(splitCommandLine(['--workspace=w', 'list'])).toEqual({ name: 'list', rest: ['--workspace=w'] })
  expect(splitCommandLine(['--json'])).toEqual({ name: undefined, rest: ['--json'] })
  expect(splitCommandLine([])).toEqual({ name: undefined, rest: [] })
})

test('options and positionals are separated', () => {
  const table = { input: { type: 'string', about: '' } } as const
  const args = ['a', '--json', 'b=-1', '--input', '-', '--toolset', 'x', '--toolset=y', '--', '--c=1']
  expect(parseOptions(args, table)).toEqual({
    positionals: ['a', 'b=-1', '--c=1'],
    options: { json: true, input: '-', toolset: ['x', 'y'] },
  })
})

test.each([
  [['--jsno'], 'There is no option --jsno.'],
  [['-x'], 'There is no option -x.'],
  [['--__proto__'], 'There is no option --__proto__.'],
  [['--json=1'], 'The option --json takes no value.'],
  [['--workspace'], 'The option --workspace needs a value: --workspace DIR.'],
  [['--workspace', '--json'], 'The option --workspace needs a value: --workspace DIR.'],
  [['--config', 'a', '--config', 'b'], 'The option --config is given twice.'],
])('%j is refused', (args, message) => {
  expect(() => parseOptions(args, {})).toThrow(message)
})

test('a mistyped option suggests the nearest', () => {
  expect(() => parseOptions(['--jsno'], {})).toThrow(expect.objectContaining({ suggestion: 'Did you mean --json?' }))
})
