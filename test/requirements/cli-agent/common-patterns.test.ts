import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished } from 'vitest'
import { openToolpact } from '../../../src/app/app.ts'
import { workspace } from '../../../src/toolsets/workspace/index.ts'
import { makeFolder } from '../../helpers/open-test-pipeline.ts'
import { openCommandFolder } from '../../helpers/run-command.ts'
import { cliAgent } from '../cli-agent.ts'
import { openStatements } from '../statements.ts'
import { describeTool, openFolder } from './describe-tool.ts'

const { statement } = openStatements(cliAgent)
const { fail } = describeTool('read_file')
const { folder, run, close } = openCommandFolder()
afterAll(close)

statement('E1101', async () => {
  for (const { code } of await failEach()) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
})
statement('E1102', async () => {
  for (const { message } of await failEach()) expect(message).toMatch(/^[A-Z].+/)
})
statement('E1103', async () => {
  for (const { suggestion } of await failEach()) expect(suggestion).toMatch(/^[A-Z].+\.$/)
})
statement('E1104', async () => expect(await fail({ path: '../a' })).toHaveProperty('code', 'path_outside_working_dir'))
statement('E1105', async () => expect(await fail({ path: 'missing.txt' })).toHaveProperty('code', 'file_not_found'))
statement('E1106', async () => {
  expect((await fail({ path: 'missing.txt' })).message).toMatch(/^File 'missing\.txt' not found/)
})
statement('E1107', async () => {
  expect((await fail({ path: 'missing.txt' })).suggestion).toMatch(
    /^Check the file name and try again, or use (?:workspace\.)?file_search to find it\.$/,
  )
})
statement('E1108', async () => {
  const { code, stdout, stderr } = await run(['call', 'workspace.read_file', 'path=missing.txt'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.split('\n')[0]).toBe("Error: File 'missing.txt' not found")
})
statement('E1109', async () => {
  writeFileSync(join(folder, 'a.bin'), '\0')
  const { stdout } = await run(['call', 'workspace.read_file', 'path=a.bin'])
  expect(stdout).toContain('Warning: File appears to be binary, displaying first 1KB as hex\n')
})

const pattern = '^{"path":"test\\.txt"}$'
statement('E1121', async () => {
  const { add, isAllowed } = await openRules()
  await add({ tool: 'workspace.create_directory', pattern })
  expect(await isAllowed('create_directory', { path: 'test.txt' })).toBe(true)
  expect(await isAllowed('create_file', { path: 'test.txt', content: '' })).toBe(false)
})
statement('E1122', async () => {
  const { add, isAllowed } = await openRules()
  await add({ tool: 'workspace.create_directory', pattern: '^{"path":"src/[a-z]+"}$' })
  expect(await isAllowed('create_directory', { path: 'src/models' })).toBe(true)
  expect(await isAllowed('create_directory', { path: 'src/Models' })).toBe(false)
})
statement('E1123', async () => {
  const { add, isAllowed } = await openRules()
  const soon = Date.now() + 300
  await add({ tool: 'workspace.create_directory', pattern, expiresAt: new Date(soon).toISOString() })
  await expect.poll(() => Date.now()).toBeGreaterThan(soon)
  expect(await isAllowed('create_directory', { path: 'test.txt' })).toBe(false)
})
statement('E1124', async () => {
  const { add, toolpact, isAllowed } = await openRules()
  const { id } = await add({ tool: 'workspace.create_directory', pattern })
  await toolpact.rules.setDisabled(id, true)
  expect(await isAllowed('create_directory', { path: 'test.txt' })).toBe(false)
})
statement('E1125', async () => {
  const { add, isAllowed } = await openRules()
  await add({ tool: 'workspace.create_directory', pattern })
  expect(await isAllowed('create_directory', { path: 'other.txt' })).toBe(false)
})

statement('E1131', async () =>
  expect(await create('people')).toMatch(/^✓ Created file: people\/hello\.py \(125 bytes\)\n/),
)
statement('E1132', async () => expect(await create('place')).toContain(`\n  Location: ${folder}/place/hello.py\n`))
statement('E1133', async () => expect(await create('time')).toMatch(/\n {2}Time: \d+ms\n$/))
statement('E1134', async () => expect(await create('json', '--json')).toMatch(/^\{.*\}\n$/))
statement('E1135', async () => expect(await createJson('tool')).toHaveProperty('tool', 'create_file'))
statement('E1136', async () => expect(await createJson('success')).toHaveProperty('success', true))
statement('E1137', async () => {
  expect(await createJson('output')).toHaveProperty('output', 'Created file: output/hello.py (125 bytes)')
})
statement('E1138', async () => expect(await createJson('files')).toHaveProperty('files_affected', ['files/hello.py']))
statement('E1139', async () => {
  expect(await createJson('ms')).toHaveProperty('execution_time_ms', expect.any(Number))
})

/** Every error of an example of a tool. */
async function failEach() {
  const tools = workspace.tools.filter(({ offer }) => !offer)
  const examples = tools.flatMap(({ contract: { name, examples } }) =>
    examples.filter(({ error }) => error !== undefined).map((example) => ({ name, ...example })),
  )
  expect(new Set(examples.map(({ name }) => name)).size).toBe(tools.length)
  return Promise.all(
    examples.map(async ({ name, input, given }) => {
      const result = await openFolder({ files: given?.files ?? {} }).call(name, input)
      if (result.success) throw new Error(`${name} succeeds`)
      return result.error
    }),
  )
}

async function openRules() {
  const [directory, state] = [makeFolder(), makeFolder()]
  const toolpact = await openToolpact({
    workspace: directory,
    stateDirectory: state,
    toolsets: ['workspace'],
    storage: 'memory',
    approver: async () => ({ answer: 'no', by: 'a test' }),
  })
  onTestFinished(() => toolpact.close())
  return {
    toolpact,
    add: (draft: { tool: string; pattern: string; expiresAt?: string }) =>
      toolpact.rules.add({ ...draft, createdBy: 'a test' }),
    isAllowed: async (tool: string, input: object) => (await toolpact.call(`workspace.${tool}`, input)).success,
  }
}

/** What the command prints about a new file of 125 bytes in this folder. */
async function create(directory: string, ...options: string[]): Promise<string> {
  const input = { path: `${directory}/hello.py`, content: 'x'.repeat(125) }
  const args = ['call', 'workspace.create_file', '--input', JSON.stringify(input), '--yes', ...options]
  const { code, stdout, stderr } = await run(args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

const createJson = async (directory: string) => JSON.parse(await create(directory, '--json'))
