/** A picture of a terminal. */
export interface Frame {
  /** Its rows with escape sequences for colours. */
  readonly lines: readonly string[]
  readonly seconds: number
}

interface Size {
  readonly columns: number
  readonly rows: number
}

/** An animated SVG of a dark terminal, which looks the same on light and dark pages. */
export function toSvg(frames: readonly Frame[], { columns, rows }: Size): string {
  const [width, height] = [columns * cell.width + 2 * margin, rows * cell.height + titleHeight + margin]
  const screenHeight = rows * cell.height
  const ids = new Map<string, string>()
  const pictures = frames.map(({ lines }, index) => {
    const draw = openPen()
    const uses = lines.flatMap((line, row) => {
      const drawn = draw(line)
      if (drawn === '') return []
      if (!ids.has(drawn)) ids.set(drawn, `l${ids.size}`)
      return `<use href="#${ids.get(drawn)}" y="${index * screenHeight + row * cell.height}"/>`
    })
    return uses.join('')
  })
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0)
  let time = 0
  const steps = frames.map(({ seconds }, index) => {
    const step = `${((time / total) * 100).toFixed(2)}%{transform:translateY(${-index * screenHeight}px)}`
    time += seconds
    return step
  })
  const last = -(frames.length - 1) * screenHeight
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<style>
text{font-family:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:14px;fill:${colours.text};white-space:pre}
.b{font-weight:700}
.film{transform:translateY(${last}px);animation:play ${total.toFixed(1)}s step-end infinite}
@keyframes play{${steps.join('')}}
@media (prefers-reduced-motion:reduce){.film{animation:none}}
</style>
<defs>
${[...ids].map(([drawn, id]) => `<g id="${id}">${drawn}</g>`).join('\n')}
</defs>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="${colours.background}" stroke="${colours.border}"/>
${['#ff5f57', '#febc2e', '#28c840'].map((fill, index) => `<circle cx="${22 + index * 20}" cy="20" r="6" fill="${fill}"/>`).join('')}
<svg x="${margin}" y="${titleHeight}" width="${columns * cell.width}" height="${screenHeight}">
<g class="film">
${pictures.join('\n')}
</g>
</svg>
</svg>
`
}

const cell = { width: 8.5, height: 19 } as const
const [margin, titleHeight] = [18, 40] as const
const colours = { background: '#0d1117', border: '#3d444d', text: '#e6edf3', dim: '#8b949e' } as const

/** Red, green and so on, of terminals. */
const palette = ['#8b949e', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#e6edf3'] as const

interface Style {
  readonly fill?: string
  readonly isBold?: boolean
}

/**
 * Draws one row after the other, since colours go on in the next row until they are reset. Each run is at its column and
 * as wide as its characters, whatever font the reader has.
 */
function openPen() {
  let style: Style = {}
  return (line: string): string => {
    let column = 0
    let drawn = ''
    for (const [, codes, text] of line.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
      if (text === undefined) style = toStyle(codes ?? '', style)
      else {
        for (const { index, 0: run } of text.matchAll(/\S+(?: \S+)*/g)) {
          const x = ((column + index) * cell.width).toFixed(1)
          const looks = `${style.fill ? ` style="fill:${style.fill}"` : ''}${style.isBold ? ' class="b"' : ''}`
          drawn += `<text x="${x}" y="14" textLength="${(run.length * cell.width).toFixed(1)}" lengthAdjust="spacingAndGlyphs"${looks}>${toXml(run)}</text>`
        }
        column += text.length
      }
    }
    return drawn
  }
}

function toStyle(codes: string, before: Style): Style {
  let style = before
  for (const code of codes.split(';').map(Number)) {
    if (code === 0) style = {}
    else if (code === 1) style = { ...style, isBold: true }
    else if (code === 2) style = { ...style, fill: colours.dim }
    else if (code === 22 || code === 39) style = {}
    else if (code >= 30 && code <= 37) style = { ...style, fill: palette[code - 30]! }
    else if (code >= 90 && code <= 97) style = { ...style, fill: palette[code - 90]! }
  }
  return style
}

function toXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
