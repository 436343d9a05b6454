/** Values of one measurement side by side, as horizontal bars. */
export interface Panel {
  readonly title: string
  /** Such as `more is better`. */
  readonly hint: string
  readonly bars: readonly Bar[]
}

interface Bar {
  readonly label: string
  readonly value: number
  /** The value as it is written beside the bar. */
  readonly text: string
  readonly isOwn: boolean
}

export type Theme = keyof typeof themes

/** An SVG of the panels in two columns. It uses the fonts of the reader and no scripts, so that GitHub shows it. */
export function drawPanels(panels: readonly Panel[], { theme, caption }: { theme: Theme; caption: string }): string {
  const colours = themes[theme]
  const rows = Array.from({ length: Math.ceil(panels.length / 2) }, (_, row) => panels.slice(row * 2, row * 2 + 2))
  let top = padding
  const drawn: string[] = []
  for (const row of rows) {
    row.forEach((panel, column) => {
      drawn.push(drawPanel(panel, { x: padding + column * (panelWidth + gap), y: top, colours }))
    })
    top += Math.max(...row.map(toHeight)) + gap
  }
  const height = top + 12
  const style = `text{font-family:system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;font-size:12px;fill:${colours.text}}.title{font-size:13px;font-weight:600}.muted{fill:${colours.muted}}.own{font-weight:600}`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${toXml(toAlt(panels))}">
<style>${style}</style>
${drawn.join('\n')}
<text class="muted" x="${padding}" y="${height - 10}">${toXml(caption)}</text>
</svg>
`
}

/** The numbers as text, for readers who do not see the picture. */
export function toAlt(panels: readonly Panel[]): string {
  return panels
    .map(({ title, bars }) => `${title}: ${bars.map(({ label, text }) => `${label} ${text}`).join(', ')}.`)
    .join(' ')
}

const themes = {
  light: { text: '#1f2328', muted: '#59636e', own: '#0969da', other: '#c5ced6' },
  dark: { text: '#f0f6fc', muted: '#9198a1', own: '#4493f8', other: '#4a525b' },
} as const

const [width, padding, gap] = [840, 8, 28] as const
const panelWidth = (width - 2 * padding - gap) / 2
const [titleHeight, barHeight, labelWidth, valueWidth] = [40, 22, 128, 64] as const

const toHeight = ({ bars }: Panel) => titleHeight + bars.length * barHeight

interface Place {
  readonly x: number
  readonly y: number
  readonly colours: (typeof themes)[Theme]
}

function drawPanel({ title, hint, bars }: Panel, { x, y, colours }: Place): string {
  const longest = Math.max(...bars.map(({ value }) => value))
  const room = panelWidth - labelWidth - valueWidth
  const lines = bars.map(({ label, value, text, isOwn }, index) => {
    const middle = y + titleHeight + index * barHeight + barHeight / 2
    const length = Math.max(2, Math.round((value / longest) * room))
    const weight = isOwn ? ' class="own"' : ''
    return `<text${weight} x="${x}" y="${middle + 4}">${toXml(label)}</text>
<rect x="${x + labelWidth}" y="${middle - 7}" width="${length}" height="14" rx="3" fill="${isOwn ? colours.own : colours.other}"/>
<text${weight} x="${x + labelWidth + length + 6}" y="${middle + 4}">${toXml(text)}</text>`
  })
  return `<text class="title" x="${x}" y="${y + 14}">${toXml(title)}</text>
<text class="muted" x="${x}" y="${y + 31}">${toXml(hint)}</text>
${lines.join('\n')}`
}

function toXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
