import type { ContractSource, DeclaredError, Example } from '../../contract/contract.ts'
import { defineTool, type NameOf, type OptionsFor } from '../../contract/define-tool.ts'
import type { Infer, InferInput } from '../../contract/infer.ts'
import type { JsonObject, JsonSchema } from '../../contract/json.ts'
import type { Preview, Tool, ToolContext, ValidateContext } from '../../contract/tool.ts'
import { ToolError } from '../../contract/tool-error.ts'

/** A contract without its output, which is the same for all workspace tools except for `metadata`. */
interface WorkspaceSource extends Omit<ContractSource, 'output' | 'errors' | 'examples'> {
  readonly errors: readonly DeclaredError[]
  /** Facts about the result, for programs. A closed object; `warnings` is added to it. */
  readonly metadata: {
    readonly required: readonly string[]
    readonly properties: { readonly [name: string]: JsonSchema }
  }
  readonly examples: readonly WorkspaceExample[]
}

/** An example with the return value of `run`; the rest of the output is added. */
interface WorkspaceExample extends Omit<Example, 'output'> {
  readonly returns?: Outcome<JsonObject>
}

/** The return value of `run`. Paths are relative to the working directory; warnings and errors omit the prefix `Warning:` or `Error:`. */
interface Outcome<Metadata> {
  readonly output: string
  readonly filesAffected?: readonly string[]
  readonly metadata: Metadata
  readonly warnings?: readonly string[]
  /** Partial failures. Reported as errors in the text and as warnings in the metadata. */
  readonly errors?: readonly string[]
}

type Run<Source extends WorkspaceSource, Capabilities> = Source extends WorkspaceSource
  ? (
      input: Infer<Source['input']>,
      context: ToolContext<CodeOf<Source>>,
      capabilities: Capabilities,
    ) => Promise<Outcome<Infer<Source['metadata']>> | ToolError<CodeOf<Source>>>
  : never

interface Ahead<Source extends WorkspaceSource, Capabilities> {
  readonly validate?: (
    input: Infer<Source['input']>,
    context: ValidateContext<CodeOf<Source>>,
    capabilities: Capabilities,
  ) => Promise<ToolError<CodeOf<Source>> | undefined>
  readonly checkedByRun?: boolean
  readonly preview?: (
    input: Infer<Source['input']>,
    capabilities: Capabilities,
    signal: AbortSignal,
  ) => Promise<Preview>
}

type CodeOf<Source extends WorkspaceSource> = Source['errors'][number]['code']

type WorkspaceOutput<Metadata> = {
  success: true
  output: string
  files_affected: string[]
  execution_time_ms: number
  metadata: Metadata & { warnings?: string[] }
}

/** Defines a workspace tool: measures the duration and adds warnings to the text and the metadata. */
export function defineWorkspaceTool<
  const Source extends WorkspaceSource,
  Capabilities = unknown,
  const Needs extends readonly NameOf<Capabilities>[] = readonly [],
>(
  source: Source,
  run: Run<Source, Capabilities>,
  ...[options]: OptionsFor<Ahead<Source, Capabilities>, Capabilities, Needs>
): Tool<Capabilities, InferInput<Source['input']>, WorkspaceOutput<Infer<Source['metadata']>>> {
  const { metadata, examples, ...contract } = source
  const tool = defineTool(
    { ...contract, output: toOutputSchema(metadata), examples: examples.map(toExample) } as ContractSource,
    (async (input: never, context: ToolContext, capabilities: Capabilities) => {
      const begun = performance.now()
      const outcome = await run(input, context as never, capabilities)
      return outcome instanceof ToolError
        ? outcome
        : toOutput(outcome as Outcome<JsonObject>, performance.now() - begun)
    }) as never,
    options as never,
  )
  return tool as never
}

function toOutput(outcome: Outcome<JsonObject>, timeMs: number) {
  const { output, filesAffected = [], metadata, warnings = [], errors = [] } = outcome
  const all = [...errors, ...warnings]
  return {
    success: true,
    output: [
      ...errors.map((error) => `Error: ${error}`),
      ...warnings.map((warning) => `Warning: ${warning}`),
      output,
    ].join('\n'),
    files_affected: [...filesAffected],
    execution_time_ms: Math.round(timeMs),
    metadata: { ...metadata, ...(all.length > 0 && { warnings: all }) },
  }
}

function toOutputSchema({ required, properties }: WorkspaceSource['metadata']): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['success', 'output', 'files_affected', 'execution_time_ms', 'metadata'],
    properties: {
      success: { const: true, description: 'Always true; a failure is an error' },
      output: { type: 'string', description: 'The result as text, with warnings first' },
      files_affected: {
        type: 'array',
        items: { type: 'string' },
        description: 'Paths that were created or changed, relative to the working directory',
      },
      execution_time_ms: { type: 'integer', minimum: 0, description: 'How long it took, in milliseconds' },
      metadata: {
        type: 'object',
        description: 'Facts about the result',
        additionalProperties: false,
        required,
        properties: {
          ...properties,
          warnings: {
            type: 'array',
            items: { type: 'string' },
            minItems: 1,
            description: 'Warnings about the result; absent if there are none',
          },
        },
      },
    },
  }
}

function toExample({ returns, varies = [], ...example }: WorkspaceExample): Example {
  if (!returns) return example
  return { ...example, output: toOutput(returns, 1), varies: ['/execution_time_ms', ...varies] }
}
