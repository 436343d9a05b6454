import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import type { ApprovalQuestion, Storage } from '../../src/runtime/storage/storage.ts'
import { hasPostgres, openPostgresCluster } from '../../test/helpers/postgres-cluster.ts'
import type { Table } from '../table.ts'
import { measureSizes } from './measure-sizes.ts'

/** The queue takes 10,000, and the measurement adds some. */
const sizes = [1, 100, 9990]
const callers = 20
const atOnce = 100
const start = Date.parse('2026-01-01T00:00:00Z')
const yearMs = 31_536_000_000
/** What has ended is remembered for an hour. */
const hoursMs = 7_200_000

/** Pending questions in the queue, in SQLite, and in Postgres where it is installed. */
export async function* measureApprovals(root: string): AsyncGenerator<Table> {
  yield await measureQueues('SQLite', async (size) => {
    const storage = openSqliteStorage({ directory: join(root, `approvals-${size}`) })
    for (let from = 0; from < size; from += atOnce)
      await Promise.all(Array.from({ length: Math.min(atOnce, size - from) }, (_, index) => storage.approvals.request(toQuestion(from + index), start))) // biome-ignore format: one line
    return storage
  })
  if (!hasPostgres) return
  const cluster = await openPostgresCluster()
  try {
    yield await measureQueues('Postgres', async (size) => {
      const tenant = `queue-${size}`
      const storage = await openPostgresStorage({ url: cluster.url, tenant, clock: 'caller' })
      await storage.approvals.request(toQuestion(0), start)
      cluster.psql(toCopies(tenant, size - 1))
      return storage
    })
  } finally {
    cluster.remove()
  }
}

/** Copies the only question of a tenant this often. Asking each one takes minutes, because they wait for each other. */
function toCopies(tenant: string, count: number): string {
  const same = 'tenant, tool, contract_digest, workspace, policy_digest, preview_digest, asked_at, expires_at, answer_ms, people_needed, waits_until, summary, bytes' // biome-ignore format: one line
  return `INSERT INTO toolpact.questions (${same}, id, input_digest, caller, turn)
    SELECT ${same}, id || n, input_digest || n, 'caller-' || n % ${callers}, turn
    FROM toolpact.questions, generate_series(1, ${count}) AS n WHERE tenant = '${tenant}'`
}

async function measureQueues(engine: string, open: (size: number) => Promise<Storage>): Promise<Table> {
  const opened: Storage[] = []
  try {
    const sized = []
    for (const size of sizes) {
      const storage = await open(size)
      opened.push(storage)
      sized.push({ size, operations: await toOperations(storage, size) })
    }
    return await measureSizes(
      {
        title: `Questions that wait for an answer, in ${engine} (aim: flat; linear for the list)`,
        unit: 'questions',
        operations: [
          { name: 'ask' },
          { name: 'show' },
          { name: 'ask and answer' },
          { name: 'list all', isLinear: true },
        ],
        rounds: 10,
      },
      sized,
    )
  } finally {
    for (const storage of opened) await storage.close()
  }
}

async function toOperations({ approvals }: Storage, size: number) {
  let now = start
  const ask = async () => {
    const question = toQuestion(size + Math.floor(Math.random() * callers))
    const exceeded = await approvals.request(question, now)
    if (exceeded) throw new Error(`The queue is full: ${JSON.stringify(exceeded)}`)
    return question.id
  }
  const asked = await ask()
  return [
    async () => {
      const id = await ask()
      return async () => {
        await approvals.withdraw(id, now)
        now += hoursMs
      }
    },
    async () => {
      if (!(await approvals.details(asked, now))) throw new Error('The question is gone.')
    },
    async () => {
      const answered = await ask()
      await approvals.answer(answered, { answer: 'no', by: 'grace' }, now)
      return () => {
        now += hoursMs
      }
    },
    async () => {
      const listed = await approvals.questions(now)
      if (listed.length < size) throw new Error(`Only ${listed.length} questions are listed.`)
    },
  ]
}

function toQuestion(index: number): ApprovalQuestion {
  const id = randomUUID()
  return {
    id,
    tool: 'workspace.create_file',
    contractDigest: 'sha256:c',
    inputDigest: `sha256:${id}`,
    caller: `caller-${index % callers}`,
    workspace: '/home/ada/project',
    policyDigest: 'sha256:p',
    previewDigest: '',
    askedAt: start,
    expiresAt: start + 10 * yearMs,
    summary: { title: `Create notes-${index}.md` },
    details: { path: `notes-${index}.md`, content: 'x'.repeat(200) },
  }
}
