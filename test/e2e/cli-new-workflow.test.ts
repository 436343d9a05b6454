import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'
import { openScriptedModel } from '../helpers/scripted-model.ts'

const { folder, env, run, close } = openCommandFolder()
afterAll(close)

const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'))

test.concurrent('a workflow of tools connects what fits, and passes the check', async () => {
  const { code, stdout, stderr } = await run(['new', 'workflow', 'save_page', 'web.fetch', 'create_file', '--contracts', 'pages', '--json']) // biome-ignore format: one line
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({
    workflow: 'pages.save_page',
    created: [join('pages/save_page.workflow.json')],
    problems: [],
    mappings: [
      { step: 'web_fetch', name: 'url', from: 'input', source: '/input/url' },
      { step: 'create_file', name: 'path', from: 'input', source: '/input/path' },
      { step: 'create_file', name: 'content', from: 'output', source: '/steps/web_fetch/output/clean_text' },
    ],
  })
  expect(await run(['check', '--contracts', 'pages'])).toMatchObject({ code: 0 })
  expect(read('pages/save_page.workflow.json')).toMatchObject({
    name: 'save_page',
    description: 'Calls web.fetch, then create_file.',
    risk: 'safe_write',
    input: { required: ['url', 'path'] },
    steps: [{ tool: 'web-fetch.web.fetch' }, { tool: 'workspace.create_file' }],
  })
})

test.concurrent('it prints where values come from, and what to do next', async () => {
  const { stdout } = await run(['new', 'workflow', 'two', 'search.web', 'create_file', '--contracts', 'printed', '--yes'], { env: { COLUMNS: '80' } }) // biome-ignore format: one line
  expect(stdout).toMatch(
    /^✓ printed\.two\n {2}printed\/two\.workflow\.json\n\nSteps\n {2}search_web {3}query {4}← input query\n/,
  )
  expect(stdout).toContain('2. toolpact check --contracts printed\n')
  expect(stdout).toContain("3. toolpact run printed.two 'query=…' 'path=…' 'content=…' --contracts printed")
})

test.concurrent.each([
  [[], 'new workflow needs a name.'],
  [['one'], 'new workflow needs the tools that it calls.'],
  [['1st', 'create_file'], "A workflow cannot be named '1st'."],
  [['one', 'create_fil'], 'Did you mean'],
  [['one', 'hello'], "Several tools match the name 'hello'."],
  [['one', 'create_file', '--from', 'x'], 'With --from, the session names the tools.'],
  [['one', '--from', 'x'], "'x'"],
  [['one', 'create_file', '--contracts', 'other'], 'A workflow is made in one folder.'],
])('%j is refused, and nothing is written', async (args, message) => {
  const { code, stderr } = await run(['new', 'workflow', ...args, '--contracts', 'refused', '--yes'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  expect(existsSync(join(folder, 'refused'))).toBe(false)
})

test.concurrent('a name that the folder has already is refused', async () => {
  mkdirSync(join(folder, 'taken'))
  writeFileSync(join(folder, 'taken/save-page.workflow.yaml'), '')
  const { code, stderr } = await run(['new', 'workflow', 'save_page', 'create_file', '--contracts', 'taken', '--yes'])
  expect(code).toBe(2)
  expect(stderr).toContain("There is a tool 'save-page' in taken already.")
})

test('a session becomes a draft for review, in which what was returned is referred to and no secret is written', async () => {
  const token = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz'
  writeFileSync(join(folder, 'README.md'), 'Buy milk and bread.\n')
  await using model = await openScriptedModel([
    { calls: [{ name: 'learning_read_repo_file', input: { path: 'README.md' } }] },
    { calls: [{ name: 'learning_read_repo_file', input: { path: 'missing.md' } }] },
    { calls: [{ name: 'workspace_create_file', input: { path: 'copy.md', content: 'Buy milk and bread.\n' } }] },
    { calls: [{ name: 'workspace_create_file', input: { path: 'token.txt', content: `token=${token}` } }] },
    'Done.',
  ])
  const toolsets = ['--toolset', 'workspace', '--toolset', 'learning']
  const chat = await run(['chat', '-p', 'Copy it.', '--yes', '--json', ...toolsets], { env: model.environment })
  const { session } = JSON.parse(chat.stdout.split('\n')[0]!) as { session: string }
  const from = ['new', 'workflow', 'copy_list', '--from', session.slice(0, 8), '--contracts', 'drafts']
  const { code, stdout } = await run([...from, '--json'])
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 0,
    created: [join('drafts/copy_list.draft.json')],
    problems: [],
    next: expect.arrayContaining([expect.stringMatching(/^mv .*\.draft\.json .*\.workflow\.json$/)]),
  })
  const text = readFileSync(join(folder, 'drafts/copy_list.draft.json'), 'utf8')
  expect(text).not.toContain(token)
  const { steps, input } = JSON.parse(text)
  expect(steps).toEqual([
    { id: 'read_repo_file', tool: 'learning.read_repo_file', input: { path: { $from: '/input/path' } } },
    {
      id: 'create_file',
      tool: 'workspace.create_file',
      input: { path: { $from: '/input/create_file_path' }, content: { $from: '/steps/read_repo_file/output/content' } },
    },
    {
      id: 'create_file_2',
      tool: 'workspace.create_file',
      input: { path: { $from: '/input/create_file_2_path' }, content: { $from: '/input/content' } },
    },
  ])
  expect(input.properties.path).toMatchObject({ examples: ['README.md'] })
  expect(input.properties.content).not.toHaveProperty('examples')
  // A draft is not served.
  expect((await run(['list', '--contracts', 'drafts'])).stdout).not.toContain('copy_list')
  expect(await run(from)).toMatchObject({ code: 2, stderr: expect.stringContaining('already exists') })
})

test('a question of toolpact ask becomes a draft too, from what the ledger has of it', async () => {
  await using model = await openScriptedModel([{ calls: [{ name: 'hello', input: { name: 'Ada' } }] }, 'Hello, Ada.'])
  const asked = await run(['ask', 'Greet Ada.', '--json', '--toolset', 'learning'], { env: model.environment })
  expect(asked.code).toBe(0)
  const listed = await run(['ledger', '--json', '--tool', 'agent.ask', '--limit', '1'])
  const id = JSON.parse(listed.stdout).callId as string
  const { code, stdout } = await run(['new', 'workflow', 'greet', '--from', id.slice(0, 8), '--contracts', 'asks', '--json']) // biome-ignore format: one line
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, problems: [] })
  expect(read('asks/greet.draft.json')).toMatchObject({
    input: { properties: { name: { examples: ['Ada'] } } },
    steps: [{ tool: 'learning.hello', input: { name: { $from: '/input/name' } } }],
  })
})

describe.skipIf(!hasTmux)('on a terminal (skipped where tmux is absent)', () => {
  const { open, close: closeScreens } = openScreens({ folder, env })
  afterAll(() => void closeScreens())

  test('what is not given is asked for, again where it will not do', async () => {
    const screen = open('flow', `"${process.execPath}" "${entries.toolpact}" new workflow --contracts asked`, 80)
    await screen.until(/such as save_page:\s*$/)
    screen.type('1st', 'Enter')
    await screen.until(/cannot be named '1st'[\s\S]*such as save_page:\s*$/)
    screen.type('save_page', 'Enter')
    await screen.until(/step 1:\s*$/)
    screen.type('Enter')
    await screen.until(/at least one step[\s\S]*step 1:\s*$/)
    screen.type('web.fetch', 'Enter')
    await screen.until(/step 2:\s*$/)
    screen.type('creat_file', 'Enter')
    await screen.until(/creat_file[\s\S]*create_file[\s\S]*step 2:\s*$/)
    screen.type('create_file', 'Enter')
    await screen.until(/step 3:\s*$/)
    screen.type('Enter')
    await screen.until(/Calls web\.fetch, then create_file\.[\s\S]*or Enter:\s*$/)
    screen.type('Saves a page.', 'Enter')
    await screen.until('done:0')
    expect(read('asked/save_page.workflow.json')).toMatchObject({ name: 'save_page', description: 'Saves a page.' })
  })

  test('leaving before the end writes nothing', async () => {
    const screen = open('gone', `"${process.execPath}" "${entries.toolpact}" new workflow one --contracts gone`)
    await screen.until(/step 1:\s*$/)
    screen.type('C-d')
    await screen.until(/Nothing was written\.\s+done:3/)
    expect(existsSync(join(folder, 'gone'))).toBe(false)
  })
})
