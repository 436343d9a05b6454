import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { JsonObject, JsonSchema } from '../../../src/contract/json.ts'
import type { ErrorData } from '../../../src/contract/tool-error.ts'
import { workspace } from '../../../src/toolsets/workspace/index.ts'
import { makeFolder } from '../../helpers/open-test-pipeline.ts'
import { openWorkspace } from '../../helpers/open-workspace.ts'

type Options = Partial<Parameters<typeof openWorkspace>[0]> & {
  /** What the working directory contains before the call. */
  readonly files?: { readonly [path: string]: string | Buffer }
}

export interface ToolOutput {
  readonly success: true
  readonly output: string
  readonly files_affected: readonly string[]
  readonly execution_time_ms: number
  readonly metadata: JsonObject
}

/** A tool of the workspace: its contract, and calls through the whole pipeline in a new working directory. */
export function describeTool(name: string) {
  const { contract } = workspace.tools.find((tool) => tool.contract.name === name)!
  return {
    contract,
    parameters: (contract.input.properties ?? {}) as { readonly [name: string]: JsonSchema },
    required: (contract.input.required ?? []) as readonly string[],
    /** Makes a call that must succeed. */
    async run(input: JsonObject, options: Options = {}): Promise<ToolOutput & { readonly root: string }> {
      const { root, call } = openFolder(options)
      const result = await call(name, input)
      expect(result).toMatchObject({ success: true })
      return { ...((result as { output: unknown }).output as ToolOutput), root }
    },
    /** Makes a call that must fail. */
    async fail(input: JsonObject, options: Options = {}): Promise<ErrorData> {
      const result = await openFolder(options).call(name, input)
      expect(result).toMatchObject({ success: false })
      return (result as { error: ErrorData }).error
    },
  }
}

export function openFolder({ files = {}, ...options }: Options = {}) {
  const root = makeFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return openWorkspace({ root, ...options })
}
