import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { commands } from '../src/cli/main.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * What each room of src may import. A room is a folder, and a folder in it may be a room of its own; `*` is any folder, each a
 * room of its own. `type:` allows types only, `own:` a room inside of this one; a file name allows that file alone.
 */
const table: Record<string, readonly string[]> = {
  contract: [],
  policy: ['contract'],
  state: ['contract'],
  projections: ['contract'],
  protocol: ['contract'],
  'runtime/storage': ['contract', 'state'],
  // A preview resolves the paths that it shows.
  runtime: ['contract', 'policy', 'state', 'runtime/storage', 'capabilities/files.ts'],
  capabilities: ['contract', 'policy', 'state'],
  // Searching text for secrets has no side effects.
  'tool-parts': ['contract', 'type:capabilities', 'policy/secrets.ts'],
  toolsets: ['type:contract', 'type:capabilities', 'toolsets/*'],
  // Never another toolset: what two of them need is in tool-parts.
  'toolsets/*': ['contract', 'type:capabilities', 'tool-parts', 'own:capability'],
  'toolsets/*/capability': ['contract', 'policy', 'state', 'capabilities'],
  host: ['contract', 'policy', 'protocol'],
  surfaces: ['contract', 'runtime', 'projections', 'protocol', 'type:workflow'],
  // What operators see and do: everything that a program can.
  'surfaces/console': [
    ...['contract', 'runtime', 'projections', 'surfaces', 'type:app'],
    // The words for changes of tools.
    'host/lock/drift.ts',
    'type:host',
  ],
  // Runs in a browser: the types of the API, and pure code without Node.
  'surfaces/console/web': [
    ...['surfaces/console/api', 'type:contract'],
    ...['contract/json.ts', 'contract/schema/json-pointer.ts', 'contract/schema/local-reference.ts'],
    ...['contract/text/shorten.ts', 'contract/text/hidden-characters.ts'],
    // Verifies proofs with what browsers have.
    ...['checkpoint', 'proof-file', 'signed-note'].map((name) => `runtime/storage/proof/${name}.ts`),
  ],
  telemetry: ['contract', 'type:runtime'],
  authoring: ['contract', 'type:runtime', 'projections'],
  agent: ['contract', 'runtime', 'projections', 'type:capabilities'],
  // The web is a port.
  identity: ['contract', 'type:runtime'],
  workflow: ['contract', 'type:runtime'],
  app: [
    ...[
      'contract',
      'policy',
      'state',
      'runtime',
      'capabilities',
      'host',
      'protocol',
      'projections',
      'authoring',
      'telemetry',
      'workflow',
      'identity',
    ],
    // Their names and settings: nothing of a single toolset.
    ...['toolsets/index.ts', 'toolsets/settings.ts'],
  ],
  cli: [
    ...['contract', 'app', 'surfaces', 'agent', 'authoring', 'projections', 'state', 'workflow'],
    // The text of a question, and what the ledger's entries mean.
    ...[
      'runtime/approval',
      'runtime/storage',
      'runtime/rules/simulate-rules.ts',
      'runtime/pipeline/resolve-error.ts',
      'type:runtime',
    ],
    // What a server's tools and settings mean, for review.
    ...['host/admission', 'host/lock', 'host/to-output.ts', 'type:host'],
    ...[
      'policy/code-variables.ts',
      'policy/granted-hosts.ts',
      'policy/looks-like-read.ts',
      'policy/path.ts',
      'policy/secret-name.ts',
      'policy/secrets.ts',
    ],
    // The command chooses the model that the agent is handed.
    ...['capabilities/model/open-lazy-model.ts', 'type:capabilities'],
  ],
  'index.ts': [
    ...['contract', 'app', 'surfaces', 'runtime'],
    ...['type:capabilities', 'type:host', 'type:policy', 'type:projections', 'type:workflow', 'type:identity'],
  ],
}

const bannedInToolsets =
  /^(?:node:)?(?:fs|child_process|net|tls|dgram|http|https|http2|worker_threads|cluster|vm|module|process)(?:\/|$)/
const maxLines = 400

const sources = listFiles('src').filter((path) => /\.tsx?$/.test(path))

test('the sources are found', () => {
  expect(sources.length).toBeGreaterThan(30)
  expect(sources).toContain('src/runtime/pipeline/pipeline.ts')
})

test('imports go one way, as the table says', () => {
  expect(sources.flatMap((path) => findBadImports(path, read(path)))).toEqual([])
})

test('every entry of the table is used', () => {
  const used = sources
    .filter((path) => !isTest(path))
    .map((path) => ({ room: findRoom(path.slice('src/'.length))!, imports: foreignImports(path, read(path)) }))
  const unused = Object.entries(table).flatMap(([room, entries]) =>
    entries
      .filter(
        (entry) =>
          !used.some(
            (file) => findKey(file.room) === room && file.imports.some((one) => isAllowed(entry, file.room, one)),
          ),
      )
      .map((entry) => `${room}: ${entry}`),
  )
  expect(unused).toEqual([])
})

test('src contains only index.ts and the rooms, test only folders and this file', () => {
  const loose = [...sources, ...listFiles('test')].filter((path) => path.split('/').length === 2)
  expect(loose.sort()).toEqual(['src/index.ts', 'test/architecture.test.ts'])
})

test('a subcommand is a file or a folder in src/cli, and the shared folders import none', () => {
  const places = sources.filter((path) => path.startsWith('src/cli/')).map((path) => path.split('/')[2]!)
  const others = [...new Set(places)].filter((place) => !Object.hasOwn(commands, place.replace(/\.ts$/, '')))
  expect(others.sort()).toEqual(['help.ts', 'home.ts', 'main.ts', 'options', 'terminal', 'toolpact.ts'])
  const shared = sources.filter((path) => /^src\/cli\/(?:options|terminal)\//.test(path) && !isTest(path))
  const reach = shared.flatMap((path) =>
    [...read(path).matchAll(/'((?:\.\.?\/)[^']+\.ts)'/g)].map(([, target]) => posix.join(posix.dirname(path), target!)),
  )
  expect(reach.filter((path) => /^src\/cli\/(?!options\/|terminal\/)/.test(path))).toEqual([])
})

test('toolsets touch the world only through capabilities', () => {
  expect(sources.filter(isToolset).flatMap((path) => findBadReach(path, read(path)))).toEqual([])
})

test('only runtime/approval compares bindings and uses answers up', () => {
  const consumes = /\b(?:isSameCall|toDifference|bindingParts)\b|approvals\.(?:use|resume|explain)\(/
  const found = sources.filter((path) => !isTest(path) && consumes.test(withoutText(read(path))))
  const outside = found.filter((path) => !/^src\/runtime\/(?:approval|storage)\//.test(path))
  expect(found.length).toBeGreaterThan(3)
  expect(outside).toEqual([])
})

test(`no file has more than ${maxLines} lines`, () => {
  const files = [...sources, ...['test', 'bench', 'scripts'].flatMap(listFiles)].filter((path) => /\.tsx?$/.test(path))
  expect(files.filter((path) => read(path).split('\n').length - 1 > maxLines)).toEqual([])
})

test('these checks see a bad import, a banned module, global fetch and a long file', () => {
  const bad = "import { openSqliteStorage } from '../runtime/storage/sqlite/sqlite.ts'"
  expect(findBadImports('src/contract/bad.ts', bad)).toEqual([
    'src/contract/bad.ts imports runtime/storage/sqlite/sqlite.ts',
  ])
  expect(findBadImports('src/toolsets/x/bad.ts', bad.replace('../', '../../'))).toHaveLength(1)
  expect(findBadImports('src/contract/bad.ts', "await import('../app/app.ts')")).toHaveLength(1)
  expect(findBadImports('src/contract/bad.ts', "export * from '../cli/main.ts'")).toHaveLength(1)
  expect(findBadImports('src/contract/bad.ts', "import '../cli/main.ts'")).toHaveLength(1)
  expect(
    findBadImports('src/toolsets/x/bad.ts', "import { openFiles } from '../../capabilities/files.ts'"),
  ).toHaveLength(1)
  expect(findBadImports('src/toolsets/x/good.ts', "import type { Files } from '../../capabilities/files.ts'")).toEqual(
    [],
  )
  const other = "import { stripMarkup } from '../web/strip-markup.ts'"
  expect(findBadImports('src/toolsets/workspace/bad.ts', other)).toEqual(['src/toolsets/workspace/bad.ts imports toolsets/web/strip-markup.ts']) // biome-ignore format: one line
  expect(findBadImports('src/toolsets/web/good.ts', other.replace('../web', '.'))).toEqual([])
  expect(findBadImports('src/toolsets/web/good.ts', "import { openPages } from './capability/pages.ts'")).toEqual([])
  expect(findBadImports('src/toolsets/web/bad.ts', "import { openHistory } from '../workspace/capability/history.ts'")).toHaveLength(1) // biome-ignore format: one line
  expect(findBadImports('src/app/bad.ts', "import { webFetch } from '../toolsets/web/index.ts'")).toHaveLength(1)
  expect(isToolset('src/toolsets/web/capability/pages.ts')).toBe(false)
  expect(isToolset('src/toolsets/web/fetch-page.ts')).toBe(true)
  expect(
    findBadImports('src/runtime/pipeline/good.ts', "import type { Storage } from '../storage/storage.ts'"),
  ).toEqual([])
  expect(findBadImports('src/runtime/storage/bad.ts', "import { toStop } from '../pipeline/stop.ts'")).toHaveLength(1)
  for (const line of [
    "import { readFile } from 'node:fs/promises'",
    "import fs from 'fs'",
    "const { spawn } = await import('node:child_process')",
    "import net from 'node:net'",
    "import { request } from 'node:http'",
    'const page = await fetch(url)',
    'globalThis.fetch(url)',
    'process.getBuiltinModule(name)',
    'require("x")',
  ])
    expect(findBadReach('src/toolsets/x/bad.ts', line), line).not.toEqual([])
  expect(findBadReach('src/toolsets/x/good.ts', 'const page = await web.fetch(url)')).toEqual([])
})

function findBadImports(path: string, text: string): string[] {
  if (isTest(path)) return []
  const room = findRoom(path.slice('src/'.length))
  if (room === undefined) return [`${path} is in a folder that the table does not know`]
  return foreignImports(path, text)
    .filter((one) => !table[findKey(room)]!.some((entry) => isAllowed(entry, room, one)))
    .map(({ target }) => `${path} imports ${target}`)
}

interface Import {
  readonly target: string
  readonly typeOnly: boolean
}

/** What a file imports from other rooms. */
function foreignImports(path: string, text: string): Import[] {
  const room = findRoom(path.slice('src/'.length))
  return importsOf(text)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, typeOnly }) => ({ target: new URL(specifier, `file:///${path}`).pathname.slice(5), typeOnly }))
    .filter(({ target }) => findRoom(target) !== room)
}

/** The innermost room of the table that a file is in. */
function findRoom(path: string): string | undefined {
  const rooms = Object.keys(table).flatMap((key) => toPattern(key).exec(path)?.[0] ?? [])
  return rooms.sort((a, b) => b.length - a.length)[0]
}

/** The entry of the table that a room is meant by. */
function findKey(room: string): string {
  return Object.keys(table).find((key) => room === key || toPattern(key).exec(`${room}/`)?.[0] === room)!
}

function isAllowed(entry: string, room: string, { target, typeOnly }: Import): boolean {
  const name = entry.replace('type:', '').replace('own:', `${room}/`)
  if (entry.startsWith('type:') && !typeOnly) return false
  return name.endsWith('.ts') ? target === name : toPattern(name).test(target)
}

function toPattern(room: string): RegExp {
  return new RegExp(`^${room.replaceAll('*', '[^/]+')}${room.endsWith('.ts') ? '$' : '(?=/)'}`)
}

function findBadReach(path: string, text: string): string[] {
  const found = importsOf(text)
    .filter(({ specifier }) => bannedInToolsets.test(specifier))
    .map(({ specifier }) => `${path} imports ${specifier}`)
  const words = /(?<![.\w])(?:fetch|require|WebSocket|EventSource|eval|Function)\s*\(|globalThis|getBuiltinModule/
  return words.test(withoutText(text)) ? [...found, `${path} reaches around its capabilities`] : found
}

function importsOf(text: string): { specifier: string; typeOnly: boolean }[] {
  const statements = text.matchAll(/\b(import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/g)
  const calls = text.matchAll(/\bimport\s*\(\s*['"`]([^'"`]+)['"`]/g)
  return [
    ...[...statements].map(([, , type, specifier]) => ({ specifier: specifier!, typeOnly: type !== undefined })),
    ...[...calls].map(([, specifier]) => ({ specifier: specifier!, typeOnly: false })),
  ]
}

/** Comments and quoted text may say what code may not do. */
function withoutText(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g, ' ')
}

function isToolset(path: string): boolean {
  const isTool = /^src\/(?:toolsets|tool-parts)\//.test(path) && !/^src\/toolsets\/[^/]+\/capability\//.test(path)
  return isTool && !isTest(path)
}

function isTest(path: string): boolean {
  return /\.test(?:-d)?\.ts$/.test(path)
}

function listFiles(folder: string): string[] {
  return readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => `${entry.parentPath.slice(root.length).replaceAll('\\', '/').replace(/^\//, '')}/${entry.name}`)
}

function read(path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8')
}
