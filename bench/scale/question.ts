import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { PostgresCluster } from '../../test/helpers/postgres-cluster.ts'
import { decideAim } from '../noise.ts'
import { quantile, toTime } from '../print-table.ts'
import { nextId, stop, toHeaders, toMessage, toRequestHeaders } from '../serve/contender.ts'
import { openHttp } from '../serve/http-client.ts'
import { openStates, startHttp } from '../serve/start-toolpact.ts'
import type { Table } from '../table.ts'

const command = fileURLToPath(new URL('../../dist/cli/toolpact.js', import.meta.url))
const questions = 60
const revision = '2026-07-28'

/** A call waits at one replica for a person, who answers at another one. */
export async function measureQuestion(cluster: PostgresCluster): Promise<Table> {
  const states = openStates()
  const workspace = states.make().TOOLPACT_STATE_DIR
  const config = join(workspace, 'toolpact.json')
  writeFileSync(config, JSON.stringify({ toolsets: ['workspace'], approvers: [{ who: ['grace'] }], approval: { waitMs: 30_000 } })) // biome-ignore format: one line
  const tenant = { TOOLPACT_POSTGRES: cluster.url, TOOLPACT_TENANT: 'questions' }
  const start = () => startHttp({ ...states.make(), ...tenant }, ['--config', config, '--workspace', workspace])
  const [a, b] = [await start(), await start()]
  try {
    const env = { ...process.env, ...states.make(), ...tenant }
    const grace = execFileSync(process.execPath, [command, 'token', 'create', 'grace'], {
      env,
      encoding: 'utf8',
    }).trim()
    const asking = await openHttp(a.address.url, toHeaders(a.address, ''))
    const times: number[] = []
    for (let number = 0; number < questions; number++) {
      const input = { path: `made-${number}.txt`, content: 'x' }
      const message = toMessage(revision, 'tools/call', { name: 'create_file', arguments: input })(nextId())
      const result = asking.send(message, toRequestHeaders(revision, 'tools/call', 'create_file'))
      const id = await findQuestion()
      const start = performance.now()
      const url = new URL(`/v1/approvals/${id}`, b.address.url)
      const answered = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${grace}`, 'content-type': 'application/json' }, body: '{"answer":"yes"}' }) // biome-ignore format: one line
      if (!answered.ok) throw new Error(`The answer was refused: ${await answered.text()}`)
      const text = await result
      times.push(performance.now() - start)
      if (!text.includes(`made-${number}.txt`)) throw new Error(`The call ended with: ${text.slice(0, 500)}`)
    }
    asking.close()
    return {
      title: 'A question asked at one replica and answered at another, until the call has ended',
      heading: ['', 'p50', 'p90', 'p99'],
      rows: [['from the answer to the result', ...[0.5, 0.9, 0.99].map((share) => toTime(quantile(times, share)))]],
      notes: [decideAim({ what: 'from the answer to the result', most: 50, unit: ' ms' }, times)],
    }
  } finally {
    await Promise.all([a, b].map(({ child }) => stop(child)))
    states.remove()
  }

  async function findQuestion(): Promise<string> {
    for (let tries = 0; tries < 500; tries++) {
      const id = cluster.psql("SELECT id FROM toolpact.questions WHERE tenant = 'questions' AND answer IS NULL AND NOT is_over") // biome-ignore format: one line
      if (id) return id
      await sleep(10)
    }
    throw new Error('No question was asked.')
  }
}
