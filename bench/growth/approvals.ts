import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import type { ApprovalQuestion } from '../../src/runtime/storage/storage.ts'
import type { Table } from '../table.ts'
import { measureSizes } from './measure-sizes.ts'

/** The queue takes 10,000, and the measurement adds some. */
const sizes = [1, 100, 9990]
const callers = 20
const start = Date.parse('2026-01-01T00:00:00Z')
const yearMs = 31_536_000_000
/** What has ended is remembered for an hour. */
const hoursMs = 7_200_000

/** Pending questions in the queue, in SQLite. */
export async function measureApprovals(root: string): Promise<Table> {
  const opened: { readonly close: () => Promise<void> }[] = []
  const sized = await Promise.all(
    sizes.map(async (size) => {
      const storage = openSqliteStorage({ directory: join(root, `approvals-${size}`) })
      opened.push(storage)
      const { approvals } = storage
      let now = start
      for (let index = 0; index < size; index++) await approvals.request(toQuestion(index), now)
      const ask = async () => {
        const question = toQuestion(size + Math.floor(Math.random() * callers))
        const exceeded = await approvals.request(question, now)
        if (exceeded) throw new Error(`The queue is full: ${JSON.stringify(exceeded)}`)
        return question.id
      }
      const asked = await ask()
      return {
        size,
        operations: [
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
        ],
      }
    }),
  )
  try {
    const operations = [
      { name: 'ask' },
      { name: 'show' },
      { name: 'ask and answer' },
      { name: 'list all', isLinear: true },
    ]
    return await measureSizes(
      {
        title: 'Questions that wait for an answer (aim: flat; linear for the list)',
        unit: 'questions',
        operations,
        rounds: 10,
      },
      sized,
    )
  } finally {
    for (const storage of opened) await storage.close()
  }
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
