/** Writes the diagram of a call for docs/how-it-works.md, in light and dark. */
import { writeFileSync } from 'node:fs'

interface Colours {
  readonly text: string
  readonly muted: string
  readonly line: string
  readonly box: string
  readonly accent: string
  readonly accentText: string
}

const themes: { readonly [theme: string]: Colours } = {
  light: { text: '#1f2328', muted: '#59636e', line: '#818b98', box: '#f6f8fa', accent: '#0969da', accentText: '#ffffff' },
  dark: { text: '#f0f6fc', muted: '#9198a1', line: '#656c76', box: '#151b23', accent: '#388bfd', accentText: '#0d1117' },
} // biome-ignore format: one line per theme

const steps = [
  ['resolve', 'find the tool and its contract'],
  ['bound', 'limit size and depth'],
  ['validate input', 'against the schema'],
  ['single step', 'one call per query'],
  ['rate', 'count calls per caller'],
  ['decide', 'allow, ask or deny'],
  ['check', "the tool's own validate"],
  ['approve', 'a person says yes or no'],
  ['record intent', 'before anything runs'],
  ['run', 'with limits'],
  ['validate output', 'against the schema'],
  ['record outcome', 'before the answer'],
] as const

const [width, top, row] = [760, 78, 42]
const toY = (step: number) => top + step * row

for (const [theme, colours] of Object.entries(themes))
  writeFileSync(new URL(`../docs/images/call-${theme}.svg`, import.meta.url), toSvg(colours))

function toSvg(colours: Colours): string {
  const height = toY(steps.length) + 66
  const parts = [
    toBox({ x: 250, y: 8, width: 260, height: 40 }, 'MCP client, program or terminal', 'MCP · REST · function calling · CLI', colours),
    toArrow([380, 52], [380, top - 2], colours),
    ...steps.map(([name, about], index) => toStep(index, name, about, colours)),
    toArrow([380, toY(steps.length) - 8], [380, toY(steps.length) + 14], colours),
    toBox({ x: 250, y: toY(steps.length) + 14, width: 260, height: 40 }, 'the checked result', 'or an error with what to do next', colours),
    toSide({ x: 8, step: 5 }, 'rules, config', 'what the operator decided', colours),
    toSide({ x: 8, step: 7 }, 'a person', 'terminal, console, client', colours),
    toSide({ x: 592, step: 8 }, 'the ledger', 'hash-chained record', colours),
    toSide({ x: 592, step: 9 }, 'tool or MCP server', 'confined, untrusted', colours),
    toSide({ x: 592, step: 11 }, 'the ledger', '', colours),
  ] // biome-ignore format: one line per part
  const style = 'font-family="ui-sans-serif, system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif"'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" ${style}>
<title>A call through the pipeline</title>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="${colours.line}"/></marker></defs>
${parts.join('\n')}
</svg>
`
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function toBox({ x, y, width, height }: Box, title: string, about: string, colours: Colours): string {
  const middle = x + width / 2
  const texts = about
    ? [toText([middle, y + 16], title, colours.text, 13, 600), toText([middle, y + 31], about, colours.muted, 11, 400)]
    : [toText([middle, y + height / 2 + 4], title, colours.text, 13, 600)]
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${colours.box}" stroke="${colours.line}"/>${texts.join('')}`
}

/** A step of the pipeline: its number, name and purpose. */
function toStep(index: number, name: string, about: string, colours: Colours): string {
  const y = toY(index)
  return [
    `<rect x="210" y="${y}" width="340" height="34" rx="6" fill="${colours.box}" stroke="${colours.line}"/>`,
    `<circle cx="230" cy="${y + 17}" r="11" fill="${colours.accent}"/>`,
    toText([230, y + 21], String(index + 1), colours.accentText, 11, 600),
    toText([252, y + 21], name, colours.text, 13, 600, 'start'),
    toText([540, y + 21], about, colours.muted, 11, 400, 'end'),
  ].join('')
}

/** Something beside a step that takes part in it. */
function toSide(place: { x: number; step: number }, title: string, about: string, colours: Colours): string {
  const [y, boxWidth] = [toY(place.step) - 1, 160]
  const middle = toY(place.step) + 17
  const arrow = place.x < 200 ? toArrow([place.x + boxWidth, middle], [208, middle], colours) : toArrow([place.x, middle], [552, middle], colours)
  return toBox({ x: place.x, y, width: boxWidth, height: 37 }, title, about, colours) + arrow
} // biome-ignore format: geometry

function toArrow([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number], colours: Colours): string {
  const start = x1 === x2 ? '' : ' marker-start="url(#tip)"'
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colours.line}" stroke-width="1.5" marker-end="url(#tip)"${start}/>`
}

function toText([x, y]: readonly [number, number], text: string, fill: string, size: number, weight: number, anchor = 'middle'): string {
  return `<text x="${x}" y="${y}" fill="${fill}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}">${text}</text>`
} // biome-ignore format: one line
