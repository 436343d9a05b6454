/**
 * Reuses one Vitest instance for many runs, so that only the changed file is reloaded. `run.ts` starts it in a copy of the
 * repository, sends the tests to run, and receives whether they passed.
 */
import { resolve } from 'node:path'
import { createVitest } from 'vitest/node'

export interface Order {
  /** The file changed since the last run. */
  readonly file: string
  readonly tests: readonly string[]
}

const config = 'test/mutation/vitest.config.ts'
const vitest = await createVitest('test', { config, watch: false, maxWorkers: 1, reporters: [{}] })
process.on('message', async ({ file, tests }: Order) => {
  vitest.invalidateFile(resolve(file))
  const chosen = await vitest.globTestSpecifications([...tests])
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen, true)
  process.send!(unhandledErrors.length === 0 && testModules.every((module) => module.ok()))
})
process.send!('ready')
