import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openCommandFolder } from '../helpers/run-command.ts'

const { folder, run, close } = openCommandFolder()
afterAll(close)
// Once: the tests run at the same time, and a file that is being written is empty for a moment.
write('empty.json', {})

test.concurrent('without a config the contracts are checked', async () => {
  const { code, stdout, stderr } = await run(['check', '--workspace', place('plain')])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('ok       config     toolpact.json: none\n')
  expect(stdout).toContain('ok       contracts  learning: 3 contracts\n')
})

test.concurrent('a contract that does not lint is a problem, with its rule, its place and what to do', async () => {
  const { code, stdout } = await run(['check', '--json', '--workspace', place('odd')], { entry: 'odd' })
  const { ok, results } = JSON.parse(stdout)
  const problems = results.filter(({ outcome }: { outcome: string }) => outcome === 'problem')
  expect({ code, ok }).toEqual({ code: 1, ok: false })
  expect(problems.length).toBeGreaterThan(0)
  for (const problem of problems) {
    expect(problem).toEqual({
      outcome: 'problem',
      check: 'contracts',
      subject: expect.stringMatching(/^odd\.\S+ \//),
      message: expect.stringMatching(/ \([a-z-]+\)$/),
      fix: expect.any(String),
    })
  }
})

test.concurrent('a broken config is a problem', async () => {
  const workspace = place('broken')
  write('broken/toolpact.json', { generated: { '../x': 'markdown' } })
  const { code, stdout } = await run(['check', '--workspace', workspace])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^problem {2}config .*toolpact\.json: The config .* is not valid: .*A key is a path/)
  write('broken.json', { polcy: {} })
  const named = await run(['check', '--config', 'broken.json'])
  expect(named.code).toBe(1)
  expect(named.stdout).toContain('problem  config     broken.json: The config broken.json is not valid')
})

test.concurrent('files that the config lists are compared, and written again by export', async () => {
  place('project/docs')
  write('project/toolpact.json', {
    toolsets: ['learning'],
    generated: { 'docs/tools.md': 'markdown', 'contracts.json': 'contracts', 'tools.d.ts': 'types' },
  })
  const missing = await run(['check', '--config', 'project/toolpact.json'])
  expect(missing.code).toBe(1)
  const mend = `toolpact export markdown --out ${join('project', 'docs/tools.md')}`
  expect(missing.stdout).toContain(`problem  generated  docs/tools.md: It cannot be read. Run: ${mend}\n`)

  const { code, stderr } = await run(['export', '--config', 'project/toolpact.json'])
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: 'Wrote docs/tools.md.\nWrote contracts.json.\nWrote tools.d.ts.\n',
  })
  expect(Object.keys(JSON.parse(readFileSync(join(folder, 'project/contracts.json'), 'utf8')))).toEqual([
    'learning.hello',
    'learning.read_repo_file',
    'learning.write_memory_entry',
  ])
  expect((await run(['check', '--config', 'project/toolpact.json'])).code).toBe(0)
  // The same for an untrusted config found in the workspace.
  const found = await run(['check', '--workspace', 'project'])
  expect({ code: found.code, stderr: found.stderr }).toEqual({ code: 0, stderr: '' })
  expect(found.stdout).toContain('ok       generated  tools.d.ts: types\n')

  writeFileSync(join(folder, 'project/tools.d.ts'), 'export {}\n')
  const stale = await run(['check', '--json', '--workspace', 'project'])
  expect(stale.code).toBe(1)
  expect(JSON.parse(stale.stdout).results).toContainEqual({
    outcome: 'problem',
    check: 'generated',
    subject: 'tools.d.ts',
    message: 'It is stale.',
    fix: `Run: toolpact export types --out ${join('project', 'tools.d.ts')}`,
  })
  const narrowed = await run(['check', '--workspace', 'project', '--toolset', 'learning'])
  expect(narrowed.code).toBe(0)
  expect(narrowed.stdout).toContain('warning  generated  tools.d.ts: not compared, because of --toolset\n')
})

test.concurrent('a config in the workspace does not say where export writes: it must be named', async () => {
  place('hostile')
  write('hostile/toolpact.json', { generated: { 'package.json': 'markdown' } })
  const { code, stderr } = await run(['export', '--workspace', 'hostile'])
  expect(code).toBe(2)
  expect(stderr).toContain('export needs a format.')
})

test.concurrent.each([
  [['check', 'learning'], "check takes no name, but got 'learning'."],
  [['check', '--toolset', 'lerning'], "There is no toolset 'lerning'."],
  [['export', '--config', 'empty.json'], 'lists no file under "generated"'],
  [['export', '--config', 'empty.json', '--out', 'x'], '--out needs a format.'],
])('%j is wrong usage', async (args, message) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
})

function place(name: string): string {
  mkdirSync(join(folder, name), { recursive: true })
  return join(folder, name)
}

function write(path: string, value: unknown): void {
  writeFileSync(join(folder, path), JSON.stringify(value))
}

test.concurrent('the problems of a workflow are reported at their line and column', async () => {
  place('flows/tools')
  const workflow = {
    name: 'greet_all',
    description: 'Greets a person.',
    risk: 'read_only',
    input: {
      type: 'object',
      additionalProperties: false,
      properties: { who: { type: 'integer', description: 'Who' } },
    },
    output: { type: 'object', additionalProperties: false, properties: {} },
    steps: [{ id: 'greet', tool: 'learning.hello', input: { name: { $from: '/input/who' } } }],
    result: {},
  }
  write('flows/tools/greet_all.workflow.json', workflow)
  writeFileSync(join(folder, 'flows/tools/broken.workflow.yaml'), 'name: broken\nsteps: []\n')
  write('flows/toolpact.json', { contracts: ['tools'] })
  const { code, stdout } = await run(['check', '--json', '--config', 'flows/toolpact.json'])
  const { ok, results } = JSON.parse(stdout)
  expect({ code, ok }).toEqual({ code: 1, ok: false })
  const found = results.filter(({ check }: { check: string }) => check === 'workflows')
  expect(found).toContainEqual({
    outcome: 'problem',
    check: 'workflows',
    subject: expect.stringMatching(/greet_all\.workflow\.json:\d+:\d+ \/steps\/0\/input\/name$/),
    message: expect.stringContaining('/input/who is an integer; learning.hello takes only a string. Make it a string'),
  })
  expect(found).toContainEqual(
    expect.objectContaining({ outcome: 'problem', subject: expect.stringMatching(/broken\.workflow\.yaml:2:\d+ \/steps$/) }), // biome-ignore format: one line
  )

  const step = { ...workflow.steps[0], input: { name: { $join: [{ $from: '/input/who', default: 1 }] } } }
  write('flows/tools/greet_all.workflow.json', { ...workflow, steps: [step] })
  const mended = await run(['check', '--config', 'flows/toolpact.json'])
  expect(mended.stdout).toMatch(/ok {7}workflows {2}\S*greet_all\.workflow\.json: tools\.greet_all\n/)
})
