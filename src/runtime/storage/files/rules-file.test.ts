import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs' // biome-ignore format: one line
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { toRule } from '../../../../test/helpers/rule-calls.ts'
import { entries } from '../../../../test/helpers/run-command.ts'
import { fileVersion } from '../../../state/file-version.ts'
import { RulesError } from '../operator-state.ts'
import { openRulesFile } from './rules-file.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-rules-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let directories = 0
function openNew() {
  const directory = join(root, `${directories++}`)
  return { directory, ...openRulesFile({ directory }) }
}

const first = toRule('{"path":"a"}', { id: 'first', description: 'The first' })
const second = toRule('{"path":"b"}', { id: 'second', action: 'deny', examples: { match: [{ path: 'b' }] } })

test('there are no rules without a file, and looking makes none', () => {
  const { directory, load } = openNew()
  expect(load()).toEqual([])
  expect(fileVersion(join(directory, 'rules.json'))).toBeUndefined()
  expect(existsSync(directory)).toBe(false)
})

test('rules are added, disabled, enabled and removed, each time under another version', async () => {
  const { directory, load, add, remove, setDisabled } = openNew()
  const versions = new Set<string | undefined>()
  const look = () => versions.add(fileVersion(join(directory, 'rules.json'))).size
  await add(first)
  expect(look()).toBe(1)
  await add(second)
  expect(look()).toBe(2)
  expect(load()).toEqual([first, second])
  expect(await setDisabled('first', true)).toBe(true)
  expect(look()).toBe(3)
  expect(load()).toEqual([{ ...first, disabled: true }, second])
  expect(await setDisabled('first', false)).toBe(true)
  expect(load()).toEqual([first, second])
  expect(await remove('first')).toBe(true)
  expect(load()).toEqual([second])
  look()
  const before = versions.size
  expect(await remove('first')).toBe(false)
  expect(await setDisabled('first', true)).toBe(false)
  expect(look()).toBe(before)
})

test('an id is used once', async () => {
  const { load, add } = openNew()
  await add(first)
  await expect(add({ ...second, id: 'first' })).rejects.toThrow('There is a rule first already.')
  expect(load()).toEqual([first])
})

test('what could not be read again is not written', async () => {
  const { load, add } = openNew()
  await add(first)
  await expect(add({ ...second, width: 'file' } as never)).rejects.toThrow("'width' in rule 2, which no rule has")
  await expect(add({ ...second, id: 'contract' })).rejects.toThrow("a wrong 'id' in rule 2")
  expect(load()).toEqual([first])
})

test('the file can be read by a person, belongs to its user alone, and nothing else lies beside it', async () => {
  const { directory, path, add } = openNew()
  await add(first)
  expect(readFileSync(path, 'utf8')).toMatch(/^\{\n {2}"version": 1,\n {2}"rules": \[\n {4}\{\n {6}"id": "first",\n/)
  expect(readdirSync(directory).sort()).toEqual(['rules-last-good.json', 'rules.json', 'rules.json.lock'])
  if (process.platform === 'win32') return
  for (const name of [directory, path, `${path}.lock`]) expect(statSync(name).mode & 0o077).toBe(0)
})

test.skipIf(process.platform === 'win32').each<[string, (path: string, directory: string) => void, string]>([
  ['a file that others may write', (path) => chmodSync(path, 0o666), 'may be written by others (mode 666)'],
  ['a file that a group may write', (path) => chmodSync(path, 0o620), 'may be written by others (mode 620)'],
  ['a directory that others may write', (_path, directory) => chmodSync(directory, 0o777), 'may be written by others'],
  ['a symbolic link', toLink, 'is a symbolic link'],
  ['a link to nowhere', (path) => replace(path, () => symlinkSync('/nowhere', path)), 'is a symbolic link'],
  ['a directory in its place', (path) => replace(path, () => mkdirSync(path)), 'is not a regular file'],
])('%s is not trusted, and not written to', async (_name, spoil, fault) => {
  const { directory, path, load, add } = openNew()
  await add(first)
  const version = fileVersion(join(directory, 'rules.json'))
  spoil(path, directory)
  expect(load).toThrow(RulesError)
  expect(load).toThrow(fault)
  expect(load).toThrow(/every other call asks|every call is denied/)
  await expect(add(second)).rejects.toThrow(fault)
  if (lstatSync(directory).mode & 0o022) return expect(add(second)).rejects.toThrow(/^The rules cannot be changed/)
  expect(fileVersion(join(directory, 'rules.json'))).not.toBe(version)
})

function toLink(path: string) {
  renameSync(path, `${path}.real`)
  symlinkSync(`${path}.real`, path)
}

function replace(path: string, make: () => void) {
  rmSync(path)
  make()
}

test.skipIf(process.getuid?.() !== 0)('a file of another user is not trusted', async () => {
  const { path, load, add } = openNew()
  await add(first)
  const { chownSync } = await import('node:fs')
  chownSync(path, 65534, 65534)
  expect(load).toThrow('belongs to another user')
})

const good = { ...first } as { readonly [name: string]: unknown }
const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))

test.each<[text: string, fault: string]>([
  ['', 'is not valid'],
  ['{', 'is not valid'],
  ['[]', 'is no object'],
  ['{"version":1,"version":1,"rules":[]}', 'is not valid'],
  ['{"rules":[]}', 'has the version undefined'],
  ['{"version":2,"rules":[]}', 'knows version 1'],
  ['{"version":1}', "has no list 'rules'"],
  ['{"version":1,"rules":{}}', "has no list 'rules'"],
  ['{"version":1,"rules":[],"rule":[]}', "has 'rule', which no rules file has"],
  ['{"version":1,"rules":[null]}', 'rule 1 that is no object'],
  [toFile(good, good), "two rules with the id 'first'"],
  ...['id', 'tool', 'pattern', 'action', 'scope', 'createdBy', 'createdAt'].map((name): [string, string] => [toFile(without(name)), `has no '${name}' in rule 1`]), // biome-ignore format: one line
  [toFile({ ...good, id: 'contract' }), "a wrong 'id'"],
  [toFile({ ...good, id: 'a b' }), "a wrong 'id'"],
  [toFile({ ...good, action: 'Allow' }), 'write allow, ask, deny'],
  [toFile({ ...good, expires: '2026' }), "has 'expires' in rule 1, which no rule has"],
  [toFile({ ...good, disabled: 'true' }), "a wrong 'disabled'"],
  [toFile({ ...good, expiresAt: 5 }), "a wrong 'expiresAt'"],
  [toFile({ ...good, scope: 'session' }), "does not go with its 'session'"],
  [toFile({ ...good, workspace: '/a' }), "does not go with its 'workspace'"],
  [toFile({ ...good, examples: { matches: [] } }), "a wrong 'examples'"],
  [toFile({ ...good, examples: { match: ['a'] } }), "a wrong 'examples'"],
  [toFile({ ...good, Disabled: true }), 'which no rule has'],
])('the file %j is refused, told and left as it is', async (text, fault) => {
  const { directory, path, load, add } = openNew()
  mkdirSync(directory)
  writeFileSync(path, text, { mode: 0o600 })
  expect(load).toThrow(RulesError)
  expect(load).toThrow(fault)
  await expect(add(second)).rejects.toThrow(fault)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

function toFile(...rules: unknown[]): string {
  return JSON.stringify({ version: 1, rules })
}

test('eight processes that save twenty rules each lose none', async () => {
  const { directory, load } = openNew()
  await Promise.all(Array.from({ length: 8 }, (_, index) => save(directory, `p${index}`, 20)))
  const ids = load().map(({ id }) => id)
  expect(ids).toHaveLength(160)
  for (let process = 0; process < 8; process++) {
    const own = ids.filter((id) => id.startsWith(`p${process}-`))
    expect(own).toEqual(Array.from({ length: 20 }, (_, index) => `p${process}-${index}`))
  }
})

test('processes that are killed while they save leave a whole file with all that they said, and no lock', async () => {
  const { directory, load, add } = openNew()
  const said: string[] = []
  for (let round = 0; round < 4; round++) {
    const [slow, fast] = await Promise.all([save(directory, `k${round}`, 100_000, 20), save(directory, `l${round}`, 5)])
    said.push(...slow, ...fast)
  }
  await add(first)
  const ids = new Set(load().map(({ id }) => id))
  expect(said.filter((id) => !ids.has(id))).toEqual([])
  expect(said.length).toBeGreaterThan(90)
  expect(readdirSync(directory).sort()).toEqual(['rules-last-good.json', 'rules.json', 'rules.json.lock'])
})

/** Gives the ids that were acknowledged; with `killAfter`, the process is killed after so many. */
async function save(directory: string, name: string, count: number, killAfter = Number.POSITIVE_INFINITY) {
  const child = spawn(process.execPath, [entries.rules, directory, name, `${count}`], { timeout: 55_000 })
  let output = ''
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    if (output.split('\n').length > killAfter) child.kill('SIGKILL')
  })
  await once(child, 'close')
  expect(errors).toBe('')
  return output.split('\n').slice(0, -1)
}
