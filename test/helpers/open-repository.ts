import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import type { ApprovalDetails, ApprovalRequest, Approver } from '../../src/runtime/approval/approver.ts'
import type { Violation } from '../../src/runtime/pipeline/pipeline-options.ts'
import { makeFolder } from './open-test-pipeline.ts'

export interface RepositoryOptions {
  /** Initial files by path. */
  readonly files?: { readonly [path: string]: string | Uint8Array }
  /** Default: yes to everything. */
  readonly answer?: 'yes' | 'no'
  /** The state directory, in the repository. */
  readonly state?: string
}

/** A repository toolset on a folder. Records all questions. */
export async function openRepository(toolset: 'learning' | 'practitioner', options: RepositoryOptions = {}) {
  const root = makeFolder()
  for (const [path, content] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const asked: (Pick<ApprovalRequest, 'effects'> & Pick<ApprovalDetails, 'foreseen'>)[] = []
  const violations: Violation[] = []
  const approver: Approver = async (request) => {
    asked.push({ effects: request.effects, foreseen: await request.foresee() })
    return { answer: options.answer ?? 'yes', by: 'a test' }
  }
  const toolpact = await openToolpact({
    workspace: root,
    storage: 'memory',
    toolsets: [toolset],
    approver,
    onViolation: (violation) => violations.push(violation),
    ...(options.state !== undefined && { stateDirectory: join(root, options.state) }),
  })
  onTestFinished(() => toolpact.close())
  return {
    root,
    asked,
    /** Contract violations; expected to stay empty. */
    violations,
    read: (path: string, more: object = {}) => toolpact.call(`${toolset}.read_repo_file`, { path, ...more }),
    write: (file: string, entry: unknown, more: object = {}) =>
      toolpact.call(`${toolset}.write_memory_entry`, { file, entry, ...more }),
    call: (tool: string, input: unknown) => toolpact.call(`${toolset}.${tool}`, input),
    memory: (file: string) => readFileSync(join(root, '.claude/memory', file), 'utf8'),
  }
}
