/**
 * `npm run record` plays the story of the README in a real terminal of 80 columns, and writes docs/images/story.svg:
 * an animation without scripts, whose last picture is shown where motion is reduced. Needs tmux and `npm run build`.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openHome } from '../test/guides/open-home.ts'
import { type Terminal, waitFor } from '../test/guides/terminals.ts'
import { type Frame, toSvg } from './recording/to-svg.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const [columns, rows] = [80, 25] as const

interface Line {
  readonly text: string
  /** A question to wait for, and the answer. */
  readonly at?: string
  readonly answer?: string
  /** How long the output is shown, in seconds. */
  readonly shown: number
}

const story: readonly (Line | 'clear')[] = [
  { text: 'toolpact mcp add weather -- node server.mjs', at: 'decide later', answer: 'r', shown: 2.5 },
  { text: 'toolpact lock', shown: 2 },
  { text: 'toolpact call weather.forecast city=Oslo', shown: 2.5 },
  'clear',
  { text: 'touch overnight   # its author publishes an update', shown: 1 },
  { text: 'toolpact call weather.forecast city=Oslo', shown: 3 },
  { text: 'toolpact lock --check', shown: 8 },
]

await using home = await openHome(root, { columns, rows })
const terminal = home.open('main')
await waitFor(() => terminal.isAtPrompt(1), 'a prompt')
await finish(terminal, 'cp -r examples/weather ~/weather && cd ~/weather && clear')
const frames: Frame[] = []
for (const line of story) {
  if (line === 'clear') await finish(terminal, 'clear')
  else await play(line)
}
const path = 'docs/images/story.svg'
const svg = toSvg(frames, { columns, rows })
writeFileSync(new URL(`../${path}`, import.meta.url), svg)
console.log(`${path}: ${frames.length} pictures, ${Math.round(svg.length / 1024)} kB`)

async function play({ text, at, answer, shown }: Line): Promise<void> {
  const before = terminal.prompts()
  // Typed word by word, as fast as somebody who knows what to write.
  for (const word of text.match(/\S+\s*/g) ?? []) {
    terminal.type(word)
    await settle()
    take(0.18)
  }
  terminal.press('Enter')
  if (at !== undefined) {
    await waitFor(() => terminal.capture('-J').includes(at), at)
    await settle()
    take(2.5)
    terminal.type(answer!)
    await settle()
    take(0.4)
    terminal.press('Enter')
  }
  await waitFor(() => terminal.isAtPrompt(before + 1), `the end of ${text}`)
  await settle()
  take(shown)
}

function take(seconds: number): void {
  const lines = home.toShown(terminal.capture('-e')).split('\n').slice(0, rows)
  frames.push({ lines, seconds })
}

/** Waits until the screen no longer changes. */
async function settle(): Promise<void> {
  let last = ''
  let same = 0
  await waitFor(() => {
    const screen = terminal.capture('-e')
    same = screen === last ? same + 1 : 0
    last = screen
    return same > 2
  }, 'a quiet screen')
}

async function finish(terminal: Terminal, command: string): Promise<void> {
  const before = terminal.prompts()
  terminal.type(command)
  terminal.press('Enter')
  await waitFor(() => terminal.isAtPrompt(before + 1), command)
  await settle()
}
