import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { writeLock } from '../../src/host/lock/read-lock.ts'
import { toLock } from '../../src/host/lock/to-lock.ts'
import { cleanContract } from '../data/clean-contract.ts'
import { openCommandFolder } from '../helpers/run-command.ts'

const { folder, run, close } = openCommandFolder()
afterAll(close)

const root = fileURLToPath(new URL('../..', import.meta.url))
const built = JSON.parse(readFileSync(join(root, 'docs/contracts.json'), 'utf8'))
const old = cleanContract()
const worded = cleanContract({ title: 'Get a note', version: '1.0.1' })
const broken = cleanContract({ errors: [], examples: [] })

write('old.json', { 'notes.read_note': old })
write('worded.json', { 'notes.read_note': worded })
write('broken.json', { 'notes.read_note': broken })
write('other.json', { openapi: '3.1.0' })
writeFileSync(join(folder, 'text.txt'), 'text')
mkdirSync(join(folder, 'empty'))

test.concurrent('what does not break is listed, and the exit code is 0', async () => {
  const { code, stdout, stderr } = await run(['diff', 'old.json', 'worded.json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toBe(
    [
      'notes.read_note',
      '  ok        words   /title',
      '            The title changed.',
      '  ok        words   /version',
      '            The version changed.',
      '',
      '2 changes, none breaking.',
      '',
    ].join('\n'),
  )
})

test.concurrent('what breaks ends with exit code 1', async () => {
  const { code, stdout } = await run(['diff', 'old.json', 'broken.json'])
  expect(code).toBe(1)
  expect(stdout).toContain('  breaking  wire    /errors/0\n            The error note_not_found was removed.')
  expect(stdout).toContain('2 changes, 1 breaking.\n')
})

test.concurrent('looser policy says that it needs a review', async () => {
  write('looser.json', { 'notes.read_note': cleanContract({ effects: {} }) })
  const { code, stdout } = await run(['diff', 'old.json', 'looser.json'])
  expect(code).toBe(1)
  expect(stdout).toContain('1 change, 1 breaking. Changes that loosen the policy need a review.')
})

test.concurrent('--json gives every change as data', async () => {
  const { code, stdout } = await run(['diff', 'old.json', 'broken.json', '--json'])
  expect(code).toBe(1)
  const { breaking, changes } = JSON.parse(stdout)
  expect(breaking).toBe(true)
  expect(changes).toContainEqual({
    tool: 'notes.read_note',
    pointer: '/errors/0',
    category: 'wire',
    breaking: true,
    message: 'The error note_not_found was removed. Callers may rely on it.',
  })
})

test.concurrent('the contracts as they are now do not differ from what export writes', async () => {
  expect((await run(['export', 'contracts', '--out', 'now.json'])).code).toBe(0)
  expect(await run(['diff', 'now.json'])).toEqual({ code: 0, stdout: 'No change.\n', stderr: '' })
  expect(await run(['diff', 'now.json', '.', '--json'])).toEqual({
    code: 0,
    stdout: '{"breaking":false,"changes":[]}\n',
    stderr: '',
  })
})

test.concurrent('--toolset narrows both sides', async () => {
  write('two.json', { 'notes.read_note': old, ...built })
  const { code, stdout } = await run(['diff', 'two.json', '.', '--toolset', 'learning'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'No change.\n' })
})

test.concurrent('a folder holds a contract per file', async () => {
  mkdirSync(join(folder, 'contracts'))
  write('contracts/read-note.json', old)
  write('contracts/get-note.json', cleanContract({ name: 'get_note' }))
  write('list.json', [old, cleanContract({ name: 'get_note' })])
  expect((await run(['diff', 'contracts', 'list.json'])).stdout).toBe('No change.\n')
})

test.concurrent('a lock is compared with another one by what servers declare, and with nothing else', async () => {
  writeFileSync(join(folder, 'old.lock'), lockWith('Reads a note.'))
  writeFileSync(join(folder, 'new.lock'), lockWith('Reads a note, and mails it.'))
  const { code, stdout } = await run(['diff', 'old.lock', 'new.lock'])
  expect({ code, lines: stdout.split('\n').slice(0, 2) }).toEqual({
    code: 0,
    lines: ['notes.read', '  ok        words   /description'],
  })
  expect(stdout).toContain('and mails it')
  expect((await run(['diff', 'old.lock', 'new.lock', '--toolset', 'other'])).stdout).toBe('No change.\n')
  const mixed = await run(['diff', 'old.lock', 'old.json'])
  expect(mixed).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be compared with contracts') })
  writeFileSync(join(folder, 'bad.lock'), lockWith('Reads a note.').replace('Reads a note.', 'Reads all notes.'))
  const bad = await run(['diff', 'bad.lock', 'new.lock'])
  expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('was changed by hand') })
})

test.concurrent('a lock is compared with the servers as they are now', async () => {
  writeFileSync(join(folder, 'left.lock'), lockWith('Reads a note.'))
  for (const args of [['left.lock'], ['left.lock', '.'], ['left.lock', 'current']]) {
    const { code, stdout } = await run(['diff', ...args])
    expect({ args, code }).toEqual({ args, code: 1 })
    expect(stdout).toContain('notes  is in the lock but not in the config\n    toolpact lock --accept notes --digest ')
  }
  const { changes, digests } = JSON.parse((await run(['diff', 'left.lock', '--json'])).stdout)
  expect(changes).toMatchObject([{ tool: 'notes', breaking: true }])
  expect(digests).toEqual({ notes: expect.stringMatching(/^sha256:/) })
})

test.concurrent('a revision of git is read from the file that is named, or that the config lists', async () => {
  const repository = join(folder, 'repository')
  mkdirSync(join(repository, 'made'), { recursive: true })
  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
    execFileSync('git', [...identity, ...args], { cwd: repository, stdio: 'pipe' })
  }
  git('init', '-q', '-b', 'main')
  for (const [tag, contract] of [
    ['v1', old],
    ['v2', broken],
  ] as const) {
    write('repository/made/set.json', { 'notes.read_note': contract })
    git('add', '.')
    git('commit', '-q', '-m', tag)
    git('tag', tag)
  }
  const named = await run(['diff', 'git:v1:made/set.json', 'git:v2:made/set.json', '--workspace', repository])
  expect(named.code).toBe(1)
  expect(named.stdout).toContain('The error note_not_found was removed.')

  const unnamed = await run(['diff', 'v1', 'v2', '--workspace', repository])
  expect(unnamed.code).toBe(2)
  expect(unnamed.stderr).toContain('does not name the file with the contracts')
  expect(unnamed.stderr).toContain('Name it: git:v1:PATH')

  write('repository/toolpact.json', { generated: { 'made/set.json': 'contracts' } })
  expect((await run(['diff', 'v1', 'v2', '--workspace', repository])).stdout).toBe(named.stdout)
  expect((await run(['diff', 'v1', 'repository/made/set.json', '--workspace', repository])).stdout).toBe(named.stdout)
  expect((await run(['diff', 'git:v1', 'main~1', '--workspace', repository])).stdout).toBe('No change.\n')

  for (const [source, message] of [
    ['v3', "git has no revision 'v3' here."],
    ['git:v1:made/none.json', 'There is no file made/none.json in git at v1.'],
    ['git:--output=x:made/set.json', "'--output=x' is not a valid git revision."],
    ['git::made/set.json', "'' is not a valid git revision."],
    ['git:$(touch x):made/set.json', "'$(touch x)' is not a valid git revision."],
  ] as const) {
    const { code, stderr } = await run(['diff', source, 'old.json', '--workspace', repository])
    expect({ source, code }).toEqual({ source, code: 2 })
    expect(stderr).toContain(message)
  }
})

test.concurrent.each([
  [['diff'], 'diff needs something to compare with.'],
  [['diff', 'a', 'b', 'c'], "also got 'c'"],
  [['diff', './nowhere.json', 'old.json'], 'There is no file ./nowhere.json.'],
  [['diff', 'text.txt', 'old.json'], 'text.txt is not valid JSON.'],
  [['diff', 'other.json', 'old.json'], "other.json contains no contracts. The contract of 'openapi' is not valid"],
  [['diff', 'empty', 'old.json'], 'There is no contract in empty'],
  [['diff', 'old.json', '.', '--toolset', 'lerning'], "There is no toolset 'lerning'."],
])('%j is wrong usage, and says what is right', async (args, message) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
})

function lockWith(description: string): string {
  const definition = { name: 'read', description, inputSchema: { type: 'object' } }
  const server = {
    name: 'notes',
    identity: { kind: 'stdio', command: 'notes' } as const,
    settings: {},
    conforming: new Map([['read', definition]]),
    flagsOf: () => [],
  }
  return writeLock(toLock([server], { by: 'ada', at: '2026-11-16T00:00:00.000Z' }))
}

function write(path: string, value: unknown): void {
  writeFileSync(join(folder, path), JSON.stringify(value))
}
