/** Builds a small PDF from pages of text lines and metadata. */
export function toPdf(
  pages: readonly (readonly string[])[],
  info: Record<string, string> = {},
  leading = 40,
): Uint8Array {
  const objects: string[] = []
  const add = (text: string) => `${objects.push(text)} 0 R`
  const font = add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>')
  const parent = `${2 + pages.length * 2} 0 R`
  const kids = pages.map((lines) => {
    const words = lines.map((line, index) => `0 ${index === 0 ? 0 : -leading} Td (${line}) Tj`)
    const stream = `BT /F1 12 Tf 72 700 Td ${words.join(' ')} ET`
    const content = add(`<</Length ${stream.length}>>stream\n${stream}\nendstream`)
    return add(
      `<</Type/Page/Parent ${parent}/MediaBox[0 0 612 792]/Contents ${content}/Resources<</Font<</F1 ${font}>>>>>>`,
    )
  })
  const tree = add(`<</Type/Pages/Kids[${kids.join(' ')}]/Count ${kids.length}>>`)
  const catalog = add(`<</Type/Catalog/Pages ${tree}>>`)
  const about = add(
    `<<${Object.entries(info)
      .map(([key, value]) => `/${key}(${value})`)
      .join('')}>>`,
  )
  const body = objects.map((object, index) => `${index + 1} 0 obj${object}endobj\n`).join('')
  return new TextEncoder().encode(`%PDF-1.4\n${body}trailer<</Root ${catalog}/Info ${about}>>\n`)
}
