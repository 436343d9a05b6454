import { type Files, openFiles } from '../../src/capabilities/files.ts'
import { openProcess, type ProcessOptions } from '../../src/capabilities/process.ts'
import { openSearch, type Search } from '../../src/capabilities/search.ts'
import { openWeb, type WebOptions } from '../../src/capabilities/web.ts'
import type { CallResult } from '../../src/contract/call-result.ts'
import { createRedactor } from '../../src/policy/redact.ts'
import type { Call } from '../../src/runtime/pipeline/call.ts'
import { createCatalog } from '../../src/runtime/pipeline/catalog.ts'
import { createPipeline } from '../../src/runtime/pipeline/pipeline.ts'
import type { Violation } from '../../src/runtime/pipeline/pipeline-options.ts'
import { openMemoryStorage } from '../../src/runtime/storage/memory/memory.ts'
import type { History, LastCommand } from '../../src/toolsets/workspace/capability/history.ts'
import { openLargePages } from '../../src/toolsets/workspace/capability/large-pages.ts'
import { workspace } from '../../src/toolsets/workspace/index.ts'

interface WorkspaceOptions {
  readonly root: string
  /** A path inside the root that stays closed to tools. */
  readonly denied?: readonly string[]
  readonly ripgrep?: string | false
  /** Wraps the file capability, for example to change a file just before a write. */
  readonly wrapFiles?: (files: Files) => Files
  /** Wraps the search capability, for example to change its timeout. */
  readonly wrapSearch?: (search: Search) => Search
  /** Default: the environment of the test, with `/bin/sh` and without a sandbox. */
  readonly process?: Partial<ProcessOptions>
  readonly web?: WebOptions
  /** Stores the last commands of sessions. */
  readonly commands?: Map<string, LastCommand>
}

/** The workspace tools with real capabilities on a directory, through the whole pipeline. Everything is approved. */
export function openWorkspace({ root, denied, ...options }: WorkspaceOptions) {
  const { wrapFiles = (files) => files } = options
  const files = wrapFiles(openFiles({ root, denied }))
  const { ripgrep, wrapSearch = (search) => search, commands = new Map<string, LastCommand>() } = options
  const environment = { ...process.env, SHELL: '/bin/sh' }
  const runner = openProcess({ cwd: root, environment, sandbox: 'off', ...options.process })
  const search = wrapSearch(openSearch({ root, denied, ripgrep }))
  const web = openWeb(options.web)
  const violations: Violation[] = []
  const pipeline = createPipeline({
    catalog: createCatalog({ workspace: async () => workspace }),
    storage: openMemoryStorage(),
    capabilities: () => ({
      files,
      search,
      process: runner,
      web,
      history: toHistory(commands),
      largePages: openLargePages(),
    }),
    approver: async () => ({ answer: 'yes', by: 'a test' }),
    redact: createRedactor({ environment: {}, names: [] }),
    onViolation: (violation) => violations.push(violation),
  })
  return {
    root: files.root,
    /** Contract violations; expected to stay empty. */
    violations,
    call: (tool: string, input: unknown, more: Partial<Call> = {}): Promise<CallResult> =>
      pipeline.call({ tool: `workspace.${tool}`, input, caller: { name: 'tester' }, ...more }),
  }
}

function toHistory(commands: Map<string, LastCommand>): History {
  return {
    last: async ({ session = '' }) => commands.get(session),
    async remember({ session = '' }, command) {
      commands.set(session, command)
    },
  }
}
