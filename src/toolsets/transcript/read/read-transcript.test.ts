import { expect, test } from 'vitest'
import { readTranscript } from './read-transcript.ts'

/** The speech, one line per turn. */
function read(text: string) {
  const { format, turns, dropped } = readTranscript(text)
  return { format, lines: turns.map(({ label, text: said }) => [label, said].filter(Boolean).join(' ')), dropped }
}

test('WebVTT: header, notes, styles, cue names and settings are removed; voices become speakers', () => {
  const text = `WEBVTT - a title
Kind: captions

STYLE
::cue { color: red }

NOTE
a remark

intro
00:01.000 --> 00:02.000 line:0 position:20%
<v.loud Ada King>Hello <b>you</b>, <c.red>3</c> of them</v>

00:02.000 --> 00:03.000
<v Ada King>and on &lt;5&gt;.

NOTE another one
over two lines

last
01:00:02.000 --> 01:00:03.000
<v Bob>No.
`
  expect(read(text)).toMatchObject({
    format: 'vtt',
    lines: ['Ada King: Hello you, 3 of them and on <5>.', 'Bob: No.'],
  })
})

test('SRT: cue numbers go, with or without a blank line before them; spoken numbers stay', () => {
  const text =
    '7\n00:00:01,000 --> 00:00:02,000\nwe are\n8\n00:00:02,000 --> 00:00:03,000\n12\n\n9\n00:00:03,000 --> 00:00:04,000\n- Really?\n- 1984'
  expect(read(text)).toMatchObject({ format: 'srt', lines: ['we are 12', '- Really?', '- 1984'] })
})

test('a long pause between captions starts a paragraph', () => {
  const text =
    '1\n00:00:01,000 --> 00:00:02,000\none\n\n2\n00:00:02,000 --> 00:00:03,000\ntwo\n\n3\n00:00:09,000 --> 00:00:10,000\nthree'
  expect(read(text).lines).toEqual(['one two', 'three'])
})

test("YouTube's SBV files", () => {
  expect(read('0:00:00.500,0:00:02.000\nhello you\n\n0:00:02.000,0:00:03.000\nand 5\n')).toMatchObject({
    format: 'youtube',
    lines: ['hello you and 5'],
  })
})

test("YouTube's transcript panel, with times alone or before the words", () => {
  expect(read('0:00\nhello you\n0:05\nwe meet at 5:30\n1:00:10\nbye')).toMatchObject({
    format: 'youtube',
    lines: ['hello you we meet at 5:30 bye'],
  })
  expect(read('[00:00] hello you\n[00:05] we meet\n(01:10) >> NEWS: bye >> now').lines).toEqual([
    'hello you we meet',
    '>> NEWS: bye',
    '>> now',
  ])
  expect(read('Ada King  0:05\nhello\n\nBob (0:10)\nbye\nnow\n\nAda King 1:00\nno').lines).toEqual([
    'Ada King: hello',
    'Bob: bye now',
    'Ada King: no',
  ])
})

test("YouTube's native XML and JSON", () => {
  const xml =
    '<?xml version="1.0"?><transcript><text start="0" dur="1">it&amp;#39;s &lt;5&gt;</text><text start="1">and\non</text></transcript>'
  expect(read(xml)).toMatchObject({ format: 'youtube', lines: ["it's <5> and on"] })
  expect(read('<timedtext format="3"><body><p t="0"><s>one </s><s t="1">two</s></p><p>three').lines).toEqual([
    'one two',
  ])
  const events = [{ id: 1 }, { segs: [{ utf8: 'one ' }, { utf8: 'two' }] }, { segs: [{ utf8: '\n' }, {}] }]
  expect(read(JSON.stringify({ wireMagic: 'pb3', events }))).toMatchObject({ format: 'youtube', lines: ['one two'] })
  expect(read('{"events": 5}')).toMatchObject({ format: 'plain', lines: ['{"events": 5}'] })
})

test('plain text: paragraphs and speakers stay, lines of one paragraph are joined', () => {
  const text =
    'ADA: first line\nsecond line\nDr. Bob King: third\n[Speaker 2]: fourth\n\nA paragraph\nof two lines.\n\n\nEnd'
  expect(readTranscript(text).turns).toEqual([
    { label: 'ADA:', text: 'first line second line', apart: false },
    { label: 'Dr. Bob King:', text: 'third', apart: false },
    { label: '[Speaker 2]:', text: 'fourth', apart: false },
    { text: 'A paragraph of two lines.', apart: true },
    { text: 'End', apart: true },
  ])
})

test.each([
  ['a few times', 'We met.\n10:30\nIt was late.'],
  ['times that do not go on', '10:30\nfirst\n9:15\nthen\n8:00\nlast'],
  ['an arrow between times', 'We say it like that:\nso\n00:01 --> 00:02\nis a time'],
])('plain text may speak of %s', (_what, text) => {
  expect(read(text)).toMatchObject({ format: 'plain', lines: [text.replaceAll('\n', ' ')] })
})

test('rolling captions without times are detected by their repeats; a line spoken twice is not', () => {
  const rolling = ['so we go', 'so we go', 'to the sea', 'to the sea', 'to the sea', 'and back', 'and back', 'home']
  expect(read(rolling.join('\n'))).toEqual({
    format: 'plain',
    lines: ['so we go to the sea and back home'],
    dropped: { captionWords: 11, sounds: 0 },
  })
  const twice = 'No!\nNo!\nNo!\nNo!\nWhat now?'
  expect(read(twice).lines).toEqual([twice.replaceAll('\n', ' ')])
})

test('sounds are removed, [inaudible] stays', () => {
  expect(read('[Music] ♪ la la ♪ (Applause) [ Gelächter ] [inaudible] [ __ ] (five)')).toEqual({
    format: 'plain',
    lines: ['la la [inaudible] [ __ ] (five)'],
    dropped: { captionWords: 0, sounds: 3 },
  })
})

test('invisible characters are removed', () => {
  expect(read('a\u202eb\u200bc\u0007d\u00a0e').lines).toEqual(['abcd e'])
})
