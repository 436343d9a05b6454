import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

const bytes = (...values: number[]) => new Uint8Array(values)
const ascii = (text: string, ...more: number[]) => new Uint8Array([...Buffer.from(text, 'latin1'), ...more])

test.each([
  [
    'a mark for UTF-8, against the server',
    bytes(0xef, 0xbb, 0xbf, 0xc3, 0xa9),
    'text/html; charset=latin1',
    'é',
    'utf-8',
  ],
  ['a mark for UTF-16, little end first', bytes(0xff, 0xfe, 0xe9, 0), '', 'é', 'utf-16le'],
  ['a mark for UTF-16, big end first', bytes(0xfe, 0xff, 0, 0xe9), '', 'é', 'utf-16be'],
  ['the server', bytes(0xe9), 'text/html; charset=ISO-8859-1', 'é', 'windows-1252'],
  ['the server, quoted', bytes(0xc9), 'text/html;charset="koi8-r"', 'и', 'koi8-r'],
  [
    'the server, against the page',
    ascii('<meta charset=koi8-r>', 0xc3, 0xa9),
    'text/html; charset=utf-8',
    '<meta charset=koi8-r>é',
    'utf-8',
  ],
  [
    'the page, if the server names nonsense',
    ascii('<meta charset=koi8-r>', 0xc9),
    'text/html; charset=nonsense',
    '<meta charset=koi8-r>и',
    'koi8-r',
  ],
  [
    'the page',
    ascii('<meta charset="windows-1251">', 0xe9),
    'text/html',
    '<meta charset="windows-1251">й',
    'windows-1251',
  ],
  [
    'the page, the old way',
    ascii('<META http-equiv=Content-Type content="text/html; charset=shift_jis">', 0x93, 0xfa),
    '',
    '<META http-equiv=Content-Type content="text/html; charset=shift_jis">日',
    'shift_jis',
  ],
  [
    'an XML declaration',
    ascii('<?xml version="1.0" encoding="iso-8859-2"?>', 0xb1),
    '',
    '<?xml version="1.0" encoding="iso-8859-2"?>ą',
    'iso-8859-2',
  ],
  ['a page that cannot be UTF-16', ascii('<meta charset=utf-16>', 0xc3, 0xa9), '', '<meta charset=utf-16>é', 'utf-8'],
  [
    'a page without the user-defined one',
    ascii('<meta charset=x-user-defined>', 0xe9),
    '',
    '<meta charset=x-user-defined>é',
    'windows-1252',
  ],
  [
    'a comment is no declaration',
    ascii('<!-- <meta charset=koi8-r> -->', 0xc3, 0xa9),
    '',
    '<!-- <meta charset=koi8-r> -->é',
    'utf-8',
  ],
  [
    'another attribute is no declaration',
    ascii('<meta name=mycharset=x content=a>', 0xc3, 0xa9),
    '',
    '<meta name=mycharset=x content=a>é',
    'utf-8',
  ],
  ['valid UTF-8', bytes(0xc3, 0xa9), '', 'é', 'utf-8'],
  ['else windows-1252', bytes(0x80, 0x93, 0xe9), '', '€“é', 'windows-1252'],
  ['a name that no decoder has', bytes(0xc3, 0xa9), 'text/html; charset=iso-2022-kr', 'é', 'utf-8'],
  ['nothing', bytes(), '', '', 'utf-8'],
])('goes by %s', (_, input, contentType, text, charset) => {
  expect(decodeText(input, { contentType })).toMatchObject({ text, charset })
})

test('a declaration is found beyond the first kilobyte, after scripts and styles, and not in the text', () => {
  const before = `<style>${' '.repeat(2000)}</style><script>"<meta charset=big5>"</script><!-- <meta charset=big5> -->`
  expect(decodeText(ascii(`${before}<meta charset=koi8-r>`, 0xc9)).charset).toBe('koi8-r')
  expect(decodeText(ascii('<body><p>Write <meta charset=koi8-r>', 0xc9, 32)).charset).toBe('windows-1252')
})

test('a head without end is searched in linear time', () => {
  expect(decodeText(ascii('<meta '.repeat(40_000), 0xe9, 32)).charset).toBe('windows-1252')
})

test('valid UTF-8 overrides the label of another encoding in which it cannot be', () => {
  const page = new TextEncoder().encode('<meta charset=iso-8859-1>Größe')
  expect(decodeText(page)).toEqual({ text: '<meta charset=iso-8859-1>Größe', charset: 'utf-8' })
  expect(decodeText(page, { contentType: 'text/html; charset=windows-1251' }).charset).toBe('utf-8')
  expect(decodeText(bytes(0xe2, 0x82, 0xac, 0x3c), { contentType: 'text/html; charset=gbk' }).charset).toBe('utf-8')
  // Valid in both: the label decides.
  expect(decodeText(bytes(0xc4, 0xa3), { contentType: 'text/html; charset=gbk' }).text).toBe('模')
  expect(decodeText(ascii('plain'), { contentType: 'text/html; charset=latin1' }).charset).toBe('windows-1252')
})

test('UTF-16 without a mark is recognized by its zeros', () => {
  const wide = (text: string, isLittle: boolean) =>
    new Uint8Array([...text].flatMap((one) => (isLittle ? [one.charCodeAt(0), 0] : [0, one.charCodeAt(0)])))
  expect(decodeText(wide('<p>Tea</p>', true))).toEqual({ text: '<p>Tea</p>', charset: 'utf-16le' })
  expect(decodeText(wide('<p>Tea</p>', false))).toEqual({ text: '<p>Tea</p>', charset: 'utf-16be' })
  expect(decodeText(ascii('<p>T\0ea</p>')).charset).toBe('utf-8')
})

test('a guess is used only if nothing else is known', () => {
  const cyrillic = bytes(0xf7, 0xe0, 0xe9)
  expect(decodeText(cyrillic, { guess: 'windows-1251' })).toEqual({
    text: 'чай',
    charset: 'windows-1251',
    isGuess: true,
  })
  expect(decodeText(cyrillic, { guess: 'nonsense' }).charset).toBe('windows-1252')
  expect(decodeText(bytes(0xc3, 0xa9), { guess: 'windows-1251' })).toEqual({ text: 'é', charset: 'utf-8' })
})

test('an incomplete character at the end is dropped, and the text still counts as UTF-8', () => {
  expect(decodeText(bytes(0x61, 0xe2, 0x82), { truncated: true })).toEqual({ text: 'a', charset: 'utf-8' })
  expect(decodeText(bytes(0x61, 0xe2, 0x82)).text).toBe('a\ufffd')
})
