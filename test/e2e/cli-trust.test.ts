import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

const folders: ReturnType<typeof openCommandFolder>[] = []
afterAll(() => {
  for (const folder of folders) folder.close()
})

const loose = { policy: { askAll: true, sandbox: 'off' }, mcpServers: { evil: { command: 'touch', args: ['ran'] } } }

/** A folder with a config, in which the command is run. */
function openFolder(config: unknown = loose) {
  const opened = openCommandFolder()
  folders.push(opened)
  const file = join(realpathSync(opened.folder), 'toolpact.json')
  const write = (next: unknown) => writeFileSync(file, typeof next === 'string' ? next : JSON.stringify(next))
  write(config)
  return { ...opened, file, write }
}

const hello = ['call', 'learning.hello', 'name=Ada', '--no-wait']
const leftOut = (file: string) =>
  `Note: ${file} is not trusted, so this was left out: policy.sandbox, mcpServers. Review it with toolpact trust.\n`

test.concurrent('a config in the workspace makes things stricter, and says what waits for trust', async () => {
  const { run, file, folder } = openFolder()
  const call = await run(hello)
  expect(call).toMatchObject({ code: 3, stderr: expect.stringContaining(leftOut(file)) })
  const without = await run([...hello, '--no-config'])
  expect(without).toMatchObject({ code: 0, stderr: '' })
  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(elsewhere)
  expect(await run([...hello, '--workspace', elsewhere])).toMatchObject({ code: 0, stderr: '' })
  expect(await run(['list', '--json'])).toMatchObject({ code: 0, stderr: leftOut(file) })
})

test.concurrent('a config that is named is trusted', async () => {
  const { run, file, folder } = openFolder()
  const { stderr } = await run(['list', '--config', file])
  expect(stderr).not.toContain('trust')
  expect(existsSync(join(folder, 'ran'))).toBe(true)
  expect(await run(['list', '--config', file, '--no-config'])).toMatchObject({ code: 2 })
})

test.concurrent('trust shows a former key of settings under the name that the file has, as what would loosen', async () => {
  const { run, file } = openFolder({ transcript: { rulesOnly: true }, redact: ['A'] })
  const { stdout } = await run(['trust'])
  expect(stdout).toContain('Holds without trust:\n  redact: ["A"]\nWould run or loosen, once trusted:\n  transcript: {"rulesOnly":true}\n') // biome-ignore format: one line
  expect((await run(['list'])).stderr).toContain(`${file} is not trusted, so this was left out: transcript.`)
})

test.concurrent('trust shows what would run or loosen, and takes a yes', async () => {
  const { run, file, folder } = openFolder()
  const shown = await run(['trust'])
  expect(shown).toMatchObject({ code: 3, stderr: expect.stringContaining('Add --yes to trust it as it is.') })
  expect(shown.stdout.split('\n')).toEqual([
    `Config: ${file}`,
    expect.stringMatching(/^Digest: sha256:[0-9a-f]{64}$/),
    'State: not trusted',
    'Holds without trust:',
    '  policy.askAll: true',
    'Would run or loosen, once trusted:',
    '  policy.sandbox: "off"',
    '  mcpServers.evil: {"command":"touch","args":["ran"]}',
    '',
  ])
  expect((await run(['list'])).stderr).toBe(leftOut(file))

  const trusted = await run(['trust', folder, '--yes'])
  expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining(`✓ Trusted ${file} as it is now.`) })
  expect(existsSync(join(folder, 'ran'))).toBe(false)
  expect((await run(['list'])).stderr).not.toContain('trust')
  expect(existsSync(join(folder, 'ran'))).toBe(true)
  expect((await run(['trust', file])).stdout).toContain('is trusted already, as it is.')
  const kept = JSON.parse(readFileSync(join(folder, 'state', 'trust.json'), 'utf8'))
  expect(kept.trusted).toEqual([
    { path: file, digest: expect.stringMatching(/^sha256:/), trustedBy: userInfo().username, trustedAt: expect.any(String) }, // biome-ignore format: one line
  ])
})

test.concurrent('what is trusted is listed, revoked, and forgotten when the file changes', async () => {
  const { run, file, write } = openFolder()
  expect(await run(['trust', 'list'])).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('No config is trusted.') }) // biome-ignore format: one line
  expect(JSON.parse((await run(['trust', '--yes', '--json'])).stdout)).toEqual({
    path: file,
    digest: expect.stringMatching(/^sha256:/),
    trusted: true,
    loosens: ['policy.sandbox', 'mcpServers'],
  })
  expect((await run(['trust', 'list'])).stdout).toMatch(/^trusted {2}.*toolpact\.json {2}sha256:[0-9a-f]{12} {2}by /)
  write({ policy: { sandboxNetwork: true } })
  expect((await run(['list'])).stderr).toContain(`${file} has changed since it was trusted, so this was left out: policy.sandboxNetwork.`) // biome-ignore format: one line
  expect(JSON.parse((await run(['trust', 'list', '--json'])).stdout)).toMatchObject([{ path: file, state: 'changed' }])
  expect((await run(['trust', 'revoke'])).stdout).toContain(`${file} is no longer trusted.`)
  expect(await run(['trust', 'revoke'])).toMatchObject({ code: 2, stderr: expect.stringContaining('No config of . is trusted.') }) // biome-ignore format: one line
  expect((await run(['list'])).stderr).toContain('is not trusted')
})

test.concurrent('what a config says cannot hide anything on the screen', async () => {
  const { run } = openFolder({ mcpServers: { a: { command: '\x1b[2Jrm', args: ['\u202e', 'x\nTrust it? (y/N) y'] } } })
  const { stdout } = await run(['trust'])
  expect(stdout).not.toMatch(/[\x1b\u202e]/)
  expect(stdout).toContain('\\u{202e}')
  expect(stdout).not.toMatch(/^Trust it/m)
})

test.concurrent.each<[config: string, words: RegExp]>([
  ['{ "policy": {', /toolpact\.json is not valid: Not valid JSON at line 1, column 14.*--no-config\.$/],
  ['{ "polcy": {} }', /toolpact\.json is not valid: \/polcy: .*Did you mean "policy"\?.*--no-config\.$/],
  [
    '{ "toolsets": ["lerning"] }',
    /\/toolsets\/0: There is no toolset 'lerning'\. Did you mean learning\?.*--no-config\.$/,
  ],
])('a config that is broken (%s) stops every command with one line', async (config, words) => {
  const { run, file } = openFolder(config)
  for (const args of [hello, ['list'], ['serve', '--port', '0']]) {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.trimEnd()).toMatch(words)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).toContain(file)
  }
  expect(await run([...hello, '--no-config'])).toMatchObject({ code: 0 })
})

test.concurrent('tools that the caller cli may not use are unknown to list, show and call', async () => {
  const { run } = openFolder({ callers: { cli: { tools: ['learning.*'] } } })
  expect(JSON.parse((await run(['list', '--json'])).stdout).every(({ toolset }: { toolset: string }) => toolset === 'learning')).toBe(true) // biome-ignore format: one line
  for (const args of [
    ['show', 'practitioner.hello'],
    ['call', 'practitioner.hello', 'name=Ada'],
  ])
    expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no tool') })
  expect(await run(hello)).toMatchObject({ code: 0, stderr: '' })
})

test.concurrent.each([
  [['trust', 'list', 'x'], "trust list takes no place, and got 'x'."],
  [['trust', 'a', 'b'], "trust takes one place, and got 'b'."],
  [['trust', 'state.json'], 'is neither a folder nor a toolpact.json'],
])('%j is told', async (args, words) => {
  const { run } = openFolder()
  expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) })
})

describe.skipIf(!hasTmux)('a person at a terminal (skipped where tmux is absent)', () => {
  const folder = openFolder({ ...loose, redact: Array.from({ length: 100 }, (_, index) => `VARIABLE_NUMBER_${index}`) })
  const { open, close } = openScreens(folder)
  afterAll(() => void close())
  const line = `"${process.execPath}" "${entries.toolpact}" trust`
  const asked = /^Trust it\? \(y\/N\)\s*$(?![\s\S]*\S)/m

  test('reads a long config page by page, with what it would run last, and trusts it with y', async () => {
    const terminal = open('yes', line)
    for (const rows of ['Rows 1 to 38 of', 'Rows 39 to 76 of', 'Rows 77 to']) {
      await terminal.until(rows)
      terminal.type('Enter')
    }
    const screen = await terminal.until(asked)
    expect(screen).toContain('touch')
    terminal.type('y', 'Enter')
    await terminal.until(/Trusted .*toolpact\.json as it is now\.[\s\S]*done:0/)
    expect(JSON.parse((await folder.run(['trust', 'list', '--json'])).stdout)).toMatchObject([{ state: 'trusted' }])
  })

  test('trusts nothing with Enter', async () => {
    folder.write(loose)
    const terminal = open('no', line)
    await terminal.until(asked)
    terminal.type('Enter')
    await terminal.until(/Not trusted\.[\s\S]*done:3/)
    expect(JSON.parse((await folder.run(['trust', 'list', '--json'])).stdout)).toMatchObject([{ state: 'changed' }])
  })
})
