import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs' // biome-ignore format: one line
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, yes } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact, type ToolpactOptions } from '../app.ts'
import type { ConfigSource } from './config.ts'

const loose: ConfigSource = { policy: { askAll: true, sandbox: 'off', allowHosts: ['intranet'] } }

/** A workspace with a config, and a state directory of its own. */
function makeWorkspace(config: ConfigSource | string = loose) {
  const root = realpathSync(makeFolder())
  const workspace = join(root, 'workspace')
  const file = join(workspace, 'toolpact.json')
  mkdirSync(workspace)
  const write = (next: ConfigSource | string) => writeFileSync(file, typeof next === 'string' ? next : JSON.stringify(next)) // biome-ignore format: one line
  write(config)

  async function open(options: ToolpactOptions = {}) {
    const toolpact = await openToolpact({
      storage: 'memory',
      stateDirectory: join(root, 'state'),
      workspace,
      discover: true,
      approver: yes,
      ...options,
    })
    onTestFinished(() => toolpact.close())
    return toolpact
  }

  async function trust() {
    const { trust } = await open({ discover: false })
    return trust.add(await trust.look(workspace), 'ada')
  }

  return { root, workspace, file, write, open, trust }
}

test('a config in the workspace is not looked at unless that is asked for', async () => {
  const { open } = makeWorkspace('{ broken')
  expect((await open({ discover: false })).config).toEqual({})
  expect((await open({ config: {} })).config).toEqual({})
})

test('until it is trusted, a config can only restrict, and one line lists what was left out', async () => {
  const { open, file, workspace, trust } = makeWorkspace()
  const before = await open()
  expect(before.config).toEqual({ policy: { askAll: true } })
  expect(before.notices).toEqual([
    `${file} is not trusted, so this was left out: policy.sandbox, policy.allowHosts. Review it with toolpact trust ${workspace}.`,
  ])
  await trust()
  const after = await open()
  expect(after.config.policy).toMatchObject(loose.policy!)
  expect(after.notices).toEqual([])
})

test('there is no notice if all settings apply', async () => {
  const { open } = makeWorkspace({ policy: { readOnly: true }, callers: { library: { tools: ['learning.*'] } } })
  const { notices, call } = await open()
  expect(notices).toEqual([])
  expect(await call('workspace.list_dir', {})).toMatchObject({ error: { code: 'tool_not_found' } })
  expect(await call('learning.hello', { name: 'Ada' })).toMatchObject({ success: true })
})

test('trust is for one content at one path', async () => {
  const { open, write, trust, root, workspace } = makeWorkspace()
  await trust()
  write({ ...loose, policy: { ...loose.policy, sandboxNetwork: true } })
  const changed = await open()
  expect(changed.config).toEqual({ policy: { askAll: true } })
  expect(changed.notices[0]).toContain('has changed since it was trusted')
  write(`${JSON.stringify(loose)} `)
  expect((await open()).notices).toHaveLength(1)
  write(loose)
  expect((await open()).notices).toEqual([])
  renameSync(workspace, join(root, 'elsewhere'))
  expect((await open({ workspace: join(root, 'elsewhere') })).notices[0]).toContain('is not trusted')
})

test('the reviewed content is trusted, even if the file has changed since', async () => {
  const { open, write, workspace } = makeWorkspace()
  const { trust } = await open({ discover: false })
  const reviewed = await trust.look(workspace)
  write({ policy: { keepEnvironment: ['SECRET_TOKEN'] } })
  await trust.add(reviewed, 'ada')
  expect((await open()).config).toEqual({ policy: {} })
})

test('tools cannot write a config, and what a command writes is not trusted', async () => {
  const { open, file, trust } = makeWorkspace({ policy: { sandbox: 'off' } })
  await trust()
  const toolpact = await open()
  for (const [tool, input] of [
    ['create_file', { path: 'toolpact.json', content: '{}' }],
    ['create_file', { path: 'sub/toolpact.json', content: '{}' }],
    ['replace_string_in_file', { path: 'toolpact.json', old_string: 'off', new_string: 'auto' }],
  ] as const)
    expect(await toolpact.call(`workspace.${tool}`, input)).toMatchObject({ error: { code: 'permission_denied' } })
  expect((await open()).notices).toEqual([])
  const command = `printf '{"policy":{"sandboxNetwork":true,"sandbox":"off"}}' > toolpact.json`
  expect(await toolpact.call('workspace.run_in_terminal', { command })).toMatchObject({ success: true })
  const after = await open()
  expect(after.config).toEqual({ policy: {} })
  expect(after.notices[0]).toContain(`${file} has changed since it was trusted`)
})

test('no tool can access the list of trusted configs', async () => {
  const { open, workspace } = makeWorkspace()
  const toolpact = await open({ stateDirectory: join(workspace, 'state') })
  await toolpact.trust.add(await toolpact.trust.look(workspace), 'ada')
  for (const path of ['state/trust.json', join(workspace, 'state', 'trust.json')]) {
    const result = await toolpact.call('workspace.create_file', { path, content: '{}' })
    expect(result).toMatchObject({ error: { code: 'permission_denied' } })
  }
})

test('limits of a config that is not trusted lower, and raise once it is', async () => {
  const { open, trust } = makeWorkspace({ limits: { 'learning.hello': { timeoutMs: 90_000, concurrency: 1 } } })
  const limitsOf = async () => {
    const { catalog, notices } = await open()
    const found = await catalog.find('learning.hello')
    return { limits: found.kind === 'found' && found.tool.contract.limits, said: notices.join() }
  }
  expect(await limitsOf()).toMatchObject({
    limits: { timeoutMs: 60_000, concurrency: 1 },
    said: expect.stringContaining('left out: limits.learning.hello.timeoutMs.'),
  })
  await trust()
  expect(await limitsOf()).toMatchObject({ limits: { timeoutMs: 90_000, concurrency: 1 }, said: '' })
})

test('a list that others can write trusts nothing, and is reported', async () => {
  const { open, trust, root } = makeWorkspace()
  await trust()
  if (process.platform !== 'win32') chmodSync(join(root, 'state', 'trust.json'), 0o666)
  else writeFileSync(join(root, 'state', 'trust.json'), '{')
  const { config, notices } = await open()
  expect(config).toEqual({ policy: { askAll: true } })
  expect(notices[1]).toMatch(/^Nothing .* trust/)
})

test('a config that is broken stops the start with one line, trusted or not', async () => {
  const { open, write, trust, file } = makeWorkspace()
  await trust()
  for (const text of ['{', '{"polcy":{}}', '[]', '{"limits":{"learning.helo":{"timeoutMs":1}}}', '\xff']) {
    write(text)
    const error: Error = await open().then(
      () => expect.unreachable(),
      (cause) => cause,
    )
    expect(error).toMatchObject({ name: 'ConfigError', message: expect.stringMatching(/^The config [^\n]*$/) })
    expect(error.message).toContain(file)
  }
})

test.skipIf(process.platform === 'win32').each<[string, (file: string, root: string) => void, string]>([
  ['a link out of the workspace', (file, root) => link(join(root, 'state.json'), file), 'leaves its folder'],
  ['a link that leads nowhere', (file) => symlinkSync('nowhere.json', file), 'dangling symlink'],
  ['a folder', (file) => mkdirSync(file), 'is not a regular file'],
  ['a pipe', (file) => execFileSync('mkfifo', [file]), 'is not a regular file'],
  ['a file of two megabytes', (file) => writeFileSync(file, ' '.repeat(2_000_000)), 'more than 1048576 bytes'],
])('%s is not used', async (_, make, words) => {
  const { open, file, root } = makeWorkspace()
  unlinkSync(file)
  make(file, root)
  await expect(open()).rejects.toThrow(words)
})

function link(target: string, file: string) {
  writeFileSync(target, '{}')
  symlinkSync(target, file)
}

test.skipIf(process.platform === 'win32')('a link inside the workspace is trusted by where it leads', async () => {
  const { open, trust, file, workspace } = makeWorkspace()
  renameSync(file, join(workspace, 'real.json'))
  symlinkSync('real.json', file)
  expect((await trust()).path).toBe(join(workspace, 'real.json'))
  expect((await open()).notices).toEqual([])
  writeFileSync(join(workspace, 'other.json'), JSON.stringify(loose))
  unlinkSync(file)
  symlinkSync('other.json', file)
  expect((await open()).notices[0]).toContain('other.json is not trusted')
})

test('trusted configs are listed with their state, and revoked by folder, file or former path', async () => {
  const { open, trust, write, workspace, file } = makeWorkspace()
  const { trust: store } = await open({ discover: false })
  const states = async () => (await store.list()).map(({ state }) => state)
  for (const place of [workspace, file]) {
    await trust()
    expect(await store.revoke(place)).toMatchObject({ path: file, trustedBy: 'ada' })
    expect(await store.list()).toEqual([])
  }
  await trust()
  expect(await states()).toEqual(['trusted'])
  write({})
  expect(await states()).toEqual(['changed'])
  rmSync(workspace, { recursive: true })
  expect(await states()).toEqual(['gone'])
  expect(await store.revoke(workspace)).toMatchObject({ path: file })
  expect(await store.revoke(workspace)).toBeUndefined()
})

test('a config under another name needs no trust, and says so', async () => {
  const { open, workspace } = makeWorkspace()
  writeFileSync(join(workspace, 'other.json'), '{}')
  const { trust } = await open({ discover: false })
  await expect(trust.look(join(workspace, 'other.json'))).rejects.toThrow('pass it with --config')
})
