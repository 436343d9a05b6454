import { expect, test } from 'vitest'
import { isSameOutput, shorten } from './compare-output.ts'
import { readSteps } from './read-steps.ts'

const page = `# A page

<!-- not run: needs the registry -->
\`\`\`sh
npm install
\`\`\`

\`\`\`json ~/a.json
{}
\`\`\`

<!-- at "Go on? (y/N)" type y -->
\`\`\`sh
one
two
\`\`\`

\`\`\`text
out
\`\`\`

<!-- run: elsewhere -->
<!-- terminal: server -->
\`\`\`sh
serve
\`\`\`
`

test('a page is read as what its reader does, with the output that follows a command', () => {
  const { steps, problems } = readSteps(page)
  const start = page.indexOf('out\n')
  expect(problems).toEqual([])
  expect(steps.map(({ line: _line, ...step }) => step)).toEqual([
    { kind: 'write', path: '~/a.json', text: '{}\n' },
    {
      kind: 'type',
      text: 'one\ntwo\n',
      answers: [{ at: 'Go on? (y/N)', keys: 'y' }],
      shown: { start, end: start + 4, text: 'out\n' },
    },
    { kind: 'run', text: 'elsewhere' },
    { kind: 'type', text: 'serve\n', answers: [], terminal: 'server' },
  ])
})

test('output without a command before it is a problem, and so is a comment that means nothing', () => {
  expect(readSteps('```text\nout\n```\n').problems).toEqual(['line 1: this output has no command before it'])
  expect(readSteps('<!-- not run: -->\n```sh\nls\n```\n').problems).toEqual(['line 1: unknown comment “not run:”'])
})

test.each([
  ['ok  12 ms\n', 'ok  7.5 ms\n', true],
  ['call 3f2a91c4 at 2026-01-31 10:00:00\n', 'call 0123abcd at 2027-02-01 09:30:11\n', true],
  ['a line that\nis broken\n', 'a line\nthat is broken\n', true],
  ['3 tools\n', '4 tools\n', false],
  ['a word\n', 'a wo rd\n', false],
  ['first\n…\nlast\n', 'first\nx\ny\nlast\n', true],
  ['first\n…\nlast\n', 'first\nx\ny\n', false],
  ['first\n…\n', 'other\nx\n', false],
  ['', 'more\n', false],
])('%j shows %j: %j', (shown, actual, isSame) => {
  expect(isSameOutput(shown, actual)).toBe(isSame)
})

test('output is written as short as it was before', () => {
  const actual = '1\n2\n3\n4\n5\n6\n'
  expect(shorten(actual, 'a\nb\n…\nc\n')).toBe('1\n2\n…\n6\n')
  expect(shorten(actual, 'a\n…\n')).toBe('1\n…\n')
  expect(shorten(actual, 'a\n')).toBe(actual)
})
