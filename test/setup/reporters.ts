import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** The reporters of all test configurations. */
export const reporters = [
  'default',
  ...(process.env.GITHUB_ACTIONS ? ['github-actions'] : []),
  { onInit: (started) => (vitest = started), onTestRunEnd: listSkipped } satisfies Reporter,
]

let vitest: Vitest | undefined

/** Lists skipped tests. With TOOLPACT_FORBID_SKIPS they fail the run, unless they need data from outside the repository. */
function listSkipped(modules: readonly TestModule[]): void {
  // `-t` marks all other tests as skipped.
  if (vitest?.config.testNamePattern) return
  const skipped = modules.flatMap((module) =>
    [...module.children.allTests('skipped')].map((test) => `${module.relativeModuleId} > ${test.fullName}`),
  )
  for (const name of skipped) console.log(`skipped: ${name}`)
  const forbidden = skipped.filter((name) => !name.includes('(needs ../shared/'))
  if (!process.env.TOOLPACT_FORBID_SKIPS || forbidden.length === 0) return
  console.error(`Skipped, although TOOLPACT_FORBID_SKIPS is set (install what they need):\n${forbidden.join('\n')}`)
  process.exitCode = 1
}
