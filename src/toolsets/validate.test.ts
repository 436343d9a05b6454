import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeFolder } from '../../test/helpers/open-test-pipeline.ts'
import { takePort } from '../../test/helpers/take-port.ts'
import { openToolpact } from '../app/app.ts'
import type { Capabilities } from '../capabilities/capabilities.ts'
import type { CallFailure } from '../contract/call-result.ts'
import type { Tool, Toolset } from '../contract/tool.ts'
import { toolsets } from './index.ts'

/** Errors that only running the tool can detect. */
const knownOnlyByRunning: { readonly [code: string]: string } = {
  io_failed: 'the disk fails while it is used',
  file_changed: 'the file changes during the call',
  launch_failed: 'the server does not start',
  timeout: 'the call takes too long',
  command_failed: 'the command ends with a failure',
  command_not_found: 'the shell looks for the program',
  parse_failed: 'the page has no text',
}

/** Without a path in its input, a tool returns these only if the working directory is missing or unreadable. */
const needsLostFolder: { readonly [id: string]: readonly string[] } = {
  'workspace.grep_search': ['file_not_found', 'permission_denied'],
}

interface Case {
  /** A port of 0 is replaced by a free port. */
  readonly input: object
  readonly files?: { readonly [path: string]: string | Uint8Array }
  /** Symbolic links by path. */
  readonly links?: { readonly [path: string]: string }
  readonly code: string
  /** Whether a server listens on the port. */
  readonly listens?: boolean
  /** The operator requires a sandbox, and no bubblewrap is installed. */
  readonly lacksSandbox?: boolean
}

const outside = mkdtempSync(join(tmpdir(), 'toolpact-outside-'))
afterAll(() => rmSync(outside, { recursive: true }))

const entry = { timestamp: '2026-01-09T10:30:00Z', type: 'note' }
const edit = { old_string: 'a', new_string: 'b' }
const log = '.claude/memory/progress_log.jsonl'
const dangling = { links: { nowhere: 'missing' } }
const paths = (input: object = {}): Case[] => [
  { code: 'path_outside_working_dir', input: { ...input, path: '../etc/passwd' } },
  { code: 'invalid_path', input: { ...input, path: 'a\0b' } },
  { code: 'permission_denied', input: { ...input, path: 'state/a' } },
]
const repositoryReads: Case[] = [
  { code: 'not_a_file', input: { path: 'docs/folder' }, files: { 'docs/folder/a': '' } },
  { code: 'invalid_path', input: { path: 'docs/circle' }, files: { 'docs/a': '' }, links: { 'docs/circle': 'circle' } },
  { code: 'not_text', input: { path: 'docs/a' }, files: { 'docs/a': Uint8Array.of(0xff) } },
  { code: 'access_denied', input: { path: 'docs/.env' }, files: { 'docs/.env': 'KEY=1' } },
  { code: 'file_not_found', input: { path: 'docs/a' } },
  { code: 'file_too_large', input: { path: 'docs/a' }, files: { 'docs/a': 'x'.repeat(1_048_577) } },
]
const repositoryWrites = (toEntry: (value: object) => unknown): Case[] => {
  const write = (value: object) => ({ file: 'progress_log.jsonl', entry: toEntry({ ...entry, ...value }) })
  return [
    { code: 'secret_in_entry', input: write({ password: 'correct horse battery' }) },
    { code: 'entry_too_large', input: write({ text: 'x'.repeat(10_240) }) },
    { code: 'access_denied', input: write({}), links: { '.claude': outside } },
    { code: 'write_failed', input: write({}), files: { [`${log}/a`]: '' } },
    { code: 'write_failed', input: write({}), files: { '.claude/memory/a': '' }, links: { [log]: 'missing' } },
    { code: 'write_failed', input: write({}), files: { '.claude/memory': '' } },
  ]
}

const cases: { readonly [id: string]: readonly Case[] } = {
  'workspace.create_file': [
    ...paths({ content: '' }),
    { code: 'invalid_path', input: { path: `new/${'x'.repeat(300)}`, content: '' } },
    { code: 'permission_denied', input: { path: '.git/hooks/pre-commit', content: '' } },
    { code: 'file_exists', input: { path: 'a', content: '' }, files: { a: 'kept' } },
    { code: 'file_exists', input: { path: 'a', content: '' }, files: { 'a/b': '' } },
    { code: 'file_exists', input: { path: '.', content: '' } },
    { code: 'file_exists', input: { path: 'nowhere', content: '' }, ...dangling },
    { code: 'content_too_large', input: { path: 'a', content: 'x'.repeat(10_485_761) } },
    { code: 'file_not_found', input: { path: 'nowhere/a', content: '' }, ...dangling },
    { code: 'not_a_directory', input: { path: 'a/b/c', content: '' }, files: { a: '' } },
    { code: 'path_outside_working_dir', input: { path: 'out/a', content: '' }, links: { out: outside } },
  ],
  'workspace.read_file': [
    ...paths(),
    { code: 'file_not_found', input: { path: 'a' } },
    { code: 'file_not_found', input: { path: 'a/b' }, files: { a: '' } },
    { code: 'not_a_file', input: { path: '.' } },
    { code: 'invalid_line_range', input: { path: 'a', start_line: 30, end_line: 40 }, files: { a: '1\n2\n' } },
    { code: 'invalid_line_range', input: { path: 'a', start_line: 30 }, files: { a: '1\n2\n' } },
    { code: 'invalid_line_range', input: { path: 'a', start_line: 2, end_line: 1 }, files: { a: '1\n2\n' } },
  ],
  'workspace.replace_string_in_file': [
    ...paths(edit),
    { code: 'permission_denied', input: { path: '.git/config', ...edit }, files: { '.git/config': 'a' } },
    { code: 'file_not_found', input: { path: 'a', ...edit } },
    { code: 'not_a_file', input: { path: 'a', ...edit }, files: { 'a/b': '' } },
    { code: 'string_not_found', input: { path: 'a', ...edit }, files: { a: 'c' } },
    { code: 'nothing_to_replace', input: { path: 'a', old_string: 'a', new_string: 'a' }, files: { a: 'a' } },
    { code: 'file_too_large', input: { path: 'a', ...edit }, files: { a: 'a'.repeat(10_485_761) } },
    {
      code: 'file_too_large',
      input: { path: 'a', old_string: 'a', new_string: 'b'.repeat(10_485_761) },
      files: { a: 'a' },
    },
  ],
  'workspace.list_dir': [
    ...paths(),
    { code: 'file_not_found', input: { path: 'a' } },
    { code: 'not_a_directory', input: { path: 'a' }, files: { a: '' } },
    { code: 'invalid_page', input: { path: '.', page: 2 } },
  ],
  'workspace.create_directory': [
    ...paths(),
    { code: 'permission_denied', input: { path: '.git/hooks' } },
    { code: 'not_a_directory', input: { path: 'a' }, files: { a: '' } },
    { code: 'not_a_directory', input: { path: 'a/b' }, files: { a: '' } },
    { code: 'file_not_found', input: { path: 'nowhere/b' }, ...dangling },
  ],
  'workspace.file_search': [
    ...['../etc', 'a\0b', 'state'].map((base_path, index) => ({
      code: ['path_outside_working_dir', 'invalid_path', 'permission_denied'][index]!,
      input: { pattern: '*', base_path },
    })),
    { code: 'invalid_glob', input: { pattern: '**/*[.go' } },
    { code: 'file_not_found', input: { pattern: '*', base_path: 'a' } },
    { code: 'not_a_directory', input: { pattern: '*', base_path: 'a' }, files: { a: '' } },
  ],
  'workspace.grep_search': [
    { code: 'invalid_regex', input: { pattern: '(foo', is_regex: true } },
    { code: 'invalid_regex', input: { pattern: 'a\nb' } },
    { code: 'invalid_glob', input: { pattern: 'a', file_pattern: '*[.go' } },
  ],
  'workspace.run_in_terminal': [{ code: 'sandbox_unavailable', input: { command: 'true' }, lacksSandbox: true }],
  'workspace.fetch_webpage': [
    { code: 'invalid_url', input: { url: 'ftp://example.com/file' } },
    { code: 'invalid_url', input: { url: 'no url' } },
    { code: 'fetch_failed', input: { url: 'http://localhost/' } },
    { code: 'fetch_failed', input: { url: 'http://127.0.0.1:8080/' } },
  ],
  'web-fetch.web.fetch': [
    { code: 'fetch_failed', input: { url: 'ftp://example.com/file' } },
    { code: 'fetch_failed', input: { url: 'http://[::1]/' } },
  ],
  'transcript-clean.transcript.clean': [{ code: 'model_error', input: { text: 'Um, hello.' } }],
  'workspace.terminal_last_command': [{ code: 'no_history', input: {} }],
  'learning.hello': [],
  'learning.read_repo_file': repositoryReads,
  'learning.write_memory_entry': repositoryWrites((value) => value),
  'practitioner.hello': [],
  'practitioner.read_repo_file': repositoryReads,
  'practitioner.write_memory_entry': [
    ...repositoryWrites((value) => JSON.stringify(value)),
    { code: 'invalid_entry', input: { file: 'decisions.jsonl', entry: 'not json' } },
    { code: 'invalid_entry', input: { file: 'best_practices.md', entry: ' ' } },
  ],
  'web-fetch.search.web': [
    { code: 'invalid_query', input: { query: ' \n' } },
    { code: 'upstream_failure', input: { query: 'not configured' } },
  ],
  'mlxctl.mlx.load': [
    { code: 'invalid_port', input: { model: 'a', port: 80 } },
    { code: 'model_not_found', input: { model: '--help', port: 0 } },
    { code: 'port_busy', input: { model: 'a', port: 0 }, listens: true },
  ],
  'mlxctl.mlx.unload': [
    { code: 'invalid_port', input: { port: 80 } },
    { code: 'not_listening', input: { port: 0 } },
    { code: 'not_listening', input: { port: 0 }, listens: true },
  ],
}

const loaded = await Promise.all(Object.values(toolsets).map((load) => load()))
const tools = loaded.flatMap((toolset) =>
  toolset.tools.filter(({ offer }) => !offer).map((tool) => ({ id: `${toolset.name}.${tool.contract.name}`, tool })),
)

test('every built-in tool has a validate', () => {
  expect(tools).toHaveLength(21)
  expect(tools.filter(({ tool }) => !tool.validate).map(({ id }) => id)).toEqual([])
})

describe.each(tools)('$id', ({ id, tool }) => {
  test('every declared error is known before running, or only by running', () => {
    const tried = new Set(cases[id]!.map(({ code }) => code))
    const codes = tool.contract.errors.map(({ code }) => code)
    const isExempt = (code: string) => code in knownOnlyByRunning || needsLostFolder[id]?.includes(code)
    expect(codes.filter((code) => !tried.has(code) && !isExempt(code))).toEqual([])
    expect([...tried].filter((code) => !codes.includes(code))).toEqual([])
  })

  test.each(cases[id]!.map((given) => [given.code, toShown(given.input), given] as const))(
    '%s for %s is returned without a question, as run returns it',
    async (code, _input, given) => {
      const asked: string[] = []
      const input = 'port' in given.input && given.input.port === 0 ? await withPort(given) : given.input
      const { workspace, call } = await open(id, given, (kept) => kept, asked)
      const before = toTree(workspace)
      const found = await call(input)
      expect(found).toMatchObject({ success: false, ran: false, error: { code } })
      expect(asked).toEqual([])
      expect(toTree(workspace)).toEqual(before)

      const withoutValidate = ({ validate: _, ...tool }: Tool<Capabilities>) => tool
      const { call: callRun } = await open(id, given, withoutValidate)
      const failed = await callRun(input)
      expect((found as CallFailure).error).toEqual((failed as CallFailure).error)
    },
  )
})

/** The toolset of a tool on a folder with the files, with its tools modified by `change`. */
async function open(
  id: string,
  { files = {}, links = {}, lacksSandbox = false }: Case,
  change: (tool: Tool<Capabilities>) => Tool<Capabilities>,
  asked?: string[],
) {
  if (lacksSandbox) vi.stubEnv('PATH', '/nonexistent')
  onTestFinished(() => void vi.unstubAllEnvs())
  const workspace = makeFolder()
  mkdirSync(join(workspace, 'state/a'), { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), content)
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(workspace, path))
  const toolset: Toolset<Capabilities> = loaded.find(({ name }) => id.startsWith(`${name}.`))!
  const toolpact = await openToolpact({
    workspace,
    stateDirectory: join(workspace, 'state'),
    storage: 'memory',
    config: { mlxctl: { driver: 'process' }, policy: { askAll: true, ...(lacksSandbox && { sandbox: 'required' }) } },
    toolsets: [{ ...toolset, tools: toolset.tools.map(change) }],
    approver: async ({ canonicalInput }) => {
      asked?.push(canonicalInput)
      return { answer: 'yes', by: 'a test' }
    },
  })
  onTestFinished(() => toolpact.close())
  return { workspace, call: (input: object) => toolpact.call(id, input) }
}

async function withPort({ input, listens }: Case): Promise<object> {
  const port = await takePort()
  if (listens) {
    const server = createServer()
    await once(server.listen(port, '127.0.0.1'), 'listening')
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  }
  return { ...input, port }
}

/** A snapshot of a folder, without the state directory. */
function toTree(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  return found
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ path }) => !path.startsWith(join(folder, 'state')))
    .map(({ entry, path }) => `${path} ${entry.isFile() ? readFileSync(path, 'latin1') : entry.isDirectory()}`)
    .sort()
}

function toShown(input: object): string {
  return JSON.stringify(input).slice(0, 60)
}
