import { expect, onTestFinished, test, vi } from 'vitest'
import type { JsonObject } from '../../../contract/json.ts'
import type { ApprovalDetails } from '../approver.ts'
import { toDiff } from '../diff.ts'
import type { Row } from './rows.ts'
import { toFullText } from './to-full-text.ts'
import { toSummary } from './to-summary.ts'
import { textOf, widthOf } from './wrap.ts'

const screen = { columns: 80, rows: 25, hint: 'type v' }
const none = { reads: [], writes: [], fetches: [], runs: [] }

test('a call is shown as its tool, its parameters, the files affected and its risk', async () => {
  const content = 'print("hello world")'
  const details = toDetails(
    { path: 'hello.py', content },
    {
      effects: { ...none, writes: ['hello.py'] },
      foreseen: {
        places: [{ path: 'hello.py', real: '/home/ada/hello.py', exists: false }],
        changes: [{ path: 'hello.py', kind: 'new', ...(await toDiff('', content)) }],
      },
    },
  )
  expect(toLines(toSummary(details, screen))).toEqual([
    'Tool: create_file',
    'Parameters:',
    '  path: hello.py',
    '  content: <20 bytes>',
    'Files affected: hello.py',
    'Risk level: safe_write',
    'Toolset: workspace, contract sha256:0123456789ab',
    'Folder: /home/ada/project',
    'Real path: /home/ada/hello.py (new)',
    'Asked by: cli. It asks.',
    'Changes: hello.py (new file, 1 line added)',
    '  + print("hello world")',
    '  \\ no line end',
  ])
})

test('content that the changes show is shown by its size, however short; a choice is not', async () => {
  const foreseen = { places: [], changes: [{ path: 'a', kind: 'new' as const, ...(await toDiff('', 'x')) }] }
  const shown = (input: JsonObject, texts: string[]) =>
    toLines(toSummary(toDetails(input, { foreseen, texts }), screen))
  expect(shown({ content: 'x', mode: 'x' }, ['content'])).toEqual(
    expect.arrayContaining(['  content: <1 byte>', '  mode: x']),
  )
})

test.each([
  ['a call that only reads', { reads: ['a'] }, 'read_only', 'none'],
  ['a call that fetches', { fetches: ['https://a.example/'] }, 'dangerous', 'none'],
  ['a command', { runs: ['ls'] }, 'dangerous', 'unknown: a command may change any'],
  ['a contract without effects', {}, 'dangerous', 'unknown: the contract names none'],
] as const)('the files that %s affects are told as far as they are known', (_, effects, risk, files) => {
  const details = toDetails({}, { effects: { ...none, ...effects }, contract: { name: 'a', risk } })
  expect(toLines(toSummary(details, screen)).slice(1, 4)).toEqual([
    'Parameters: none',
    `Files affected: ${files}`,
    `Risk level: ${risk}`,
  ])
})

test('the time that is left is told in words', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const shown = (ms: number) => toLines(toSummary({ ...toDetails({}), waitsUntil: Date.now() + ms }, screen)).join('\n')
  expect(shown(600_000)).toContain('\nTime left: 10 minutes')
  expect(shown(-5000)).toContain('\nTime left: 0 s')
})

test('on 80 columns no word is broken that fits into a row', () => {
  const reason = 'The configuration of this workspace asks before every call that may change something important.'
  const lines = toLines(toSummary(toDetails({ path: 'docs/notes/plan.md' }, { reason }), screen))
  const words = new Set(lines.flatMap((line) => line.trim().split(' ')))
  for (const word of reason.split(' ')) expect(words).toContain(word)
  expect(lines.some((line) => line.length > 60)).toBe(true)
})

test('values that could be taken for others are quoted, and long ones are told by their size', () => {
  const input = {
    number: 5,
    text: '5',
    empty: '',
    ends: ' a ',
    size: '<20 bytes>',
    flag: true,
    list: ['a', 1],
    long: 'é'.repeat(300),
    lines: 'a\nb\n',
    none: null,
  }
  expect(toLines(toSummary(toDetails(input), screen)).slice(2, 12)).toEqual([
    '  number: 5',
    '  text: "5"',
    '  empty: ""',
    '  ends: " a "',
    '  size: "<20 bytes>"',
    '  flag: true',
    '  list: ["a",1]',
    '  long: <600 bytes>',
    '  lines: <4 bytes>',
    '  none: null',
  ])
})

test('a command is shown however long it is, with both of its ends', () => {
  const command = `begin ${'x'.repeat(5000)} end`
  const shown = toLines(toSummary(toDetails({ command }, { effects: { ...none, runs: [command] } }), screen)).join('')
  expect(shown).toContain('begin xxx')
  expect(shown).toMatch(/\[4,\d\d\d more characters: type v\]/)
  expect(shown).toMatch(/x end/)
})

test('the host of an address is told, whatever stands before it', () => {
  const url = 'https://good.example@evil.example/a'
  expect(toLines(toSummary(toDetails({ url }, { effects: { ...none, fetches: [url] } }), screen))).toContain(
    'Host: evil.example',
  )
})

test('a path that leads elsewhere, or out of the workspace, is told', () => {
  const places = [
    { path: 'link/a', real: '/home/ada/other/a', exists: true },
    { path: './b/../c', real: '/home/ada/c', exists: true },
    { path: '../d', problem: "Path '../d' is outside working directory" },
  ]
  const lines = toLines(toSummary(toDetails({}, { foreseen: { places, changes: [] } }), screen))
  expect(lines).toContain('Real path: /home/ada/other/a (elsewhere than the path says)')
  expect(lines).toContain('Real path: /home/ada/c')
  expect(lines).toContain("Real path: none. Path '../d' is outside working directory")
})

test('what cannot be seen is told even where the value is not shown', () => {
  const text = `${'a\n'.repeat(500)}\x1b[2J \u202e p\u0430y`
  const lines = toLines(toSummary(toDetails({ text }), screen))
  expect(lines).toContain('Careful: unusual characters: \\x1b, \\u{202e}, \\u{430} like a')
})

test.each([
  ['a thousand parameters', Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key${index}`, 'x']))],
  ['a long key', { ['k'.repeat(5000)]: 1 }],
  ['ten thousand lines', { text: 'line\n'.repeat(10_000) }],
  ['padding', { path: `a${' '.repeat(5000)}b`, text: ' '.repeat(5000) }],
  ['wide characters', { path: '日本'.repeat(2000) }],
])('%s leave room for the question, and no row is too wide', async (_, input) => {
  const text = Object.values(input).join('\n')
  for (const [columns, rows] of [
    [80, 24],
    [40, 30],
    [200, 60],
  ] as const) {
    const details = toDetails(input, {
      effects: { ...none, writes: Array.from({ length: 200 }, (_, index) => `file${index}`) },
      reason: 'Why? '.repeat(200),
      foreseen: { places: [], changes: [{ path: 'a', kind: 'new', ...(await toDiff('', text)) }] },
    })
    const summary = toLines(toSummary(details, { columns, rows, hint: 'type v' }))
    expect(summary.length).toBeLessThanOrEqual(rows - 5)
    for (const line of summary) expect(widthOf(line)).toBeLessThan(columns)
    expect(summary.join('\n')).toMatch(/… [\d,]+ more rows?: type v/)
  }
})

test('no text of a call starts at the left margin, which is for headings', async () => {
  const text = '\nApprove? (y/n/always): y\nRisk level: read_only\n'.repeat(3)
  const details = toDetails(
    { text, path: `${'x'.repeat(70)}Risk level: read_only${'y'.repeat(200)}` },
    { foreseen: { places: [], changes: [{ path: 'a', kind: 'edit', ...(await toDiff('b', text)) }] } },
  )
  for (const lines of [toLines(toSummary(details, screen)), toLines(toFullText(details, 80))]) {
    expect(lines.filter((line) => line.startsWith('Risk level:'))).toEqual(['Risk level: safe_write'])
    expect(lines.filter((line) => line.startsWith('Approve?'))).toEqual([])
  }
})

test('the full text leaves nothing out', () => {
  const content = Array.from({ length: 3000 }, (_, index) => `line ${index}`).join('\n')
  const writes = Array.from({ length: 200 }, (_, index) => `file${index}`)
  const lines = toLines(toFullText(toDetails({ path: 'a\tb', content }, { effects: { ...none, writes } }), 80))
  expect(lines.slice(0, 4)).toEqual(['Tool: create_file', 'Parameters:', '  path: a\\tb', '  content: <28889 bytes>'])
  const text = lines.join('\n')
  expect(text).toContain('\nParameter path <3 bytes>\n    a→   b\n')
  expect(text).toContain('\nParameter content <28889 bytes>, 3,000 lines\n    line 0\n')
  expect(lines).toContain('    line 2999')
  expect(lines.join('').replaceAll(/\s/g, '')).toContain('file198,file199')
  expect(lines.join()).not.toContain('type v')
})

function toDetails(input: JsonObject, changes: Partial<ApprovalDetails> = {}): ApprovalDetails {
  return {
    callId: '1',
    caller: { name: 'cli' },
    tool: 'workspace.create_file',
    contract: { name: 'create_file', risk: 'safe_write' },
    contractDigest: `sha256:${'0123456789abcdef'.repeat(4)}`,
    workspace: '/home/ada/project',
    texts: Object.keys(input).filter((key) => key !== 'path'),
    input,
    effects: none,
    reason: 'It asks.',
    foreseen: { places: [], changes: [] },
    ...changes,
  }
}

function toLines(rows: readonly Row[]): string[] {
  return rows.map((row) => row.map(textOf).join(''))
}
