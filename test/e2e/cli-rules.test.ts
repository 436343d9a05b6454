import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { define, makeChangeling } from '../helpers/open-changeling.ts'
import { openCommandFolder } from '../helpers/run-command.ts'

const notes = String.raw`{"content":".*","path":"notes/[^/]*\.txt"}`

const folders: ReturnType<typeof openCommandFolder>[] = []
afterAll(() => {
  for (const folder of folders) folder.close()
})

function openFolder() {
  const opened = openCommandFolder()
  folders.push(opened)
  /** The JSON that a command prints. */
  const read = async (...args: string[]) => JSON.parse((await opened.run([...args, '--json'])).stdout)
  return { ...opened, read, file: join(opened.folder, 'state', 'rules.json') }
}

test.concurrent('a rule is added, used, counted, disabled, enabled and removed', async () => {
  const { folder, run, read } = openFolder()
  const added = await run(['rules', 'add', 'create_file', notes, '--description', 'My notes', '--expires', '2h'])
  expect(added).toMatchObject({ code: 0, stderr: '' })
  const [, id] = /^✓ Added (rule-\w{8}): allow workspace\.create_file in /.exec(added.stdout)!
  expect(added.stdout).toContain(notes)
  const call = (name: string) => run(['call', 'create_file', `path=${name}`, 'content=x', '--no-wait'])
  expect(await call('notes/a.txt')).toMatchObject({ code: 0 })
  expect(readFileSync(join(folder, 'notes/a.txt'), 'utf8')).toBe('x')
  expect(await call('notes/a.sh')).toMatchObject({ code: 3 })
  const [listed] = await read('rules')
  expect(listed).toMatchObject({ id, action: 'allow', tool: 'workspace.create_file', pattern: notes, state: 'active', problems: [], uses: 1 }) // biome-ignore format: one line
  expect(Date.parse(listed.expiresAt) - Date.parse(listed.createdAt)).toBeLessThanOrEqual(7_200_000)
  expect((await run(['ledger', '--json'])).stdout).toContain(`"rule":"${id}"`)

  expect(await run(['rules', 'disable', id!.slice(0, 9)])).toMatchObject({ code: 0, stdout: expect.stringContaining(`✓ Disabled ${id}`) }) // biome-ignore format: one line
  expect(await call('notes/b.txt')).toMatchObject({ code: 3 })
  expect((await run(['rules'])).stdout).toMatch(/rule-\w+ {2}allow {2}workspace\.create_file {2}disabled\n.*\n {2}My notes\n {2}in .* · used 1 time, last /) // biome-ignore format: one line
  await run(['rules', 'enable', id!])
  expect(await call('notes/b.txt')).toMatchObject({ code: 0 })
  expect(await read('rules', 'remove', id!.slice(5))).toEqual([id])
  expect(await call('notes/c.txt')).toMatchObject({ code: 3 })
  expect(await run(['rules'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('There are no rules.'),
  })
})

test.concurrent('a rule in a short form is previewed, saved with its pattern, and simulated', async () => {
  const { run, read } = openFolder()
  for (const name of ['a', 'b']) await run(['call', 'create_file', `path=notes/${name}.txt`, 'content=x', '--yes'])
  const simulated = await read('rules', 'simulate', 'create_file', 'path: notes/a.txt', '--action', 'deny')
  expect(simulated).toMatchObject({ calls: 2, skipped: 0, changed: [{ before: 'ask', after: 'deny' }] })
  const added = await run(['rules', 'add', 'create_file', 'path: notes/*.txt'])
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(added.stdout).toContain('Would have allowed 2 of the last 2 calls of workspace.create_file.')
  const [listed] = await read('rules')
  expect(listed).toMatchObject({
    short: 'path: notes/*.txt',
    pattern: expect.stringMatching(/^\{"content"/),
    state: 'active',
  })
  expect(await run(['call', 'create_file', 'path=notes/c.txt', 'content=x', '--no-wait'])).toMatchObject({ code: 0 })
  expect((await run(['rules', 'simulate', '--remove', listed.id])).stdout).toMatch(
    /3 of 3 calls would be decided differently\.\n$/,
  )
})

test.concurrent('a pattern with doubled backslashes, as in a quoted string, allows what it says', async () => {
  const { run, read } = openFolder()
  const typed = String.raw`^{"path":".*\\.txt"}$`
  const added = await run(['rules', 'add', 'create_directory', typed, '--yes'])
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(added.stdout).toContain(String.raw`  ^{"path":".*\.txt"}$`)
  expect(added.stdout).toContain(String.raw`Each \\ of the pattern was read as \.`)
  expect(await read('rules', 'test', 'create_directory', 'path=test.txt')).toMatchObject({ action: 'allow' })
  for (const path of ['testxtxt', 'a\\ntxt', 'test.txt/x', '../test.txt'])
    expect(await read('rules', 'test', 'create_directory', `path=${path}`), path).toMatchObject({ action: 'ask' })
  expect(await run(['call', 'create_directory', 'path=test.txt', '--no-wait'])).toMatchObject({ code: 0 })
  const [{ id }] = await read('rules')
  await run(['rules', 'disable', id])
  expect(await read('rules', 'test', 'create_directory', 'path=test.txt')).toMatchObject({ action: 'ask' })
})

test.concurrent('the keys of a pattern may be in the order of the contract', async () => {
  const { run, read } = openFolder()
  const pattern = String.raw`^{"path":"notes/[^/]*\.txt","content":".*"}$`
  expect(await run(['rules', 'add', 'create_file', pattern])).toMatchObject({ code: 0 })
  const call = (path: string) => read('rules', 'test', 'create_file', `path=${path}`, 'content=x')
  expect(await call('notes/a.txt')).toMatchObject({ action: 'allow' })
  expect(await call('notes/a.sh')).toMatchObject({ action: 'ask' })
})

test.concurrent('a rule that denies overrides --yes', async () => {
  const { folder, run } = openFolder()
  await run(['rules', 'add', 'create_file', '"path":"secret', '--action', 'deny', '--scope', 'everywhere'])
  const denied = await run(['call', 'create_file', 'path=./secret.txt', 'content=x', '--yes'])
  expect(denied).toMatchObject({ code: 3, stderr: expect.stringContaining('denies it.') })
  expect(existsSync(join(folder, 'secret.txt'))).toBe(false)
})

test.concurrent.each<[args: string[], words: string]>([
  [['create_file', '.*'], 'would match every call'],
  [['create_file', '{"path":"a"}'], "does not name 'content', which every call has"],
  [['create_file', '{"content":".*","path":".*"}'], "it leaves 'path' open"],
  [['create_file', '{"content":".*","path":"(?!a)"}'], 'looks ahead'],
  [['create_file', notes, '--match', '{"content":"","path":"a"}'], 'does not match its own example'],
  [['create_file', notes, '--no-match', '{"content":"","path":"notes/a.txt"}'], 'must not match its own example'],
  [['run_in_terminal', '{"command":"git.*","timeout_seconds":30}'], 'Write out the command'],
])('rules add %j is refused with the reason', async (args, words) => {
  const { run, read, file } = openFolder()
  const { code, stdout, stderr } = await run(['rules', 'add', ...args])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('Error: The rule was not added.')
  expect(stderr).toContain(words)
  const { added, problems } = await read('rules', 'add', ...args)
  expect(added).toBe(false)
  expect(problems[0].message).toContain(words)
  expect(existsSync(file)).toBe(false)
})

test.concurrent.each<[args: string[], words: string]>([
  [['add', 'create_fil', notes], 'Did you mean create_file?'],
  [['add', 'create_file'], 'needs a tool and a pattern'],
  [['add', 'create_file', notes, 'x'], "there is also 'x'"],
  [['add', 'create_file', notes, '--action', 'alow'], 'Use allow, ask, deny.'],
  [['add', 'create_file', notes, '--scope', 'here'], 'Use workspace, everywhere, session.'],
  [['add', 'create_file', notes, '--scope', 'session'], '--session ID go together'],
  [['add', 'create_file', notes, '--expires', 'soon'], 'Use 30m, 2h, 7d'],
  [['add', 'create_file', notes, '--expires', '2020-01-01'], 'not in the future'],
  [['add', 'create_file', notes, '--match', '[]'], 'an object'],
  [['add', 'create_file', notes, '--match', '{'], 'not valid'],
  [['list', 'x'], 'takes no name'],
  [['list', '--expires', '2h'], 'rules list does not take --expires'],
  [['remove'], 'Give the id of a rule'],
  [['remove', 'rule-0'], "There is no rule 'rule-0'"],
  [['forget'], 'Use list, add, remove, enable, disable, test, simulate, repair.'],
  [['simulate'], 'or --remove ID'],
  [['simulate', 'create_file', 'path: a', '--last', '0'], 'Use a number from 1 to 5000'],
  [['simulate', '--remove', 'rule-0'], "There is no rule 'rule-0'"],
  [['test'], 'needs the name of a tool'],
  [['test', 'create_file', '--input', '{'], 'not valid'],
  [['test', 'create_file', 'path=a', '--input', '{}'], 'not both'],
])('rules %j is told as wrong usage', async (args, words) => {
  const { code, stdout, stderr } = await openFolder().run(['rules', ...args])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(words)
})

test.concurrent('a wide rule needs a yes', async () => {
  const { run, read } = openFolder()
  const wide = String.raw`{"content":".*","path":".*\.txt"}`
  const refused = await run(['rules', 'add', 'create_file', wide])
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(refused.stderr).toContain("This is a wide rule: 'path' may lie in any folder of the workspace.")
  expect(refused.stderr).toContain('add --yes')
  expect(await read('rules')).toEqual([])
  expect(await run(['rules', 'add', 'create_file', wide, '--yes'])).toMatchObject({ code: 0 })
  expect(await read('rules')).toHaveLength(1)
})

test.concurrent('rules test explains what would happen and why, and does nothing', async () => {
  const { folder, run, read } = openFolder()
  const { id } = await read('rules', 'add', 'create_file', notes)
  await run(['rules', 'add', 'create_file', '{"content":".*","path":"notes/a.*"}', '--expires', '1s'])
  const tested = await read('rules', 'test', 'create_file', 'path=notes/a.txt', 'content=x')
  expect(tested).toMatchObject({
    tool: 'workspace.create_file',
    input: { path: 'notes/a.txt', content: 'x' },
    action: 'allow',
    rule: id,
    reason: `The rule ${id} allows it.`,
  })
  expect(tested.rules).toContainEqual({ id, action: 'allow', pattern: notes, result: 'applies', reason: 'it matches the whole input' }) // biome-ignore format: one line
  const climbing = await run(['rules', 'test', 'create_file', '--input', '{"path":"notes/..","content":"x"}'])
  expect(climbing.code).toBe(0)
  expect(climbing.stdout).toMatch(
    /^ask {2}workspace\.create_file \{"content":"x","path":"notes\/\.\."\}\n {2}The contract asks/,
  )
  const invalid = await run(['rules', 'test', 'create_file', 'pth=a'])
  expect(invalid).toMatchObject({ code: 2, stdout: '' })
  expect(invalid.stderr).toContain('path')
  expect(existsSync(join(folder, 'notes'))).toBe(false)
  expect((await read('rules')).map(({ uses }: { uses: number }) => uses)).toEqual([0, 0])
  expect(await run(['rules', 'test', 'create_file', 'path=a', 'content=', '--read-only'])).toMatchObject({ stdout: expect.stringMatching(/^deny/) }) // biome-ignore format: one line
})

test.skipIf(process.platform === 'win32')('rules that others may write are reported, and every call asks', async () => {
  const { run, file } = openFolder()
  await run(['rules', 'add', 'create_file', notes])
  chmodSync(file, 0o666)
  const listed = await run(['rules'])
  expect(listed).toMatchObject({ code: 1, stdout: '' })
  expect(listed.stderr).toContain('may be written by others (mode 666). Run chmod go-w')
  const call = await run(['call', 'learning.hello', 'name=Ada', '--no-wait'])
  expect(call).toMatchObject({ code: 3, stdout: '' })
})

test.concurrent('a damaged rules file is reported, never overwritten, and hostile text in it is escaped', async () => {
  const { run, file, folder } = openFolder()
  mkdirSync(join(folder, 'state'), { mode: 0o700 })
  const text = '{"version":1,"rules":[{"id":"\u001b[2J"}]}'
  writeFileSync(file, JSON.stringify(JSON.parse(text.replace('\u001b', '\\u001b'))), { mode: 0o600 })
  const before = readFileSync(file, 'utf8')
  for (const args of [['rules'], ['rules', 'add', 'create_file', notes], ['rules', 'remove', 'rule-1']]) {
    const { code, stderr } = await run(args)
    expect(code).toBe(1)
    expect(stderr).toContain("has a wrong 'id' in rule 1")
    expect(stderr).not.toContain('\u001b')
  }
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test.concurrent('a description cannot paint the terminal', async () => {
  const { run } = openFolder()
  await run(['rules', 'add', 'create_file', notes, '--description', '\u001b[2Jred\u202e\r'])
  const { stdout } = await run(['rules'])
  expect(stdout).toContain('red')
  expect(stdout).not.toMatch(/[\u001b\u202e\r]/)
  expect((await run(['rules', '--json'])).stdout).not.toMatch(/[\u001b\u202e\r]/)
})

test.concurrent.each([
  [['rul'], ['rules']],
  [
    ['rules', ''],
    ['add', 'disable', 'enable', 'list', 'remove', 'repair', 'simulate', 'test'],
  ],
  [['rules', 'add', 'workspace.create_f'], ['workspace.create_file']],
  [['--json', 'rules', 'test', 'learning.h'], ['learning.hello']],
  [
    ['call', 'learning.'],
    ['learning.hello', 'learning.read_repo_file', 'learning.write_memory_entry'],
  ],
  [
    ['rules', 'add', 'x', '--action', ''],
    ['allow', 'ask', 'deny'],
  ],
  [['ledger', '--tool', 'practitioner.h'], ['practitioner.hello']],
  [['call', 'workspace.run_in_terminal', 'command=ls', ''], ['timeout_seconds=']],
  [['rules', 'test', 'learning.hello', 'n'], ['name=']],
  [
    ['call', 'practitioner.read_repo_file', 'encoding='],
    ['encoding=base64', 'encoding=utf-8'],
  ],
  [['call', '--toolset', 'l'], ['learning']],
  [['show', '--js'], ['--json']],
  [['absent', ''], []],
  [['serve', ''], []],
])('a shell completes %j to %j', async (words, found) => {
  const { code, stdout } = await openFolder().run(['completion', 'words', '--', ...words])
  expect(code).toBe(0)
  expect(stdout.split('\n').filter(Boolean)).toEqual(found)
})

test.concurrent('a shell completes the ids of rules and calls', async () => {
  const { run, read } = openFolder()
  const { id } = await read('rules', 'add', 'create_file', notes)
  expect((await run(['completion', 'words', '--', 'rules', 'remove', 'rule'])).stdout).toBe(`${id}\n`)
  await run(['call', 'learning.hello', 'name=Ada'])
  const { stdout } = await run(['completion', 'words', '--', 'ledger', 'show', ''])
  expect(stdout).toMatch(/^[0-9a-f]{8}\n$/)
  expect((await run(['ledger', 'show', stdout.trim()])).stdout).toContain('learning.hello')
})

test.concurrent('the tools of a server are completed as last listed, without starting it', async () => {
  const { run, folder } = openFolder()
  const inputSchema = { type: 'object', properties: { 'a$(touch hit)': { enum: ['x y'] }, text: { type: 'boolean' } } } // biome-ignore format: one line
  const { entry, pids } = makeChangeling([define('odd', { inputSchema })], { withoutOutputSchema: 'opaque' }, folder)
  writeFileSync(join(folder, 'up.json'), JSON.stringify({ mcpServers: { up: entry } }))
  const complete = async (...words: string[]) =>
    (await run(['completion', 'words', '--config', 'up.json', '--', 'call', ...words])).stdout
      .split('\n')
      .filter(Boolean)
  expect(await complete('up.')).toEqual([])
  expect(pids()).toEqual([])
  await run(['call', 'up.odd', 'text=true', '--config', 'up.json'])
  expect(await complete('up.')).toEqual(['up.odd'])
  expect(await complete('up.odd', '')).toEqual(['a$(touch hit)=', 'text='])
  expect(await complete('up.odd', 'text=')).toEqual(['text=false', 'text=true'])
  expect(pids()).toHaveLength(1)
})

test.skipIf(process.platform === 'win32')('the script for bash completes', async () => {
  const { run, env } = openFolder()
  const { stdout: script } = await run(['completion', 'bash'])
  const { spawnSync } = await import('node:child_process')
  const { entries } = await import('../helpers/run-command.ts')
  const own = `toolpact() { '${process.execPath}' '${entries.toolpact}' "$@"; }`
  const use = `complete_words() { COMP_WORDS=(toolpact "$@"); COMP_CWORD=$#; _toolpact; printf '<%s>' "\${COMPREPLY[@]}"; }
complete_words rules add learning.h; complete_words call practitioner.read_repo_file encoding = u`
  const bash = spawnSync('bash', ['-c', `${own}\n${script}\n${use}`], { env, encoding: 'utf8' })
  expect(bash.stdout).toBe('<learning.hello><utf-8>')
  const quoted = `toolpact() { printf '%s\\n' 'a b' '$(x)' '*'; }\n${script}\ncompopt() { :; }\n_toolpact; printf '<%s>' "\${COMPREPLY[@]}"`
  expect(spawnSync('bash', ['-c', quoted], { env, encoding: 'utf8' }).stdout).toBe('<a\\ b><\\$\\(x\\)><\\*>')
  expect(await run(['completion', 'tcsh'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Use bash, zsh, fish.'),
  })
})

test.concurrent('a torn rules file lifts no denial under --yes, is reported on stderr, and is repaired by the named command', async () => {
  const { run, file, folder } = openFolder()
  await run(['rules', 'add', 'create_file', '"path":"secrets/', '--action', 'deny'])
  const torn = readFileSync(file).subarray(0, 60)
  writeFileSync(file, torn)
  const denied = await run(['call', 'create_file', 'path=secrets/a', 'content=x', '--yes'])
  expect(denied.code).not.toBe(0)
  expect(denied.stderr).toContain('Note: The rules file')
  expect(denied.stderr).toContain('toolpact rules repair')
  expect(existsSync(join(folder, 'secrets'))).toBe(false)
  expect(await run(['rules', 'repair'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^✓ Restored 1 rule\. The broken file is .*rules\.json\.broken-\d+\n$/),
  })
  expect(await run(['rules', 'repair'])).toMatchObject({
    code: 0,
    stdout: 'The rules file is valid. Nothing was changed.\n',
    stderr: '',
  })
  expect((await run(['rules'])).stdout).toContain('deny')
  writeFileSync(file, torn)
  expect((await run(['rules', 'repair', '--discard', '--reset-clock'])).stdout).toMatch(
    /^✓ Discarded 1 rule of the last good version: there are no rules now\. The broken file is .*\nThe latest time noted was .*Nothing was reset\.\n$/,
  )
})

test.concurrent('a rule for callers is listed, tried and used for these alone', async () => {
  const { run, read } = openFolder()
  const added = await run(['rules', 'add', 'create_file', notes, '--who', 'group:ops', '--who', 'ada'])
  expect(added.stdout).toMatch(/^✓ Added rule-\w{8}: allow workspace\.create_file in .*, for group:ops, ada\n/)
  expect(await read('rules')).toMatchObject([{ who: ['group:ops', 'ada'] }])
  expect((await run(['rules'])).stdout).toContain(' · for group:ops, ada · never used')
  const given = ['rules', 'test', 'create_file', 'path=notes/a.txt', 'content=x']
  expect(await read(...given)).toMatchObject({ action: 'ask', rules: [{ result: 'differs', reason: 'it is for other callers' }] }) // biome-ignore format: one line
  expect(await read(...given, '--who', 'ada')).toMatchObject({ action: 'allow' })
  expect(await read(...given, '--who', 'group:ops')).toMatchObject({ action: 'allow' })
  expect(await run([...given, '--who', 'ada', '--who', 'bob'])).toMatchObject({ code: 2, stderr: expect.stringContaining("--who names 'ada' and 'bob'") }) // biome-ignore format: one line
  const call = () => run(['call', 'create_file', 'path=notes/a.txt', 'content=x', '--no-wait'])
  expect(await call()).toMatchObject({ code: 3 })
  await run(['rules', 'add', 'create_file', notes, '--who', 'local'])
  expect((await run(['rules'])).stdout).toContain('for you (local)')
  expect(await call()).toMatchObject({ code: 0 })
  expect((await run(['ledger', 'show', (await run(['ledger', '--json'])).stdout.match(/"callId":"(\w{8})/)![1]!])).stdout).toMatch(/Known by\s+the command line/) // biome-ignore format: one line
  expect(await run(['rules', 'add', 'create_file', notes, '--who', 'group:'])).toMatchObject({ code: 2, stderr: expect.stringContaining("'who' must be") }) // biome-ignore format: one line
})
