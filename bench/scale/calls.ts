import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresCluster } from '../../test/helpers/postgres-cluster.ts'
import { isNoisy, toNoise } from '../noise.ts'
import { quantile } from '../print-table.ts'
import { memoryOf, readPostmaster } from '../processors.ts'
import { type Contender, stop, toHttpContender } from '../serve/contender.ts'
import { runLoad } from '../serve/measure.ts'
import { openStates, startHttp } from '../serve/start-toolpact.ts'
import type { Table } from '../table.ts'
import type { MeasuredCalls } from './measured.ts'
import { measureRounds, toRoundsTable } from './rounds.ts'

const load = { callers: 64, calls: 2400 }
const rounds = 8
/** Replicas order and count new entries after a second. */
const upkeepMs = 1300

/** `tools/call` at servers on SQLite, and at one, two and three replicas on one Postgres. */
export async function measureCalls(cluster: PostgresCluster): Promise<{ table: Table; calls: MeasuredCalls[] }> {
  const states = openStates()
  const postmaster = readPostmaster(cluster.directory)
  const start = async (env: NodeJS.ProcessEnv, fsync: 'writes' | 'all' = 'writes') => {
    const config = join(states.make().TOOLPACT_STATE_DIR, 'toolpact.json')
    writeFileSync(config, JSON.stringify({ toolsets: ['learning'], ledger: { fsync } }))
    const { child, address } = await startHttp({ ...states.make(), ...env }, ['--config', config])
    return toHttpContender('', child, address, '2026-07-28')
  }
  const onPostgres = { TOOLPACT_POSTGRES: cluster.url }
  const [plain, durable] = [await start({}), await start({}, 'all')]
  const replicas = [await start(onPostgres), await start(onPostgres), await start(onPostgres)]
  const counter = createWorkCounter(cluster)
  const work = replicas.map(() => ({ operations: 0, commits: 0, walBytes: 0 }))
  const toContender = (name: string, servers: readonly Contender[]) => ({
    name,
    servers: servers.map(({ child }) => child.pid!),
    run: async () => (await runLoad(spread(servers), load)).latencies.length,
    memory: () => Math.max(...servers.map(({ child }) => memoryOf(child.pid!))),
  })
  try {
    const contenders = [
      toContender('SQLite, one server', [plain]),
      toContender('SQLite, one server, every record fsynced', [durable]),
      ...replicas.map((_, index) => ({
        ...toContender(`Postgres, ${index + 1} replica${index ? 's' : ''}`, replicas.slice(0, index + 1)),
        settle: () => sleep(upkeepMs),
        onRound: (operations: number) => counter.count(work[index]!, operations),
      })),
    ]
    const found = await measureRounds(contenders, { rounds, postmaster })
    const noise = toNoise(found[0]!.perSecond)
    const calls = replicas.map((_, index): MeasuredCalls => {
      const { perSecond, client, servers, postgres, others } = found[index + 2]!
      const { operations, commits, walBytes } = work[index]!
      return {
        ...{ replicas: index + 1, perSecond: quantile(perSecond, 0.5), client, server: servers, postgres, others },
        commitsPerCall: commits / operations,
        walBytesPerCall: walBytes / operations,
        memoryMb: memoryOf(replicas[index]!.child.pid!),
      }
    })
    const notes = [
      'The servers, Postgres and the load share the two processors of this machine: what replicas add is seen in the processor time of a call, not in calls per second.',
      ...calls.map(({ replicas, commitsPerCall }) => `${replicas} on Postgres: ${(2 / commitsPerCall).toFixed(1)} rows in a commit.`),
    ] // biome-ignore format: one line
    const title = `tools/call over HTTP, ${load.callers} at once, by engine and number of replicas`
    const table = toRoundsTable({ title, unit: 'calls', notes }, contenders, found)
    return { table: isNoisy(noise) ? { ...table, noise } : table, calls }
  } finally {
    await Promise.all([plain, durable, ...replicas].map(({ child }) => stop(child)))
    states.remove()
  }
}

/** What Postgres did for some operations. */
interface Work {
  operations: number
  commits: number
  walBytes: number
}

/** Counts commits that added entries, and bytes of the log, since it last did so. */
export function createWorkCounter(cluster: PostgresCluster) {
  let [transaction, bytes] = read()
  return {
    count(work: Work, operations: number) {
      const last = [transaction, bytes] as const
      const commits = Number(cluster.psql(`SELECT count(DISTINCT xmin::text) FROM toolpact.ledger WHERE xmin::text::bigint >= ${last[0]}`)) // biome-ignore format: one line
      ;[transaction, bytes] = read()
      work.operations += operations
      work.commits += commits
      work.walBytes += bytes - last[1]
    },
  }

  function read(): [number, number] {
    const [next, position] = cluster.psql("SELECT txid_snapshot_xmax(txid_current_snapshot()), pg_current_wal_insert_lsn() - '0/0'").split('|') // biome-ignore format: one line
    return [Number(next), Number(position)]
  }
}

/** Callers in turn at each server. */
function spread(servers: readonly Contender[]): Pick<Contender, 'open'> {
  return {
    async open(callers) {
      const opened = await Promise.all(servers.map(({ open }) => open(Math.ceil(callers / servers.length))))
      return {
        calls: opened.flatMap(({ calls }) => calls),
        close() {
          for (const { close } of opened) close()
        },
      }
    },
  }
}
