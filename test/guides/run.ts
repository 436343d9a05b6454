/**
 * `npm run guides` does what the README and the guides say, in terminals of 80 columns, and compares what they show.
 * `-- --write` puts the output that was seen into the pages; `-- README.md` runs some of them. Needs tmux and a built dist/.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSameOutput, maskValues, shorten } from './compare-output.ts'
import { openHome } from './open-home.ts'
import { readSteps, type Typed } from './read-steps.ts'
import { type Terminal, waitFor } from './terminals.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const writes = process.argv.includes('--write')
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const all = ['README.md', ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)]
const pages = all.filter((page) => named.length === 0 || named.some((name) => page.includes(name)))

const problems: string[] = []
for (const page of pages) {
  const begun = Date.now()
  const found = await follow(page)
  problems.push(...found.map((problem) => `${page}, ${problem}`))
  console.log(`${found.length === 0 ? 'ok  ' : 'FAIL'}  ${page}  ${((Date.now() - begun) / 1000).toFixed(0)} s`)
}
for (const problem of problems) console.error(`\n${problem}`)
if (problems.length > 0) console.error('\nIf the pages are out of date: npm run guides -- --write')
process.exitCode = pages.length === 0 || problems.length > 0 ? 1 : 0

/** Follows a page from top to bottom; problems where it does something else than it shows. */
async function follow(page: string): Promise<string[]> {
  const text = readFileSync(join(root, page), 'utf8')
  const { steps, problems } = readSteps(text)
  const changes: { readonly start: number; readonly end: number; readonly text: string }[] = []
  await using home = await openHome(root)
  const main = home.open('main')
  const ids = openIds()
  for (const step of steps) {
    try {
      if (step.kind === 'write') {
        const path = step.path.replace(/^~/, '$HOME')
        const text = home.toActual(step.text)
        await finish(main, `mkdir -p "$(dirname "${path}")" && cat >"${path}" <<'END OF FILE'\n${text}END OF FILE\n`)
      } else if (step.kind === 'run') await finish(main, step.text)
      else {
        const terminal = step.terminal === undefined ? main : home.open(step.terminal)
        const text = ids.toActual(home.toActual(step.text))
        const { shown } = step
        const actual = ids.toShown(home.toShown(await play({ ...step, text }, terminal)), shown?.text ?? '')
        if (!shown && actual !== '' && step.terminal === undefined)
          problems.push(`line ${step.line}: the page shows no output, but there is some:\n${actual}`)
        if (!shown) continue
        const wanted = shorten(actual, shown.text)
        if (writes) {
          if (maskValues(wanted) !== maskValues(shown.text)) changes.push({ ...shown, text: wanted })
        } else if (!isSameOutput(shown.text, actual))
          problems.push(`line ${step.line}: the page shows\n${shown.text}\nbut it was\n${actual}`)
      }
    } catch (failure) {
      problems.push(`line ${step.line}: ${(failure as Error).message}`)
      break
    }
  }
  let written = text
  for (const { start, end, text: output } of changes.toReversed())
    written = `${written.slice(0, start)}${output}${written.slice(end)}`
  if (changes.length > 0) writeFileSync(join(root, page), written)
  return problems
}

/** Ids differ in every run. Those that a page shows stand for the ones at the same places in the terminal, also in later commands. */
function openIds() {
  const actual = new Map<string, string>()
  const replace = (text: string, ids: Iterable<readonly [string, string]>) => {
    let replaced = text
    for (const [from, to] of ids) replaced = replaced.replaceAll(from, to)
    return replaced
  }
  return {
    toActual: (text: string) => replace(text, actual),
    toShown(output: string, shown: string): string {
      const [here, there] = [findIds(output), findIds(shown)]
      if (here.length === there.length) here.forEach((id, index) => void actual.set(there[index]!, id))
      return replace(
        output,
        [...actual].map(([from, to]) => [to, from] as const),
      )
    },
  }
}

/** Short and long ids of calls, questions and rules. */
function findIds(text: string): string[] {
  return text.match(/\b(?=[a-f]*\d)[0-9a-f]{8}(?:[0-9a-f-]{28})?\b/g) ?? []
}

/** Types a block, answers its questions, and returns its output when it has ended, or when a server shows what it should. */
async function play({ text, answers, terminal: name, shown }: Typed, terminal: Terminal): Promise<string> {
  const before = terminal.prompts()
  const asked = (what: string) => `${what} after:\n${text}\nOn the screen:\n${terminal.output()}`
  await terminal.start(text)
  for (const { at, keys } of answers) {
    await waitFor(() => terminal.output().includes(at), `“${at}”`).catch((failure) => {
      throw new Error(asked((failure as Error).message))
    })
    terminal.type(keys)
    terminal.press('Enter')
  }
  if (name === undefined) {
    await waitFor(() => terminal.isAtPrompt(Math.max(before, 1) + 1), 'the end', 120_000).catch((failure) => {
      throw new Error(asked((failure as Error).message))
    })
  } else if (shown) {
    // A server: until it shows what the page does, or nothing more.
    let [last, since] = ['', Date.now()]
    await waitFor(() => {
      const output = terminal.output()
      if (output !== last) [last, since] = [output, Date.now()]
      return isSameOutput(shown.text, output) || (output !== '' && Date.now() - since > 15_000)
    }, 'output')
  }
  return terminal.output()
}

/** Runs lines that the page does not show. They must succeed. */
async function finish(terminal: Terminal, lines: string): Promise<void> {
  const before = Math.max(terminal.prompts(), 1)
  await terminal.start(`{\n${lines}\n} || echo "failed: $?"\n`)
  await waitFor(() => terminal.isAtPrompt(before + 1), `the end of: ${lines}`)
  if (/^failed: \d+$/m.test(terminal.output())) throw new Error(`${lines}\n${terminal.output()}`)
}
