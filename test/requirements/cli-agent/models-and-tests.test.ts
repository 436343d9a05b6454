import { readFileSync } from 'node:fs'
import { expect, onTestFinished } from 'vitest'
import { openToolpact } from '../../../src/app/app.ts'
import { openaiTools } from '../../../src/surfaces/function-calling/openai.ts'
import { workspace } from '../../../src/toolsets/workspace/index.ts'
import config from '../../../vitest.config.ts'
import { cliAgent } from '../cli-agent.ts'
import { openStatements } from '../statements.ts'

const { statement } = openStatements(cliAgent)
const contracts = workspace.tools.filter(({ offer }) => !offer).map(({ contract }) => contract)

statement('E1141', async () => {
  const functions = await readFunctions()
  expect(functions).toHaveLength(10)
  for (const { type } of functions) expect(type).toBe('function')
})
statement('E1142', async () => {
  const functions = await readFunctions()
  expect(functions.map(({ function: { name } }) => name)).toEqual(contracts.map(({ name }) => name))
})
statement('E1143', async () => {
  expect((await readCreateFile()).description).toMatch(/^Create a new file with specified content/)
})
statement('E1144', async () => expect((await readCreateFile()).parameters).toHaveProperty('type', 'object'))
statement('E1145', async () => {
  expect((await readCreateFile()).parameters).toMatchObject({
    properties: {
      path: { type: 'string', description: 'Relative path to the file to create' },
      content: { type: 'string', description: 'Content to write to the file' },
    },
  })
})
statement('E1146', async () =>
  expect((await readCreateFile()).parameters).toHaveProperty('required', ['path', 'content']),
)

statement('E1151', () => {
  for (const { name } of contracts) expect(readTests(name), name).toContain('success: true')
})
statement('E1154', () => {
  const shared = ['path-escapes', 'permission'].map(readTests).join('\n')
  const untested = contracts.flatMap(({ name, errors }) => {
    const tests = `${readTests(name)}\n${shared}`
    return errors.filter(({ code }) => !tests.includes(code)).map(({ code }) => `${name}: ${code}`)
  })
  expect(untested).toEqual([])
})
statement('E1159', () => {
  for (const { name } of contracts)
    expect([...readTests(name).matchAll(/^\s*test(?:\.\w+)*\(/gm)].length, name).toBeGreaterThanOrEqual(10)
})
statement('E1160', () => {
  expect(config.test?.coverage).toMatchObject({
    include: ['src/toolsets/**/*.ts', 'src/tool-parts/**/*.ts'],
    thresholds: { lines: 95, perFile: true },
  })
})

/** The tools of the workspace as a model gets them. */
async function readFunctions() {
  const toolpact = await openToolpact({ storage: 'memory', toolsets: ['workspace'] })
  onTestFinished(() => toolpact.close())
  return openaiTools(toolpact)
}

async function readCreateFile() {
  return (await readFunctions()).find((tool) => tool.function.name === 'create_file')!.function
}

/** The tests beside a tool. */
function readTests(name: string): string {
  const file = `${name.replaceAll('_', '-')}.test.ts`
  return readFileSync(new URL(`../../../src/toolsets/workspace/${file}`, import.meta.url), 'utf8')
}
