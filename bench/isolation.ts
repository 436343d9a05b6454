import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openToolpact } from '../src/app/app.ts'
import type { ConfigSource } from '../src/app/config/config.ts'
import { probe } from '../src/capabilities/sandbox/probe.ts'
import { compare } from './compare.ts'
import { decideAim, toNoise } from './noise.ts'
import { quantile, toTime } from './print-table.ts'
import { inQuietRounds, takeTurns } from './quiet-rounds.ts'
import type { About, Table } from './table.ts'

export const about: About = {
  compares: 'The same MCP server unconfined and in the sandbox: its start, its calls and its memory.',
}

const server = fileURLToPath(new URL('../test/upstream-servers/prying.cjs', import.meta.url))
const ways = [
  { name: 'unconfined', entry: { isolation: 'off' } },
  // Shows how much of a difference is chance.
  { name: 'unconfined, once more', entry: { isolation: 'off' } },
  { name: 'confined, no network', entry: { isolation: 'required', network: 'none' } },
  { name: 'confined, one host', entry: { isolation: 'required', network: ['api.example'] } },
] as const

export async function* bench(): AsyncGenerator<Table> {
  if ('reason' in (await probe())) return
  const stateDirectory = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  const open = (entry: object) =>
    openToolpact({
      storage: 'memory',
      stateDirectory,
      config: { mcpServers: { odd: { command: process.execPath, args: [server], approval: 'never', ...entry } } } as ConfigSource, // biome-ignore format: one line
    })
  try {
    yield await measureStarts(open)
    const opened = await Promise.all(ways.map(({ entry }) => open(entry)))
    const call = async (toolpact: (typeof opened)[number]) => {
      const result = await toolpact.call('odd.exists', { path: '/' })
      if (!result.success) throw new Error(result.error.message)
    }
    // Their servers are started by the first call.
    const memory: number[] = []
    for (const toolpact of opened) {
      const before = measureChildren()
      await call(toolpact)
      memory.push(measureChildren() - before)
    }
    yield await compare(
      'A call of a tool of the server, one after the other',
      ways.map(({ name }, index) => ({
        name,
        run: () => call(opened[index]!),
        memory: () => memory[index]!,
        ...(name.startsWith('confined') && { aim: 1.03 }),
      })),
      { rounds: 1000, samples: 5, repeat: 10, processor: true },
    )
    await Promise.all(opened.map((toolpact) => toolpact.close()))
  } finally {
    rmSync(stateDirectory, { recursive: true, force: true })
  }
}

/** From opening to the list of tools. */
async function measureStarts(open: (entry: object) => ReturnType<typeof openToolpact>): Promise<Table> {
  const run = (number: number) =>
    takeTurns(ways, number, async ({ entry }) => {
      const toolpact = await open(entry)
      const start = performance.now()
      const [status] = await toolpact.upstreams.statuses()
      const took = performance.now() - start
      await toolpact.close()
      if (status?.state !== 'ready') throw new Error(status?.fault)
      return took
    })
  await run(0)
  const { rounds, ...left } = await inQuietRounds(20, run)
  const times = ways.map((_, index) => rounds.map((round) => round[index]!))
  const [base] = times as [number[], ...number[][]]
  const more = times.map((own) => own.map((took, round) => took - base[round]!))
  const noise = toNoise(base)
  return {
    title: 'Starting the server, until its tools are listed',
    heading: ['', 'p50', 'p90', 'more than unconfined'],
    rows: ways.map(({ name }, index) => [
      name,
      toTime(quantile(times[index]!, 0.5)),
      toTime(quantile(times[index]!, 0.9)),
      index === 0 ? '' : toTime(quantile(more[index]!, 0.5)),
    ]),
    noise,
    left,
    notes: ways.flatMap(({ name }, index) =>
      name.startsWith('confined')
        ? [decideAim({ what: `${name}, a start longer by`, most: 100, unit: ' ms' }, more[index]!)]
        : [],
    ),
  }
}

/** Resident memory of all processes below this one, in bytes. */
function measureChildren(): number {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n')
  const rows = table.map((line) => line.trim().split(/\s+/).map(Number) as [number, number, number])
  const pids = [process.pid]
  for (const parent of pids) pids.push(...rows.filter(([, above]) => above === parent).map(([pid]) => pid))
  return rows
    .filter(([pid]) => pid !== process.pid && pids.includes(pid))
    .reduce((sum, [, , rss]) => sum + rss * 1024, 0)
}
