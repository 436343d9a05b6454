import { openToolpact } from '../../src/app/app.ts'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'

// Runs the workflow `flow.NAME`, and kills itself at one point: before or after the storage keeps something of a step or call.

const [stateDirectory = '', folder = '', workspace = '', name = '', point = ''] = process.argv.slice(2)
const [when, what] = point.split(' ')

const die = () => process.kill(process.pid, 'SIGKILL')

/** Kills the process before, or after, a stored change that contains this text. */
async function at<Result>(kept: unknown, keep: () => Promise<Result>): Promise<Result> {
  const isPoint = JSON.stringify(kept).includes(what!)
  if (isPoint && when === 'before') die()
  const result = await keep()
  if (isPoint && when === 'after') die()
  return result
}

const storage = openSqliteStorage({ directory: stateDirectory })
const { ledger, runs } = storage
const toolpact = await openToolpact({
  ...{ contracts: [folder], toolsets: ['flow'], workspace },
  storage: {
    ...storage,
    ledger: {
      ...ledger,
      append: (record, options) => at(`${record.kind}:${record.tool}`, () => ledger.append(record, options)),
    },
    runs: {
      ...runs!,
      add: (run, now) => at('add', () => runs!.add(run, now)),
      change: (id, change, now) => at((change.steps ?? []).map(({ key, state }) => `${key}:${state}`), () => runs!.change(id, change, now)), // biome-ignore format: one line
    },
  },
})
await toolpact.call(`flow.${name}`, { text: 'a' })
await toolpact.close()
