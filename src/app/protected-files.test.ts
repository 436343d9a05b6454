import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, yes } from '../../test/helpers/open-test-pipeline.ts'
import { openToolpact, type ToolpactOptions } from './app.ts'

const handler = "export const run = () => ({ answer: 'mine' })"
const contract = {
  name: 'own',
  description: 'Answers.',
  risk: 'read_only',
  input: { type: 'object', additionalProperties: false, properties: {} },
  output: { type: 'object', additionalProperties: false, properties: { answer: { type: 'string' } } },
}

/** A workspace with a config of another name and a contract folder in it, both also reached by symlinks. */
function makeWorkspace() {
  const workspace = makeFolder()
  mkdirSync(join(workspace, 'conf'))
  mkdirSync(join(workspace, 'tools'))
  writeFileSync(join(workspace, 'conf', 'mine.json'), '{ "policy": { "sandbox": "auto" } }')
  writeFileSync(join(workspace, 'tools', 'own.contract.json'), JSON.stringify(contract))
  writeFileSync(join(workspace, 'tools', 'own.js'), handler)
  symlinkSync('conf', join(workspace, 'settings'))
  symlinkSync(join('conf', 'mine.json'), join(workspace, 'link.json'))
  symlinkSync('tools', join(workspace, 'more'))
  return workspace
}

async function open(workspace: string, options: ToolpactOptions) {
  const toolpact = await openToolpact({
    workspace,
    storage: 'memory',
    approver: yes,
    stateDirectory: makeFolder(),
    ...options,
  })
  onTestFinished(() => toolpact.close())
  return {
    create: (path: string) => toolpact.call('workspace.create_file', { path, content: 'x' }),
    replace: (path: string, old_string: string) =>
      toolpact.call('workspace.replace_string_in_file', { path, old_string, new_string: 'evil' }),
    run: (command: string) => toolpact.call('workspace.run_in_terminal', { command }),
  }
}

const refused = { error: { code: 'permission_denied', message: expect.stringContaining('Toolpact loads it when it starts') } } // biome-ignore format: one line

test.each([
  ['by its name', 'conf/mine.json', 'tools'],
  ['by symlinks', 'link.json', 'more'],
  ['through a folder that is a symlink', 'settings/mine.json', 'tools'],
])('no file tool writes the config or a contract folder that was named %s', async (_, config, contracts) => {
  const workspace = makeWorkspace()
  const { create, replace } = await open(workspace, { config: join(workspace, config), contracts: [join(workspace, contracts)] }) // biome-ignore format: one line
  for (const path of ['conf/mine.json', 'link.json', 'settings/mine.json'])
    expect(await replace(path, 'auto'), path).toMatchObject(refused)
  for (const path of ['tools/own.js', 'more/own.js']) expect(await replace(path, 'mine'), path).toMatchObject(refused)
  for (const path of ['tools/new.contract.json', 'more/lib/x.js', 'TOOLS/new.js'])
    expect(await create(path), path).toMatchObject(refused)
  expect(readFileSync(join(workspace, 'conf', 'mine.json'), 'utf8')).toContain('auto')
  for (const path of ['conf/other.json', 'tools-2/own.js', 'src/tools/own.js'])
    expect(await create(path), path).toMatchObject({ success: true })
})

test('a toolpact.json that is a symlink is protected where it leads', async () => {
  const workspace = makeWorkspace()
  symlinkSync(join('conf', 'mine.json'), join(workspace, 'toolpact.json'))
  const { replace } = await open(workspace, { discover: true })
  expect(await replace('conf/mine.json', 'auto')).toMatchObject(refused)
})

test('where the workspace itself is a contract folder, code in it is protected and other files are not', async () => {
  const workspace = join(makeWorkspace(), 'tools')
  const { create } = await open(workspace, { contracts: [workspace] })
  for (const path of ['new.contract.json', 'new.mjs', 'lib/new.ts'])
    expect(await create(path), path).toMatchObject({ error: { code: 'permission_denied', message: expect.stringContaining('contract folder') } }) // biome-ignore format: one line
  expect(await create('notes.md')).toMatchObject({ success: true })
})

test('a sandboxed command cannot write them either', async ({ skip }) => {
  const workspace = makeWorkspace()
  const { run } = await open(workspace, { config: join(workspace, 'link.json'), contracts: [join(workspace, 'tools')] })
  const command = 'echo x > conf/mine.json; echo x > tools/own.js; echo x > tools/new.js; echo x > a.txt'
  const result = await run(command)
  skip(JSON.stringify(result).includes('"sandbox":"none"'), 'bubblewrap does not work here')
  expect(readFileSync(join(workspace, 'conf', 'mine.json'), 'utf8')).toContain('auto')
  expect(readFileSync(join(workspace, 'tools', 'own.js'), 'utf8')).toBe(handler)
  expect(JSON.stringify(result).match(/Read-only file system/g)).toHaveLength(3)
  expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('x\n')
})

test('a sandboxed command cannot put another folder in the place of the one around them', async ({ skip }) => {
  const workspace = makeWorkspace()
  const { run } = await open(workspace, { config: join(workspace, 'conf', 'mine.json') })
  const result = await run('mv conf moved; mkdir -p conf; echo x > conf/mine.json; echo x > conf/other.json')
  skip(JSON.stringify(result).includes('"sandbox":"none"'), 'bubblewrap does not work here')
  expect(readFileSync(join(workspace, 'conf', 'mine.json'), 'utf8')).toContain('auto')
  expect(readFileSync(join(workspace, 'conf', 'other.json'), 'utf8')).toBe('x\n')
})
