import { constants, deflateRawSync, deflateSync } from 'node:zlib'

const twice = '/Filter[/FlateDecode/FlateDecode]'
const megabyte = ' '.repeat(1024 ** 2)
const words = 'BT /F1 12 Tf (Tea) Tj ET'
const text = toStream('', words)
const helvetica = '/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>'

/** Small PDFs that take gigabytes or minutes to read unless the reader has limits. */
export const pdfBombs: { readonly [what: string]: () => Uint8Array } = {
  'filters within filters': () =>
    toDocument([
      toStream('/Filter[/FlateDecode/FlateDecode/FlateDecode]', deflateSync(deflateSync(deflate([megabyte, 4096])))),
    ]),
  'a page that names one large stream a thousand times': () =>
    toDocument([toStream('/Filter/FlateDecode', deflate([megabyte, 16]))], { contents: '4 0 R '.repeat(1000) }),
  'a row of two hundred million columns': () =>
    toDocument([
      toStream('/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 200000000>>', deflate(['\x02BT ET', 1])),
    ]),
  'a large object stream': () =>
    toDocument(
      [
        text,
        toStream(
          `/Type/ObjStm/N 1/First ${4096 * 1024 ** 2}${twice}`,
          deflateSync(deflate(['3 0 ', 1], [megabyte, 4096], [page(), 1])),
        ),
      ],
      { pageIn: 5 },
    ),
  'forms that draw forms': () => {
    const form = (uses: string, drawn: string) =>
      toStream(`/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<${uses}>>`, drawn)
    const forms = Array.from({ length: 12 }, (_, at) => form(`/XObject<</X ${6 + at} 0 R>>`, '/X Do '.repeat(20)))
    return toDocument([toStream('', '/X Do'), ...forms, form(helvetica, words)], { resources: '/XObject<</X 5 0 R>>' })
  },
  'a font of four gigabytes': () =>
    toDocument(
      [
        text,
        '<</Type/Font/Subtype/TrueType/BaseFont/Tea/FirstChar 0/LastChar 0/Widths[500]/FontDescriptor 6 0 R>>',
        '<</Type/FontDescriptor/FontName/Tea/Flags 4/FontFile2 7 0 R>>',
        toStream(twice, deflateSync(deflate(['\0\x01\0\0', 1], [megabyte, 4096]))),
      ],
      { resources: '/Font<</F1 5 0 R>>' },
    ),
  'a character map of millions of entries': () =>
    toDocument(
      [
        text,
        '<</Type/Font/Subtype/Type0/BaseFont/Tea/Encoding/Identity-H/ToUnicode 7 0 R/DescendantFonts[6 0 R]>>',
        '<</Type/Font/Subtype/CIDFontType2/BaseFont/Tea/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>',
        toStream('', `begincmap ${'1 beginbfrange <00000000> <00fffff0> <0041> endbfrange '.repeat(10)} endcmap`),
      ],
      { resources: '/Font<</F1 5 0 R>>' },
    ),
  'a page of endless text': () =>
    toDocument([toStream(twice, deflateSync(deflate(['BT /F1 12 Tf (Tea) Tj 0 20 Td ET '.repeat(10_000), 4096])))]),
}

/** A page with the word "Tea" and a twelve-gigabyte picture, which text extraction need not decode. */
export function toLargePicture(): Uint8Array {
  const size = '/Width 65000/Height 65000/ColorSpace/DeviceRGB/BitsPerComponent 8'
  const picture = toStream(`/Type/XObject/Subtype/Image${size}${twice}`, deflateSync(deflate([megabyte, 4096])))
  return toDocument([toStream('', `${words} /I Do`), picture], { resources: `${helvetica}/XObject<</I 5 0 R>>` })
}

interface DocumentOptions {
  readonly contents?: string
  readonly resources?: string
  /** The object stream that holds the page. */
  readonly pageIn?: number
}

/** One page, which is object 3; the given objects are numbered from 4. */
export function toDocument(objects: readonly (string | Buffer)[], options: DocumentOptions = {}): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  const all = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', page(options), ...objects]
  for (const [at, object] of all.entries()) {
    offsets.push(length)
    if (at === 2 && options.pageIn !== undefined) continue
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj`), Buffer.from(object), Buffer.from('endobj\n')])
    length += part.length
    parts.push(part)
  }
  const rows = offsets.map((offset, at) =>
    at === 2 && options.pageIn !== undefined
      ? [2, 0, 0, options.pageIn, 0]
      : [1, offset >> 16, (offset >> 8) & 255, offset & 255, 0],
  )
  const table = Buffer.from([0, 0, 0, 0, 255, ...rows.flat()])
  const number = all.length + 1
  const cross = toStream(`/Type/XRef/Size ${number}/W[1 3 1]/Root 1 0 R`, table)
  return Buffer.concat([
    ...parts,
    Buffer.from(`${number} 0 obj`),
    cross,
    Buffer.from(`endobj\nstartxref\n${length}\n%%EOF`),
  ])
}

function page({ contents = '4 0 R', resources = helvetica }: DocumentOptions = {}): string {
  return `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents[${contents}]/Resources<<${resources}>>>>`
}

export function toStream(entries: string, bytes: string | Buffer): Buffer {
  const head = Buffer.from(`<<${entries}/Length ${bytes.length}>>stream\n`)
  return Buffer.concat([head, Buffer.from(bytes), Buffer.from('\nendstream\n')])
}

/** Deflates repeated texts by compressing each once, so that gigabytes take milliseconds. */
function deflate(...texts: readonly (readonly [string, number])[]): Buffer {
  const parts: Buffer[] = [Buffer.from([0x78, 0x9c])]
  const checksum = { a: 1, b: 0 }
  for (const [text, times] of texts) {
    const bytes = Buffer.from(text, 'latin1')
    const own = { a: 0, b: 0 }
    for (const byte of bytes) {
      own.a = (own.a + byte) % 65_521
      own.b = (own.b + own.a) % 65_521
    }
    const part = deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH })
    for (let time = 0; time < times; time++) {
      parts.push(part)
      checksum.b = (checksum.b + checksum.a * bytes.length + own.b) % 65_521
      checksum.a = (checksum.a + own.a) % 65_521
    }
  }
  const { a, b } = checksum
  return Buffer.concat([...parts, Buffer.from([3, 0, b >> 8, b & 255, a >> 8, a & 255])])
}
