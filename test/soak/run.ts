/**
 * `npm run soak -- --minutes 10` calls tools on all surfaces concurrently, over servers that crash, hang and lie, and
 * checks for lost, mixed or wrong responses, growing memory and handles, leftover processes and broken ledgers.
 * `--rate 60` calls servers that are well instead, that often a second, and shows what grows with time: see steady.ts.
 * `--write` publishes the results in docs/benchmarks.md.
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isAlive } from '../helpers/is-alive.ts'
import bundlePrograms from '../setup/bundle-programs.ts'
import { findFault, pickErrand } from './errands.ts'
import { decideFlat, type Sample } from './flat.ts'
import { type Counts, publishSoak } from './publish-soak.ts'
import type { Subject, Surface } from './surfaces.ts'

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, rate: { type: 'string' }, write: { type: 'boolean', default: false } }, // biome-ignore format: one line
})
const minutes = Number(options.minutes)
const rate = Number(options.rate ?? 1)
if (!(minutes > 0 && rate > 0)) {
  console.error('--minutes and --rate need a number above 0.')
  process.exit(2)
}
const callers = 4
const before = loadavg()[0]!
// Leave no process behind when interrupted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const removeBundle = await bundlePrograms()
const { openHttp, openLibrary, openStdio } = await import('./surfaces.ts')
const place = mkdtempSync(join(tmpdir(), 'toolpact-soak-'))
if (options.rate !== undefined) {
  const { keepSteady } = await import('./steady.ts')
  finishAll(await keepSteady(place, { minutes, rate, writes: options.write, before }))
}
const subjects: Subject[] = [
  await openHttp(join(place, 'http')),
  openStdio(join(place, 'stdio')),
  openLibrary(join(place, 'library')),
]
const counts = new Map<string, Counts>()
const samples = new Map<Subject, Sample[]>(subjects.map((subject) => [subject, []]))
/** Count and first occurrence of each finding. */
const faults = new Map<string, { count: number; first: string }>()
const end = Date.now() + minutes * 60_000
let nonces = 0

console.log(`${minutes} minutes, ${callers} callers on each surface`)
await warmUp()
const sampling = sample()
await Promise.all(subjects.flatMap(({ surfaces }) => surfaces.flatMap((surface) => Array.from({ length: callers }, () => load(surface))))) // biome-ignore format: one line
await sampling
const rows = await Promise.all(subjects.map(finish))
console.table(Object.fromEntries(counts))
console.table(Object.fromEntries(rows))
for (const [kind, { count, first }] of faults) console.log(`✗ ${count} × ${kind}\n    ${first}`)
if (options.write) publishSoak({ minutes, callers, before, counts, faults, subjects: Object.fromEntries(rows) })
if (faults.size === 0) console.log('✓ Nothing lost, mixed, leaked or left behind.')
finishAll(faults.size)

function finishAll(found: number): never {
  rmSync(place, { recursive: true, force: true })
  removeBundle()
  process.exit(found === 0 ? 0 : 1)
}

/** Warm-up: servers start with the first call and may be unavailable until then. */
async function warmUp() {
  for (const { surfaces } of subjects)
    for (const tool of ['good.echo', 'hangs.echo', 'lies.poisoned', 'noisy.echo'])
      for (let tries = 0; tries < 100; tries++) {
        const { code } = await surfaces[0]!.call({ tool, input: { text: 'first' }, nonce: `first-${nonces++}`, signal: AbortSignal.timeout(30_000) }) // biome-ignore format: one line
        if (code === undefined || code === 'tool_withheld') break
        await sleep(100)
      }
}

/** One caller: calls sequentially until the time is over. */
async function load(surface: Surface) {
  const count = counts.get(surface.name) ?? { calls: 0, outputs: 0, errors: 0, left: 0, faults: 0 }
  counts.set(surface.name, count)
  while (Date.now() < end) {
    const errand = pickErrand()
    const nonce = `Nonce-${nonces++}`
    const leaves = errand.isLeft && Math.random() < 0.5
    const signal = AbortSignal.timeout(leaves ? 100 : 60_000)
    count.calls++
    try {
      const answer = await surface.call({ tool: errand.tool, input: errand.input(nonce), nonce, signal })
      if (answer.code === undefined) count.outputs++
      else count.errors++
      const fault = findFault(errand, nonce, answer)
      if (fault) tell(fault)
    } catch (error) {
      if (leaves && signal.aborted) count.left++
      else tell(`no answer: ${error}`)
    }

    function tell(fault: string) {
      count.faults++
      report(`${surface.name}, ${errand.tool}`, fault)
    }
    // Yield to other work on the machine.
    await sleep(5)
  }
}

/** Repeated findings are only counted. */
function report(where: string, fault: string) {
  const kind = `${where}: ${fault.replace(/: .*/s, '')}`
  const { count, first } = faults.get(kind) ?? { count: 0, first: fault }
  faults.set(kind, { count: count + 1, first })
}

async function sample() {
  const pause = Math.min(5000, (minutes * 60_000) / 40)
  for (let told = Date.now(); Date.now() < end; await sleep(pause)) {
    for (const [subject, taken] of samples) taken.push(...(await take(subject)))
    if (Date.now() - told < 15_000) continue
    told = Date.now()
    const called = [...counts].map(
      ([name, { calls, faults }]) => `${name} ${calls}${faults ? ` (${faults} faults)` : ''}`,
    )
    const held = [...samples].map(([{ name }, taken]) => `${name} ${taken.at(-1)?.objects.toFixed(1)} MB`)
    console.log(`  ${[...called, ...held].join(' · ')}`)
  }
}

/** Undefined if it exited, which is reported at the end, or does not respond in time. */
async function take(subject: Subject): Promise<Sample[]> {
  try {
    const held = await subject.held()
    const calls = callsOf(subject)
    const memory = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(subject.pid)], { encoding: 'utf8' })) / 1024
    const handles = process.platform === 'linux' ? readdirSync(`/proc/${subject.pid}/fd`).length : Number.NaN
    return [{ ...held, calls, memory, handles }]
  } catch {
    return []
  }
}

function callsOf({ surfaces }: Subject): number {
  return surfaces.reduce((sum, { name }) => sum + counts.get(name)!.calls, 0)
}

async function finish(subject: Subject) {
  const { objects, code, memory, handles, perCall, wouldTell, faults: grown } = decideFlat(samples.get(subject)!)
  const { faults: closing, entries } = await subject.close()
  const calls = callsOf(subject)
  if (entries < calls) report(subject.name, `${entries} entries in the ledger of ${calls} calls`)
  const started = subject.pids()
  const living = started.filter(isAlive)
  for (const fault of [...grown, ...closing]) report(subject.name, fault)
  if (living.length > 0) report(subject.name, `${living.length} of its servers still run`)
  for (const pid of living) process.kill(pid, 'SIGKILL')
  const row = {
    'objects, MB': objects.map((size) => size.toFixed(2)).join(' → '),
    'bytes a call': `${perCall.toFixed(0)} (told from ${wouldTell.toFixed(0)})`,
    'code, MB': code.map((size) => size.toFixed(2)).join(' → '),
    'memory, MB': memory.map(Math.round).join(' → '),
    handles: handles.join(' → '),
    'servers started': started.length,
    'ledger entries': entries,
  }
  return [subject.name, row] as const
}
