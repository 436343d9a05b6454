import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { CallResult } from '../../src/contract/call-result.ts'
import type { ContractSource } from '../../src/contract/contract.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { defineToolset } from '../../src/contract/define-toolset.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import type { Tool } from '../../src/contract/tool.ts'
import { createRedactor } from '../../src/policy/redact.ts'
import type { ApprovalRequest, Approver } from '../../src/runtime/approval/approver.ts'
import type { Call } from '../../src/runtime/pipeline/call.ts'
import { createCatalog } from '../../src/runtime/pipeline/catalog.ts'
import { createPipeline } from '../../src/runtime/pipeline/pipeline.ts'
import type { PipelineOptions, Violation } from '../../src/runtime/pipeline/pipeline-options.ts'
import { openMemoryStorage } from '../../src/runtime/storage/memory/memory.ts'
import { openSqliteStorage } from '../../src/runtime/storage/sqlite/sqlite.ts'
import type { LedgerRecord, StepRecord, Storage } from '../../src/runtime/storage/storage.ts'

export interface TestOptions extends Partial<Omit<PipelineOptions<unknown>, 'storage'>> {
  readonly storage?: 'memory' | 'sqlite' | Storage
}

/** A pipeline over one toolset, `test`, that records runs, questions and reports. */
export function openTestPipeline(tools: readonly Tool[], { storage: kind = 'memory', ...options }: TestOptions = {}) {
  const storage = typeof kind === 'object' ? kind : openTestStorage(kind)
  const runs: JsonObject[] = []
  const asked: ApprovalRequest[] = []
  const violations: Violation[] = []
  const ask = (...[request, signal]: Parameters<Approver>) => {
    asked.push(request)
    return options.approver!(request, signal)
  }
  const approver: Approver = Object.assign(ask, { isBlind: options.approver?.isBlind ?? false })
  const watched = tools.map((tool): Tool => {
    const run: Tool['run'] = (input, context, capabilities) => {
      runs.push(structuredClone(input))
      return tool.run(input, context, capabilities)
    }
    return { ...tool, run }
  })
  const { call } = createPipeline({
    catalog: createCatalog({ test: async () => defineToolset('test', watched) }),
    capabilities: () => ({}),
    redact: createRedactor({ environment: {}, names: [] }),
    onViolation: (violation) => violations.push(violation),
    ...options,
    ...(options.approver && { approver }),
    storage,
  })
  return {
    storage,
    runs,
    asked,
    violations,
    call: (tool: string, input: unknown, more: Partial<Call> = {}) =>
      call({ tool, input, caller: { name: 'tester' }, ...more }),
    /** The ledger entries of a call. */
    async records({ callId }: CallResult): Promise<Exclude<LedgerRecord, StepRecord>[]> {
      const records = (await storage.ledger.read({ callId })).map((entry) => entry.record)
      return records.filter((record) => record.kind !== 'step')
    },
  }
}

export function openTestStorage(kind: 'memory' | 'sqlite'): Storage {
  const storage = kind === 'memory' ? openMemoryStorage() : openSqliteStorage({ directory: makeFolder() })
  onTestFinished(() => storage.close())
  return storage
}

/** An empty folder, removed after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Default tool: repeats a text. */
export function defineEcho(changes: Partial<ContractSource> = {}, run: Tool['run'] = echo): Tool {
  const source: ContractSource = {
    name: 'echo',
    description: 'Says a text a number of times.',
    risk: 'read_only',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['text'],
      properties: { text: { type: 'string' }, times: { type: 'integer', minimum: 1, maximum: 9, default: 1 } },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      required: ['said'],
      properties: { said: { type: 'string', maxLength: 1000 } },
    },
    errors: [{ code: 'too_quiet', status: 422, when: 'Nothing can be heard.', suggestion: 'Speak up.' }],
    ...changes,
  }
  return defineTool(source, run as never) as Tool
}

const echo: Tool['run'] = ({ text, times }) => ({ said: String(text).repeat(Number(times)) })

export const yes: Approver = async () => ({ answer: 'yes', by: 'a test' })

/** Flushes pending microtasks and immediates. */
export const settle = () => new Promise((resolve) => setImmediate(resolve))
