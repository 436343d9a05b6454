import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findBrokenLinks } from './document-checks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'toolpact-repository-'))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (path: string) => readFileSync(join(root, path), 'utf8')

function runScript(name: string, args: readonly string[], cwd: string) {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', name), ...args], {
    cwd,
    encoding: 'utf8',
  })
  return { status, stderr }
}

describe('workflows', () => {
  interface Job {
    readonly needs?: string
    readonly uses?: string
    readonly permissions?: Record<string, string>
    readonly steps?: readonly Record<string, unknown>[]
  }
  const names = readdirSync(join(root, '.github/workflows'))
  const workflows: Record<string, { permissions: unknown; jobs: Record<string, Job> }> = Object.fromEntries(
    names.map((name) => [name, parse(read(`.github/workflows/${name}`))]),
  )
  const ci = workflows['ci.yml']!.jobs
  const release = workflows['release.yml']!.jobs
  const commandsOf = (job?: Job) => job?.steps?.flatMap(({ run }) => (typeof run === 'string' ? [run] : [])) ?? []

  test('CI runs .ci/run, and fails where a test is skipped', () => {
    expect(commandsOf(ci.complete).at(-1)).toMatch(/^sudo env .* TOOLPACT_FORBID_SKIPS=1 \.ci\/run$/)
    const conditions = Object.values(ci).flatMap((job) => [job, ...(job.steps ?? [])].flatMap(Object.keys))
    expect(conditions.filter((key) => ['if', 'continue-on-error'].includes(key))).toEqual([])
  })

  test('conformance is a job of its own', () => {
    expect(commandsOf(ci.conformance)).toEqual(['npm ci', 'npm run conformance'])
  })

  test('a release is published with provenance, after its changelog and everything in CI passed', () => {
    expect(commandsOf(release.changelog)).toEqual(['node scripts/check-release.ts "$GITHUB_REF_NAME"'])
    expect(release.ci).toEqual({ needs: 'changelog', uses: './.github/workflows/ci.yml' })
    expect(release.publish?.needs).toBe('ci')
    expect(commandsOf(release.publish).at(-1)).toBe('npm publish --provenance --access public')
  })

  test('jobs only read, except for the identity that publishes', () => {
    for (const { permissions } of Object.values(workflows)) expect(permissions).toEqual({ contents: 'read' })
    const jobs = Object.values(workflows).flatMap((workflow) => Object.entries(workflow.jobs))
    const wider = jobs.filter(([, { permissions }]) => permissions)
    expect(wider).toEqual([
      ['publish', expect.objectContaining({ permissions: { contents: 'read', 'id-token': 'write' } })],
    ])
  })

  test.each(names)('%s pins every action to a commit, and names its version', (name) => {
    const actions = [...read(`.github/workflows/${name}`).matchAll(/uses: (?!\.\/)(.+)/g)].map(([, action]) => action)
    expect(actions).not.toEqual([])
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })
})

test.each(readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml'))(
  'the issue template %s is a form that GitHub accepts',
  (name) => {
    const { body, ...form } = parse(read(`.github/ISSUE_TEMPLATE/${name}`))
    expect(form).toEqual({ name: expect.any(String), description: expect.any(String), labels: [expect.any(String)] })
    const fields = body.filter(({ type }: { type: string }) => type !== 'markdown')
    const ids = fields.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([...new Set(ids)])
    for (const { type, attributes } of fields) {
      expect(['input', 'textarea', 'dropdown']).toContain(type)
      expect(attributes.label).toEqual(expect.any(String))
    }
  },
)

test('dependencies have exact versions, and the lock file has no download addresses', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
  const versions = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(versions.filter(([, version]) => !/^(?:npm:.+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
  const locked = Object.entries<{ resolved?: string }>(JSON.parse(read('package-lock.json')).packages)
  expect(locked.filter(([, { resolved }]) => resolved?.includes('://'))).toEqual([])
})

describe('the index of decisions', () => {
  const write = (name: string, text: string) => writeFileSync(join(folder, 'decisions', name), text)

  test('lists every record', () => {
    expect(runScript('write-decisions.ts', ['--check'], root)).toEqual({ status: 0, stderr: '' })
    const page = read('docs/decisions/README.md')
    const { links, broken } = findBrokenLinks(page, new URL('../../docs/decisions/README.md', import.meta.url))
    expect(broken).toEqual([])
    expect(links).toBeGreaterThanOrEqual(readdirSync(join(root, 'docs/decisions')).length - 1)
  })

  test('gives the status of records, and is out of date when they change', () => {
    mkdirSync(join(folder, 'decisions'))
    write('0001-first.md', '# 0001: First\n\n**Status.** Superseded by 0002.\n')
    write('0002-second.md', '# 0002 Second\n\nReasons.\n')
    expect(runScript('write-decisions.ts', ['decisions'], folder)).toEqual({ status: 0, stderr: '' })
    expect(readFileSync(join(folder, 'decisions/README.md'), 'utf8')).toContain(`
| [0001](0001-first.md) | First | superseded by [0002](0002-second.md) |
| [0002](0002-second.md) | Second | accepted |
`)
    write('0003-third.md', '# 0003: Third\n')
    const check = () => runScript('write-decisions.ts', ['--check', 'decisions'], folder)
    expect(check()).toEqual({ status: 1, stderr: expect.stringContaining('Run npm run generate') })
    write('0003-third.md', '# 0003: Third\n\n**Status.** Superseded by 0009.\n')
    expect(check().stderr).toContain('write "**Status.** Superseded by NUMBER."')
    write('0003-third.md', '# Third\n')
    expect(check().stderr).toContain('the first line must be "# 0003: TITLE"')
    write('0003-third.md', '# 0003: Third\n')
    write('0003-again.md', '# 0003: Again\n')
    expect(check().stderr).toContain('another record has the number 0003')
  })
})

test.each([
  ['v1.2.0', '## Unreleased\n\n## 1.2.0 (2026-11-17)\n\n- A change.\n', ''],
  ['v1.2.0', '## 1.2.0\n\n- A change.\n', ''],
  ['v1.3.0', '## 1.2.0\n\n- A change.\n', 'package.json has version 1.2.0'],
  ['v1.2.0', '## Unreleased\n\n- A change.\n', 'no changes under "## 1.2.0"'],
  ['v1.2.0', '## Unreleased\n\n- A change.\n\n## 1.2.0\n\n- Another.\n', 'still has changes under "## Unreleased"'],
])('the check of the release %s with the changelog %j reports %j', (tag, changelog, problem) => {
  writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.0" }')
  writeFileSync(join(folder, 'CHANGELOG.md'), `# Changes\n\n${changelog}`)
  const { status, stderr } = runScript('check-release.ts', [tag], folder)
  expect(stderr).toContain(problem)
  expect(status).toBe(problem === '' ? 0 : 1)
})

test('a skipped test is named and fails a run that forbids it, and a retried one is named with its error', () => {
  // Below the repository, so that vitest is found.
  const directory = mkdtempSync(join(root, 'node_modules/.skipped-'))
  try {
    const tests = [
      "let attempts = 0; test('runs', () => { if (process.env.CI && attempts++ === 0) throw new Error('stalled') })",
      "test.skip('waits', () => {})",
      "test.skip('reads (needs ../shared/data)', () => {})",
    ]
    writeFileSync(join(directory, 'one.test.ts'), `import { test } from 'vitest'\n${tests.join('\n')}\n`)
    const shared = JSON.stringify(join(root, 'test/setup/shared-config.ts'))
    const test = "{ ...sharedConfig, globalSetup: [], include: ['*.test.ts'], exclude: [] }"
    writeFileSync(
      join(directory, 'vitest.config.ts'),
      `import { sharedConfig } from ${shared}\nexport default { test: ${test} }\n`,
    )
    const run = (forbid: string, ...args: string[]) =>
      spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
        cwd: directory,
        encoding: 'utf8',
        env: { ...process.env, CI: forbid, TOOLPACT_FORBID_SKIPS: forbid },
      })
    expect(run('')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^skipped: one\.test\.ts > waits\nskipped: one\.test\.ts > reads /m),
    })
    expect(run('1')).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^retried: one\.test\.ts > runs\n {2}Error: stalled\n/m),
      stderr: expect.stringMatching(/\(install what they need\):\n.* > waits\n$/),
    })
    const chosen = run('1', '-t', 'runs')
    expect(chosen).toMatchObject({ status: 0, stdout: expect.not.stringContaining('skipped: ') })
  } finally {
    rmSync(directory, { recursive: true })
  }
})
