import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** What all test configurations have in common. */
export const sharedConfig = {
  globalSetup: ['test/setup/bundle-programs.ts'],
  // In CI a failed test runs once more after a moment: tests wait for real processes, and a busy machine may stall one of them.
  retry: process.env.CI ? { count: 1, delay: 1000 } : 0,
  // The default of a second is too short for a busy machine.
  expect: { poll: { timeout: 60_000 } },
  reporters: [
    'default',
    ...(process.env.GITHUB_ACTIONS ? ['github-actions'] : []),
    { onInit: (started) => (vitest = started), onTestRunEnd: listExceptions } satisfies Reporter,
  ],
}

let vitest: Vitest | undefined

/**
 * Lists tests that passed only when retried, with what failed first, and skipped tests. With TOOLPACT_FORBID_SKIPS skipped
 * tests fail the run, unless they need data from outside the repository.
 */
function listExceptions(modules: readonly TestModule[]): void {
  const tests = modules.flatMap((module) =>
    [...module.children.allTests()].map((test) => ({ test, name: `${module.relativeModuleId} > ${test.fullName}` })),
  )
  for (const { test, name } of tests) {
    if (test.diagnostic()?.flaky)
      console.log(`retried: ${name}\n${(test.result().errors ?? []).map(toText).join('\n')}`)
  }
  // `-t` marks all other tests as skipped.
  if (vitest?.config.testNamePattern) return
  const skipped = tests.filter(({ test }) => test.result().state === 'skipped').map(({ name }) => name)
  for (const name of skipped) console.log(`skipped: ${name}`)
  const forbidden = skipped.filter((name) => !name.includes('(needs ../shared/'))
  if (!process.env.TOOLPACT_FORBID_SKIPS || forbidden.length === 0) return
  console.error(`Skipped, although TOOLPACT_FORBID_SKIPS is set (install what they need):\n${forbidden.join('\n')}`)
  process.exitCode = 1
}

const toText = ({ stack, message }: { stack?: string; message: string }) => (stack ?? message).replace(/^/gm, '  ')
