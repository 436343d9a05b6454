import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { configSchema } from '../../src/app/config/config-schema.ts'
import { commands } from '../../src/cli/main.ts'
import type { Command } from '../../src/cli/options/command.ts'
import { globalOptions, toOptionTable } from '../../src/cli/options/command-line.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import { compileSchema } from '../../src/contract/schema/compile-schema.ts'
import { isBuilt } from '../setup/is-built.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = ['README.md', 'CONTRIBUTING.md', ...['docs', 'docs/guides'].flatMap((folder) => readdirSync(join(root, folder)).filter(isPage).map((name) => `${folder}/${name}`))] // biome-ignore format: one line

/** Generated pages contain no hand-written code. */
function isPage(name: string): boolean {
  return name.endsWith('.md') && !['tools.md', 'requirements.md', 'benchmarks.md', 'failure-matrix.md'].includes(name)
}

interface Block {
  readonly place: string
  readonly language: string
  readonly text: string
}

function readPage(page: string): string {
  return readFileSync(join(root, page), 'utf8').replaceAll('\r\n', '\n')
}

const blocks: readonly Block[] = pages.flatMap((page) => {
  const whole = readPage(page)
  return [...whole.matchAll(/^( *)```(\w+).*\n([\s\S]*?)^ *```$/gm)].map(({ index, 2: language, 3: text }) => ({
    place: `${page}:${whole.slice(0, index).split('\n').length}`,
    language: language!,
    text: text!,
  }))
})

/** Declarations for names that the programs on the pages use without an import. */
const around = `
import type { Capabilities, JsonSchema, ToolCallsMessage } from 'toolpact'
declare global {
  const schema: JsonSchema
  const line: string
  const messages: unknown[]
  const contract: {
    name: 'write_note'
    description: string
    risk: 'safe_write'
    input: { type: 'object'; properties: { path: { type: 'string' }; text: { type: 'string' } }; required: ['path', 'text'] }
    output: { type: 'object'; properties: {} }
  }
  const run: (input: unknown, context: unknown, capabilities: Pick<Capabilities, 'files'>) => Record<string, never>
  const model: string
  const client: { chat: { completions: { create(options: object): Promise<{ choices: [{ message: ToolCallsMessage }] }> } } }
}
`
const tools = `
import type { Validate } from 'toolpact'
type Listing = { content: string }
export type Tools = { 'files.list_directory': { input: { path: string }; output: Listing } }
export declare const validators: { 'files.list_directory': { output: Validate<Listing> } }
`

test('programs on the pages fit the types of what the package exports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-pages-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const programs = blocks.filter(({ language, text }) => language === 'ts' && !importsOthers(text))
  expect(programs.length).toBeGreaterThan(8)
  const files = programs.map(({ place, text }) => {
    const name = `${place.replaceAll(/\W+/g, '-')}.ts`
    writeFileSync(join(folder, name), `${text}\nexport {}\n`)
    return name
  })
  writeFileSync(join(folder, 'around.ts'), around)
  writeFileSync(join(folder, 'tools.ts'), tools)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const library = join(root, isBuilt() ? 'dist/index.d.ts' : 'src/index.ts')
  const compilerOptions = {
    paths: { toolpact: [library] },
    typeRoots: [join(root, 'node_modules/@types')],
    noUnusedLocals: false,
    noUnusedParameters: false,
  }
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, files: [...files, 'around.ts'], include: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' }) // biome-ignore format: one line
  expect(stdout).toBe('')
})

/** The page about OpenAPI shows a client that somebody else wrote; a step of a page that a test follows is no program. */
function importsOthers(text: string): boolean {
  return /from '(?!toolpact'|\.\/tools\.ts'|node:)/.test(text) || !/^(?:import|const|export)\b/m.test(text)
}

test('configs on the pages are valid', async () => {
  const { validate } = await compileSchema(configSchema)
  const settings = Object.keys(configSchema.properties!)
  const configs = blocks.flatMap(({ place, language, text }) => {
    const value = language === 'json' ? parseObject(text) : undefined
    return value && settings.includes(Object.keys(value)[0]!) ? [{ place, value }] : []
  })
  expect(configs.length).toBeGreaterThan(10)
  expect(configs.flatMap(({ place, value }) => validate(value).map(({ message }) => `${place}: ${message}`))).toEqual(
    [],
  )
})

/** Undefined if the page elides something with `…`. */
function parseObject(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Line {
  readonly place: string
  readonly words: readonly string[]
}

const shown: readonly Line[] = [
  ...blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ place, text }) =>
      text.replaceAll('\\\n', ' ').split('\n').flatMap((line) => toCommands(line).map((words) => ({ place, words }))),
    ),
  ...pages.flatMap((page) =>
    [...readPage(page).matchAll(/`((?:npx )?toolpact [a-z][^`\n]*)`/g)].flatMap(({ 1: text }) =>
      toCommands(text!).map((words) => ({ place: page, words })),
    ),
  ),
] // biome-ignore format: two sources

/** The words behind `toolpact` in each command of a line of shell. */
function toCommands(line: string): string[][] {
  const tokens = [...line.matchAll(/'[^']*'|"[^"]*"|&&|[|;<>]|(?:[^\s'"|;<>&]|'[^']*'|"[^"]*"|&(?!&))+/g)].map(([token]) => token) // biome-ignore format: one line
  const found: string[][] = []
  let words: string[] | undefined
  for (const token of tokens) {
    if (token.startsWith('#')) break
    if (/^(?:&&|[|;<>])$/.test(token)) words = undefined
    else if (token === 'toolpact' && !words) {
      words = []
      found.push(words)
    } else words?.push(token)
  }
  return found
}

test('commands on the pages exist, with their subcommands and options', async () => {
  expect(shown.length).toBeGreaterThan(100)
  const wrong: string[] = []
  for (const { place, words } of shown) {
    const problem = await findProblem(words)
    if (problem !== undefined) wrong.push(`${place}: toolpact ${words.join(' ')}: ${problem}`)
  }
  expect(wrong).toEqual([])
})

async function findProblem([name = '', ...all]: readonly string[]): Promise<string | undefined> {
  // `npm install toolpact`, `toolpact --help` and `toolpact help options`
  if (name === '' || name === 'help' || name.startsWith('-')) return undefined
  if (!Object.hasOwn(commands, name)) return 'no such command'
  const command = await commands[name]!.load()
  const rest = all.includes('--') ? all.slice(0, all.indexOf('--')) : all
  const known = { ...globalOptions, ...toOptionTable(command) }
  const option = rest.find((word) => /^--[a-z]/.test(word) && !Object.hasOwn(known, /^--([a-z-]+)/.exec(word)![1]!))
  if (option !== undefined) return `no option ${option}`
  const [first] = rest
  const subcommands = toSubcommands(name, command)
  return subcommands && first !== undefined && /^[a-z]+$/.test(first) && !subcommands.has(first)
    ? `no subcommand ${first}`
    : undefined
}

/** Undefined where a name of somebody's may stand in their place. */
function toSubcommands(name: string, { usage, actions = {} }: Command): Set<string> | undefined {
  const found = new Set(Object.keys(actions))
  for (const line of usage) {
    const [first = '', ...more] = line.slice(name.length).trim().split(/\s+/)
    if (/^\[?[A-Z]/.test(first)) return undefined
    for (const word of [first, ...more.slice(0, more.indexOf('ID'))])
      if (/^\[?[a-z]+\]?$/.test(word)) found.add(word.replaceAll(/[[\]]/g, ''))
  }
  return found.size > 0 ? found : undefined
}
