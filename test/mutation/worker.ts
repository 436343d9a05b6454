/**
 * Runs tests in one Vitest again and again, so that only the changed file is read anew. `run.ts` starts it in a copy of the
 * repository, sends what to run, and gets back whether it passed.
 */
import { resolve } from 'node:path'
import { createVitest } from 'vitest/node'

export interface Order {
  /** The file that changed since the last run. */
  readonly file: string
  readonly tests: readonly string[]
}

const vitest = await createVitest('test', { watch: false, maxWorkers: 1, reporters: [{}] })
process.on('message', async ({ file, tests }: Order) => {
  vitest.invalidateFile(resolve(file))
  const chosen = await vitest.globTestSpecifications([...tests])
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen, true)
  process.send!(unhandledErrors.length === 0 && testModules.every((module) => module.ok()))
})
process.send!('ready')
