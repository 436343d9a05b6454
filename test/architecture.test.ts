import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What each folder of src may import. `type:` allows types only; a file name allows that file alone. */
const table: Record<string, readonly string[]> = {
  contract: [],
  policy: ['contract'],
  storage: ['contract'],
  projections: ['contract'],
  'tool-search': ['contract'],
  mcp: ['contract'],
  config: ['contract', 'policy', 'storage', 'toolsets', 'type:capabilities', 'type:pipeline', 'type:toolset-choice.ts'],
  // A lock between processes keeps nothing, and which servers run is nobody else's to know.
  capabilities: ['contract', 'policy', 'storage/file-lock.ts', 'storage/private-file.ts'],
  'contract-folders': [
    'contract',
    'projections/contracts.ts',
    'config/config-error.ts',
    'type:capabilities',
    'type:pipeline',
  ],
  pipeline: ['contract', 'policy', 'capabilities', 'storage/storage.ts'],
  // To decode text, or to look for secrets in it, touches nothing.
  toolsets: ['contract', 'type:capabilities', 'capabilities/decode-text.ts', 'policy/secrets.ts'],
  upstream: ['contract', 'policy', 'storage/storage.ts', 'mcp'],
  agent: ['contract', 'pipeline', 'projections', 'tool-search', 'type:capabilities', 'type:storage'],
  // What an approval is bound to is compared in one place.
  surfaces: ['contract', 'pipeline', 'projections', 'tool-search', 'type:storage', 'storage/question-state.ts', 'mcp'],
  testing: ['contract', 'type:pipeline'],
  cli: [
    'app.ts',
    // The command chooses the model that the agent is handed.
    'capabilities/model/open-model-later.ts',
    'type:capabilities',
    'config/config-schema.ts',
    'config/config-desk.ts',
    'contract-folders/read-about.ts',
    'type:config/config.ts',
    'type:upstream',
    'upstream/to-output.ts',
    'surfaces',
    'tool-search/tool-index.ts',
    'projections',
    'contract',
    'agent',
    'testing',
    'policy/code-variables.ts',
    'policy/looks-like-read.ts',
    'policy/secret-name.ts',
    'policy/secrets.ts',
    'storage/calls.ts',
    'storage/client-backups.ts',
    'storage/config-file.ts',
    'storage/edit-json.ts',
    'storage/ledger-archive.ts',
    'storage/ledger-keep.ts',
    'storage/strict-json.ts',
    'storage/state-directory.ts',
    'storage/tokens-file.ts',
    'type:pipeline',
    'pipeline/approval-text',
    'pipeline/approver.ts',
    'pipeline/queue-approver.ts',
    'pipeline/resolve-error.ts',
    'pipeline/to-details.ts',
    'pipeline/to-target.ts',
    'type:storage',
    'type:upstream',
    'upstream/admission/fold-name.ts',
    'upstream/lock/diff-locks.ts',
    'upstream/lock/drift.ts',
    'upstream/lock/read-lock.ts',
  ],
}

/** Files directly in src: the wiring, which knows everything, and what it reads. */
const topFiles: Record<string, readonly string[]> = {
  'index.ts': [
    'app.ts',
    'type:capabilities',
    'contract',
    'type:contract-folders',
    'pipeline',
    'type:projections',
    'require-node.ts',
    'run-examples.ts',
    'surfaces',
  ],
  'toolpact.ts': [
    'type:capabilities',
    'type:config',
    'type:contract',
    'type:host.ts',
    'type:lock.ts',
    'type:pipeline',
    'type:policy',
    'type:rules.ts',
    'type:storage',
  ],
  'require-node.ts': [],
  'hide-environment.ts': [],
  'watch-files.ts': [],
  'open-storage.ts': ['type:toolpact.ts', 'type:config', 'storage'],
  'settings.ts': [
    'type:toolpact.ts',
    'config',
    'contract-folders',
    'host.ts',
    'toolset-choice.ts',
    'type:capabilities',
    'type:pipeline',
    'type:policy',
  ],
  'follow-config.ts': ['config', 'type:settings.ts', 'watch-files.ts'],
  'run-examples.ts': ['app.ts', 'contract', 'pipeline', 'testing/compare-example.ts'],
  'create-capabilities.ts': ['capabilities', 'type:config', 'type:contract', 'type:pipeline'],
  'latest-time.ts': ['type:storage'],
  'rules.ts': ['rules-desk.ts', 'type:latest-time.ts', 'contract', 'policy', 'storage', 'type:pipeline'],
  'rules-desk.ts': [
    'type:rules.ts',
    'capabilities/files/real-paths.ts',
    'contract',
    'policy',
    'storage',
    'type:pipeline',
  ],
  'host.ts': [
    'type:config',
    'type:lock.ts',
    'contract',
    'type:pipeline',
    'tool-memory.ts',
    'upstream',
    'watch-files.ts',
  ],
  'tool-memory.ts': ['type:lock.ts', 'type:contract', 'storage/listed-tools.ts', 'type:upstream'],
  'lock.ts': ['lock-desk.ts', 'type:contract', 'type:upstream'],
  'lock-desk.ts': ['lock.ts', 'lock-files.ts', 'contract', 'storage/lock-file.ts', 'upstream'],
  'lock-files.ts': ['lock.ts', 'storage/lock-file.ts', 'upstream'],
  'toolset-choice.ts': ['config/config-error.ts', 'toolsets', 'type:capabilities', 'type:contract', 'type:pipeline'],
}

const bannedInToolsets =
  /^(?:node:)?(?:fs|child_process|net|tls|dgram|http|https|http2|worker_threads|cluster|vm|module|process)(?:\/|$)/
const mostLines = 400

const sources = listFiles('src').filter((path) => path.endsWith('.ts'))

test('the sources are found', () => {
  expect(sources.length).toBeGreaterThan(30)
  expect(sources).toContain('src/runtime/pipeline/pipeline.ts')
})

test('imports go one way, as the table says', () => {
  expect(sources.flatMap((path) => findBadImports(path, read(path)))).toEqual([])
})

test('toolsets touch the world only through capabilities', () => {
  expect(sources.filter(isToolset).flatMap((path) => findBadReach(path, read(path)))).toEqual([])
})

test(`no file has more than ${mostLines} lines`, () => {
  const files = [...sources, ...['test', 'bench', 'scripts'].flatMap(listFiles)].filter((path) => path.endsWith('.ts'))
  expect(files.filter((path) => read(path).split('\n').length - 1 > mostLines)).toEqual([])
})

test('these checks see a bad import, a banned module, global fetch and a long file', () => {
  const bad = "import { openSqliteStorage } from '../storage/sqlite.ts'"
  expect(findBadImports('src/contract/bad.ts', bad)).toEqual(['src/contract/bad.ts imports storage/sqlite.ts'])
  expect(findBadImports('src/pipeline/bad.ts', bad)).toHaveLength(1)
  expect(findBadImports('src/contract/bad.ts', "await import('../app.ts')")).toHaveLength(1)
  expect(findBadImports('src/contract/bad.ts', "export * from '../cli/main.ts'")).toHaveLength(1)
  expect(findBadImports('src/contract/bad.ts', "import '../cli/main.ts'")).toHaveLength(1)
  expect(
    findBadImports('src/toolsets/x/bad.ts', "import { openFiles } from '../../capabilities/files.ts'"),
  ).toHaveLength(1)
  expect(findBadImports('src/toolsets/x/good.ts', "import type { Files } from '../../capabilities/files.ts'")).toEqual(
    [],
  )
  expect(findBadImports('src/pipeline/good.ts', "import type { Storage } from '../storage/storage.ts'")).toEqual([])
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
  const [, folder = '', rest] = /^src\/([^/]+)(\/.*)?$/.exec(path) ?? []
  if (path === 'src/app/app.ts' || isTest(path)) return []
  const allowed = rest === undefined ? topFiles[folder] : table[folder]
  if (!allowed) return [`${path} is in a folder that the table does not know`]
  return importsOf(text)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, typeOnly }) => ({ target: new URL(specifier, `file:///${path}`).pathname.slice(5), typeOnly }))
    .filter(({ target }) => rest === undefined || !target.startsWith(`${folder}/`))
    .filter(({ target, typeOnly }) => !allowed.some((entry) => isAllowed(entry, target, typeOnly)))
    .map(({ target }) => `${path} imports ${target}`)
}

function isAllowed(entry: string, target: string, typeOnly: boolean): boolean {
  const name = entry.replace('type:', '')
  if (entry.startsWith('type:') && !typeOnly) return false
  return name.endsWith('.ts') ? target === name : target.startsWith(`${name}/`)
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
  return path.startsWith('src/toolsets/') && !isTest(path)
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
