import { type ChildProcess, fork } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { cases } from '../data/hostile-schemas.ts'
import { entries } from '../helpers/run-command.ts'

/** Generous: the slowest takes three seconds, and much longer under load. */
const patience = 120_000

let child: ChildProcess | undefined

afterAll(() => {
  child?.kill('SIGKILL')
})

test.each(Object.entries(cases))('%s', async (name, { outcome }) => {
  const answer = await ask(name)
  expect(outcome.split(' or ')).toContain(outcome.includes(' or ') ? answer.replace(/:.*/, '') : answer)
})

async function ask(name: string): Promise<string> {
  child ??= fork(entries.hostileSchemas, { execArgv: [] })
  const running = child
  const timer = setTimeout(() => running.kill('SIGKILL'), patience)
  try {
    return await new Promise((resolve) => {
      running.removeAllListeners()
      running.once('message', (answer) => resolve(String(answer)))
      running.once('exit', () => {
        child = undefined
        resolve('ended: it hung or crashed')
      })
      running.send(name)
    })
  } finally {
    clearTimeout(timer)
  }
}
