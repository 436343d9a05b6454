import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Diff, toDiff } from './diff.ts'

const lines = Array.from({ length: 30 }, (_, index) => `${index + 1}`)

test('a new text is added line by line', async () => {
  const diff = await toDiff('', 'a\nb\n')
  expect(toText(diff)).toEqual(['+a', '+b'])
  expect(diff).toMatchObject({ added: 2, removed: 0 })
})

test('changes stand among three lines, and far ones apart, with their place', async () => {
  const after = lines.with(9, 'X').with(13, 'Y').with(25, 'Z')
  expect(toText(await toDiff(lines.join('\n'), after.join('\n')))).toEqual([
    ...['@line 7', ' 7', ' 8', ' 9', '-10', '+X', ' 11', ' 12', ' 13', '-14', '+Y', ' 15', ' 16', ' 17'],
    ...['@line 23', ' 23', ' 24', ' 25', '-26', '+Z', ' 27', ' 28', ' 29'],
  ])
})

test('a missing line end is shown', async () => {
  expect(toText(await toDiff('a', 'a\n'))).toEqual(['-a', '\\no line end', '+a'])
})

test('carriage returns are shown where not every line has one', async () => {
  expect(toText(await toDiff('a\r\nb\r\n', 'a\r\nc\r\n'))).toEqual([' a', '-b', '+c'])
  expect(toText(await toDiff('a\r\nb\r\n', 'a\nb\r\n'))).toEqual(['-a\r', '+a', ' b\r'])
})

test('equal texts differ in nothing', async () => {
  expect(await toDiff('a\nb', 'a\nb')).toEqual({ lines: [], added: 0, removed: 0 })
})

test('very long lines, and very many lines, are cut with a note', async () => {
  expect(toText(await toDiff('', 'x'.repeat(5000)))).toEqual([
    `+${'x'.repeat(4000)}`,
    '\\1000 characters more in this line',
    '\\no line end',
  ])
  const { lines, added, removed } = await toDiff('a\n'.repeat(20_000), 'b\n'.repeat(20_000))
  expect(lines.length).toBe(10_001)
  expect(lines.at(-1)).toEqual({ kind: 'note', text: 'more follows, and is left out here' })
  expect({ added, removed }).toEqual({ added: 20_000, removed: 20_000 })
})

test('changes far apart in a long text are shown as they are, not with all the lines between', async () => {
  const long = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`)
  const { lines, added, removed } = await toDiff(long.join(''), long.with(1, 'first\n').with(19_998, 'last\n').join(''))
  expect({ added, removed }).toEqual({ added: 2, removed: 2 })
  expect(lines.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toEqual(['first', 'last'])
})

test('too many changes to pair up are shown as one block', async () => {
  const long = Array.from({ length: 3000 }, (_, index) => `line ${index}\n`)
  const after = long.map((line, index) => (index > 10 && index < 2990 && index % 2 === 0 ? `new ${line}` : line))
  const { lines, added, removed } = await toDiff(long.join(''), after.join(''))
  expect({ added, removed }).toEqual({ added: 2977, removed: 2977 })
  expect(lines.slice(0, 5).map(({ text }) => text)).toEqual(['line 10', 'line 9', 'line 10', 'line 11', 'line 12'])
  expect(lines.slice(-3).map(({ text }) => text)).toEqual(['line 2989', 'line 2990', 'line 2991'])
})

test('what is kept and added makes the text after, what is kept and removed the text before', async () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((parts) => parts.join('\n'))
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      // Seven lines around each change would cover texts as short as these only where they change often.
      const diff = (await toDiff(before, after)).lines
      if (diff.some(({ kind }) => kind === 'place') || before === after) return
      const pick = (...kinds: string[]) => diff.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text)
      expect(toLines(after).join('\n').startsWith(pick('same', 'added').join('\n'))).toBe(true)
      expect(toLines(before).join('\n').startsWith(pick('same', 'removed').join('\n'))).toBe(true)
    }),
  )
})

function toLines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n')
}

function toText({ lines }: Diff): string[] {
  const signs = { same: ' ', added: '+', removed: '-', place: '@', note: '\\' }
  return lines.map(({ kind, text }) => `${signs[kind]}${text}`)
}
