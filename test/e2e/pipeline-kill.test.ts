import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { toCalls } from '../../src/runtime/storage/calls.ts'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'
import { entries } from '../helpers/run-command.ts'

const kills = 10

test('a process killed in the middle of its calls loses nothing that it acknowledged', async () => {
  const state = makeFolder()
  const folder = makeFolder()
  const acknowledged: string[] = []
  for (let kill = 0; kill < kills; kill++) acknowledged.push(...(await callUntilKilled(state, folder)))

  const { ledger, close } = openSqliteStorage({ directory: state })
  onTestFinished(close)
  expect(await ledger.verify()).toMatchObject({ intact: true })
  const entries = await ledger.read()
  const calls = new Map(toCalls(entries).map((call) => [call.callId, call]))
  const intents = new Set(entries.filter(({ record }) => record.kind === 'intent').map(({ record }) => record.callId))

  expect(acknowledged.length).toBeGreaterThan(500)
  expect(acknowledged.filter((line) => line.endsWith('kill.write')).length).toBeGreaterThan(50)
  const lost = acknowledged
    .map((line) => line.split(' ')[0]!)
    .filter((callId) => calls.get(callId)?.state !== 'succeeded')
  expect(lost).toEqual([])

  const effects = readFileSync(join(folder, 'effects.txt'), 'utf8').trim().split('\n')
  expect(effects.filter((callId) => !intents.has(callId))).toEqual([])

  // Killed with 32 calls in flight, some had begun and not ended; they are the ones without an outcome.
  const interrupted = [...calls.values()].filter((call) => call.state === 'interrupted')
  expect(interrupted.length).toBeGreaterThan(0)
  expect(interrupted.length).toBeLessThanOrEqual(32 * kills)
})

/** Gives the calls that were acknowledged, in whole lines. */
async function callUntilKilled(state: string, folder: string): Promise<string[]> {
  const child = spawn(process.execPath, [entries.pipelineKill, state, folder], { stdio: ['ignore', 'pipe', 'pipe'] })
  const errors = text(child.stderr)
  let printed = ''
  // Each line has an id and a name: between 30 and 200 calls.
  const enough = (30 + Math.random() * 170) * 48
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk
    if (printed.length > enough) child.kill('SIGKILL')
  })
  const [code, signal] = await once(child, 'close')
  expect({ code, signal, errors: await errors }).toMatchObject({ code: null, signal: 'SIGKILL' })
  return printed.split('\n').slice(0, -1)
}
