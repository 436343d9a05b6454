import { Writable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOf, widthOf } from '../../runtime/approval/text/wrap.ts'
import { looksLikeMarkdown } from './looks-like-markdown.ts'
import { createMarkdownWriter, type Row, toMarkdownRows } from './markdown.ts'
import { toText } from './terminal.ts'

const plain = (rows: readonly Row[]) => rows.map((row) => row.map(textOf).join(''))
const render = (text: string, width = 40) => plain(toMarkdownRows(text, width))

test('headings, lists, quotes, code and tables become rows, with a blank row between blocks', () => {
  const text = `# One *word*
Text **bold** of
two lines
- a
- b \`c\`
  1. nested
> said

\`\`\`sh
echo  "x"

done
\`\`\`
| A | B |
|---|---|
| 1 | **two** |
***
<b>html</b>`
  expect(render(text)).toEqual([
    ...['One word', '', 'Text bold of', 'two lines', '', '• a', '• b c', '  1. nested', '', '> said', ''],
    ...['    echo  "x"', '', '    done', '', 'A  B', '─  ───', '1  two', '', '─'.repeat(40), '', '<b>html</b>'],
  ])
})

test('text is styled, and a link is opened only by its visible http address', () => {
  const [row = []] = toMarkdownRows('**a** *b* `c` [safe](https://x.test/é "t") [odd](javascript:x)', 90)
  const styles = Object.fromEntries(row.flatMap((part) => (typeof part === 'string' ? [] : [[part.text, part.style]])))
  expect(styles).toMatchObject({ a: ['bold'], b: ['italic'], c: ['cyan'], safe: ['underline'] })
  expect(row.map(textOf).join('')).toBe('a b c safe (https://x.test/é) odd (javascript:x)')
  expect(row.flatMap((part) => (typeof part === 'object' && part.link ? [part.link] : []))).toEqual(['https://x.test/%C3%A9']) // biome-ignore format: one line
  const stream = Object.assign(new Writable(), { isTTY: true }) as unknown as NodeJS.WriteStream
  const linked = toText(stream, { text: 'x', style: [], link: 'https://x.test/\x1b]0;' })
  expect(linked).toContain('\x1b]8;;https://x.test/\\x1b]0;\x1b\\')
  expect(toText({ isTTY: false } as NodeJS.WriteStream, { text: 'x', style: [], link: 'https://x.test/' })).toBe('x')
})

test('tables wrap their cells, or become records where columns do not fit', () => {
  const table = '| Name | About |\n|---|---|\n| alpha | some words that wrap |\n| beta | short |'
  expect(render(table, 22)).toEqual(['Name   About', '─────  ───────────────', 'alpha  some words ', '       that wrap', 'beta   short']) // biome-ignore format: one line
  const wide = `|${' aaaaaaaaaa |'.repeat(5)}\n|${'---|'.repeat(5)}\n|${' bbbbbbbbbb |'.repeat(5)}`
  expect(render(wide, 24)).toEqual(Array(5).fill('aaaaaaaaaa: bbbbbbbbbb'))
})

test('a stream shows each block once it is complete, code line by line, and lists whole', () => {
  const seen: string[][] = []
  const writer = createMarkdownWriter({ width: () => 40, write: (rows) => seen.push(plain(rows)) })
  for (const piece of ['One', ' two\n', '\nthree\n\n', '- a\n\n  more\n- b\n', '\nend\n```\nx', '\ny\n``', '`\nlast'])
    writer.push(piece)
  expect(seen).toEqual([['One two'], ['', 'three'], ['', '• a', '', '  more', '• b'], ['', 'end'], ['', '    x'], ['    y']]) // biome-ignore format: one line
  writer.end()
  expect(seen.at(-1)).toEqual(['', 'last'])
})

const pieces = ['# ', '- ', '1. ', '> ', '`', '```\n', '|a|b|\n|-|-|\n|', '**', '_', '[x](http://a.b)', '\x1b[2J', '\t', '\n', '漢字', '❤️', '\u202e', 'words '] // biome-ignore format: one line

test('no row of any text is too wide or controls the terminal', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 60 }),
      fc.integer({ min: 20, max: 90 }),
      (parts, width) => {
        for (const row of render(parts.join(''), width)) {
          expect(widthOf(row)).toBeLessThanOrEqual(width)
          expect(row).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/)
        }
      },
    ),
  )
})

test.each(['> '.repeat(40_000), '[a]('.repeat(20_000), '*a **b '.repeat(10_000), `- ${'a\n- '.repeat(20_000)}`])(
  'hostile nesting is shown as it is (%#)',
  (text) => {
    expect(render(text, 80).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
  },
)

test.each<[boolean, string]>([
  [true, '**Temperature:** 20'],
  [true, 'See [docs](https://x.test/).'],
  [true, '```\ncode\n```'],
  [true, '| a | b |\n| --- | --- |\n| 1 | 2 |'],
  [true, '# Title\n\n- one\n- two'],
  [true, '# Title\n\ntext\n\n## Part\n\ntext'],
  [false, 'plain words\nin lines'],
  [false, '# a comment\n\nimport os\n\n# another\n\ndef f(**kwargs):\n    return 2**3**4'],
  [false, '# settings\n\nkey:\n- a\n- b'],
  [false, '#!/bin/sh\n\n# one\n\necho'],
  [false, '- 2 files changed\n+ 3'],
])('Markdown (%s): %j', (expected, text) => {
  expect(looksLikeMarkdown(text)).toBe(expected)
})
