import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'toolpact-generate-'))
for (const part of ['package.json', 'toolpact.json', 'src', 'docs', 'schemas']) {
  cpSync(join(root, part), join(copy, part), { recursive: true })
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test('the contracts of this repository lint clean, and its generated files are up to date', () => {
  const { status, stdout, stderr } = run('check')
  const problems = stdout.split('\n').filter((line) => line.startsWith('problem'))
  expect({ status, stderr, problems }).toEqual({ status: 0, stderr: '', problems: [] })
  const { generated } = JSON.parse(read('toolpact.json'))
  for (const [path, format] of Object.entries(generated))
    expect(stdout).toContain(`ok       generated  ${path}: ${format}\n`)
})

test('check names every stale file and the command that mends it, and generating mends them all', () => {
  const before = read('docs/errors.md')
  appendFileSync(join(copy, 'docs/errors.md'), 'By hand.\n')
  rmSync(join(copy, 'schemas/contract.schema.json'))
  const { status, stdout } = run('check')
  expect(status).toBe(1)
  expect(stdout).toContain('docs/errors.md: It is stale. Run: toolpact export errors --out docs/errors.md')
  expect(stdout).toContain('schemas/contract.schema.json: It cannot be read. Run: toolpact export contract-schema')
  const [command, ...args] = JSON.parse(read('package.json')).scripts.generate.split(' ')
  expect([command, args.shift()]).toEqual(['node', 'src/cli/toolpact.ts'])
  expect(run(...args).status).toBe(0)
  expect(read('docs/errors.md')).toBe(before)
  expect(run('check').status).toBe(0)
})

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(copy, 'src/cli/toolpact.ts'), ...args], {
    cwd: copy,
    env: { ...process.env, TOOLPACT_STATE_DIR: join(copy, 'state') },
    encoding: 'utf8',
    timeout: 50_000,
  })
  return { status, stdout, stderr }
}

function read(path: string): string {
  return readFileSync(join(copy, path), 'utf8')
}
