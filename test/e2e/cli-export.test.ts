import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { openCommandFolder } from '../helpers/run-command.ts'

const { folder, run, close } = openCommandFolder()
afterAll(close)

const root = fileURLToPath(new URL('../..', import.meta.url))

test.concurrent('openai prints functions on stdout, and what is lost on stderr', async () => {
  const { code, stdout, stderr } = await run(['export', 'openai', '--toolset', 'workspace'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^\[\n {2}\{\n {4}"type": "function",\n/)
  expect(JSON.parse(stdout)[0].function).toEqual({
    name: 'create_file',
    description: 'Create a new file with specified content',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Relative path to the file to create' },
        content: { type: 'string', description: 'Content to write to the file' },
      },
      required: ['path', 'content'],
    },
  })
  expect(stderr).toMatch(/\n {2}maxLength: Left out; .* \(create_file, read_file, .* and \d+ more\)\n/)
})

test.concurrent('several toolsets have names that tell them apart, the same in each format', async () => {
  const namesOf = async (format: string) => JSON.stringify(JSON.parse((await run(['export', format])).stdout))
  expect(await namesOf('openai')).toContain('"name":"learning_hello"')
  expect(await namesOf('anthropic')).toContain('"name":"learning_hello"')
  expect(await namesOf('gemini')).toContain('"name":"learning_hello"')
  expect(await namesOf('mcp')).toContain('"name":"learning_hello"')
  expect(await namesOf('openapi')).toContain('"/v1/tools/learning_hello"')
})

test.concurrent('--json wraps the result with every loss', async () => {
  const { stdout, stderr } = await run(['export', 'openai', '--strict', '--json', '--toolset', 'workspace'])
  const { format, result, losses, withheld } = JSON.parse(stdout)
  expect({ format, withheld, stderr }).toEqual({ format: 'openai', withheld: [], stderr: '' })
  expect(result[0].function).toMatchObject({ name: 'create_file', strict: true })
  expect(losses).toContainEqual({
    tool: 'create_file',
    pointer: '/input/properties/path',
    keyword: 'maxLength',
    note: 'Moved into the description.',
  })
})

test.concurrent('the documents of this repository are what export writes', async () => {
  for (const [format, document] of [
    ['markdown', 'docs/tools.md'],
    ['openapi', 'docs/openapi.json'],
  ] as const) {
    const out = join(folder, `same-${format}`)
    expect((await run(['export', format, '--out', out])).code).toBe(0)
    expect(readFileSync(out, 'utf8'), format).toBe(readFileSync(join(root, document), 'utf8').replaceAll('\r\n', '\n'))
  }
})

test.concurrent('--out replaces a file, also behind a link, and leaves nothing else', async () => {
  const place = join(folder, 'out')
  mkdirSync(place)
  writeFileSync(join(place, 'real.d.ts'), 'before')
  symlinkSync('real.d.ts', join(place, 'link.d.ts'))
  const { code, stdout, stderr } = await run(['export', 'types', '--out', 'out/link.d.ts'])
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'Wrote out/link.d.ts.\n' })
  expect(readFileSync(join(place, 'real.d.ts'), 'utf8')).toContain('export interface Tools {')
  expect(lstatSync(join(place, 'link.d.ts')).isSymbolicLink()).toBe(true)
  const asJson = await run(['export', 'types', '--out', 'out/link.d.ts', '--json'])
  expect(JSON.parse(asJson.stdout)).toEqual({ format: 'types', out: 'out/link.d.ts', losses: [], withheld: [] })
  expect(readdirSync(place).sort()).toEqual(['link.d.ts', 'real.d.ts'])
})

test.concurrent.each([
  [
    ['export'],
    'export needs a format.',
    'Use one of mcp, openapi, openai, anthropic, gemini, markdown, types, validators, contracts, errors, ',
  ],
  [['export', 'yaml'], "There is no format 'yaml'.", 'Use one of mcp'],
  [['export', 'constructor'], "There is no format 'constructor'.", 'Use one of mcp'],
  [['export', 'mcp', 'types'], "also got 'types'", 'See toolpact export --help.'],
  [['export', 'gemini', '--strict'], '--strict is for openai', 'See toolpact export --help.'],
  [['export', 'mcp', '--out', 'no/such/folder.json'], 'no/such/folder.json cannot be written (ENOENT)', 'after --out'],
  [['export', 'mcp', '--out', '.'], 'cannot be written (E', 'after --out'],
])('%j is wrong usage, and says what is right', async (args, message, suggestion) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
  expect(stderr).toContain(suggestion)
})
