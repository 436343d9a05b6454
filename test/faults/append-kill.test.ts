import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { toAppendedLine } from '../helpers/appended-line.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'
import { entries } from '../helpers/run-command.ts'

const processes = 8
const turns = 1000
const killsEach = 3

interface Acknowledged {
  readonly text: string
  readonly line: number
}

test(`${processes} processes append ${turns} lines each, and are killed ${killsEach} times each: nothing acknowledged is lost, torn, out of order or numbered wrongly`, async () => {
  const root = makeQuickFolder()
  // Two of them share no lock with the others, as with another state directory.
  const states = [makeQuickFolder(), makeQuickFolder()]
  const writers = await Promise.all(
    Array.from({ length: processes }, (_, index) => appendAll(root, states[index < 6 ? 0 : 1]!, `writer ${index}`)),
  )
  const lines = readFileSync(join(root, 'memory/log.jsonl'), 'utf8').split('\n')
  expect(lines.pop()).toBe('')
  const found = new Map<string, number>()
  for (const line of lines) found.set(line, (found.get(line) ?? 0) + 1)
  for (const { acknowledged } of writers) {
    expect(acknowledged).toHaveLength(turns)
    expect(acknowledged.filter(({ text, line }) => lines[line - 1] !== text)).toEqual([])
    expect(acknowledged.filter(({ text }) => found.get(text) !== 1)).toEqual([])
    expect(acknowledged.filter(({ line }, index) => line <= (acknowledged[index - 1]?.line ?? 0))).toEqual([])
  }
  const kills = writers.reduce((sum, writer) => sum + writer.kills, 0)
  expect(kills).toBeGreaterThan(processes)
  // A kill leaves at most one unacknowledged line, whole or torn, plus one if another writer continued it.
  expect(lines.length - processes * turns).toBeLessThanOrEqual(2 * kills)
})

/** On tmpfs if available: killing a process does not test the disk, and 8,000 flushes take long. */
function makeQuickFolder(): string {
  if (!existsSync('/dev/shm')) return makeFolder()
  const folder = mkdtempSync('/dev/shm/toolpact-test-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** One writer, killed and restarted until all its lines are acknowledged. Each process has its own name. */
async function appendAll(root: string, state: string, writer: string) {
  const acknowledged: Acknowledged[] = []
  let kills = 0
  while (acknowledged.length < turns) {
    const name = `${writer}, life ${kills}`
    const last =
      kills === killsEach ? Number.POSITIVE_INFINITY : 1 + Math.floor((Math.random() * 2 * turns) / killsEach)
    let left = last
    const parameters = [entries.append, root, state, name, `${acknowledged.length}`, `${turns}`]
    const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit'], timeout: 120_000 })
    const closed = once(child, 'close')
    onTestFinished(() => void child.kill('SIGKILL'))
    for await (const said of createInterface(child.stdout)) {
      const [turn, line] = said.split(' ').map(Number)
      acknowledged.push({ text: toAppendedLine(name, turn!), line: line! })
      if (--left === 0) child.kill('SIGKILL')
    }
    const [code, signal] = await closed
    if (signal === 'SIGKILL') kills++
    else expect({ code, all: acknowledged.length }).toEqual({ code: 0, all: turns })
  }
  return { acknowledged, kills }
}
