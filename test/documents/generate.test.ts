import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { entries } from '../helpers/run-command.ts'
import { runShared } from '../helpers/shared-commands.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'toolpact-generate-'))
for (const part of ['package.json', 'toolpact.json', 'src', 'docs', 'schemas']) {
  cpSync(join(root, part), join(copy, part), { recursive: true })
}
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test('the contracts of this repository lint clean, and its generated files are up to date', async () => {
  const { code, stdout, stderr } = await run('check')
  const problems = stdout.split('\n').filter((line) => line.startsWith('problem'))
  expect({ code, stderr, problems }).toEqual({ code: 0, stderr: '', problems: [] })
  const { generated } = JSON.parse(read('toolpact.json'))
  for (const [path, format] of Object.entries(generated))
    expect(stdout).toContain(`ok       generated  ${path}: ${format}\n`)
})

test('check names every stale file and the command that mends it, and generating mends them all', async () => {
  const before = read('docs/errors.md')
  appendFileSync(join(copy, 'docs/errors.md'), 'By hand.\n')
  rmSync(join(copy, 'schemas/contract.schema.json'))
  const { code, stdout } = await run('check')
  expect(code).toBe(1)
  expect(stdout).toContain('docs/errors.md: It is stale. Run: toolpact export errors --out docs/errors.md')
  expect(stdout).toContain('schemas/contract.schema.json: It cannot be read. Run: toolpact export contract-schema')
  const [own] = JSON.parse(read('package.json')).scripts.generate.split(' && ')
  const [command, ...args] = own.split(' ')
  expect([command, args.shift()]).toEqual(['node', 'src/cli/toolpact.ts'])
  expect((await run(...args)).code).toBe(0)
  expect(read('docs/errors.md')).toBe(before)
  expect((await run('check')).code).toBe(0)
})

/** The command as it is bundled of the sources: `npm run check` runs the sources themselves. */
function run(...args: string[]) {
  const env = { ...process.env, TOOLPACT_STATE_DIR: join(copy, 'state') }
  return runShared(entries.commands, { args, cwd: copy, env, input: '' })
}

function read(path: string): string {
  return readFileSync(join(copy, path), 'utf8')
}
