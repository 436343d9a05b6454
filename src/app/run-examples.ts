import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compareExample } from '../authoring/examples/compare-example.ts'
import type { Contract, Example } from '../contract/contract.ts'
import type { ErrorData } from '../contract/tool-error.ts'
import { ToolpactError } from '../contract/toolpact-error.ts'
import type { Violation } from '../runtime/pipeline/pipeline-options.ts'
import { toResolveError } from '../runtime/pipeline/resolve-error.ts'
import { openToolpact, type ToolpactOptions } from './app.ts'

/** The outcome of an example. */
export interface ExampleOutcome {
  readonly title: string
  /** How the result differs from the example; undefined if it matches. */
  readonly problem?: string
}

/**
 * Runs the examples of a tool's contract, each in an empty folder with the files of the example, and compares the results.
 * Approves every call. Rejects if there is no such tool, or if it has no examples.
 *
 * @example
 * for (const { title, problem } of await runExamples('tools.read_note', { contracts: ['tools'] }))
 *   test(title, () => assert.equal(problem, undefined))
 */
export async function runExamples(tool: string, options: ToolpactOptions = {}): Promise<ExampleOutcome[]> {
  const { id, examples } = await findExamples(tool, options)
  const outcomes: ExampleOutcome[] = []
  for (const [index, example] of examples.entries()) {
    const title = example.title ?? `example ${index + 1}`
    const problem = await findProblem(id, example, options)
    outcomes.push({ title, ...(problem !== undefined && { problem }) })
  }
  return outcomes
}

async function findExamples(
  tool: string,
  options: ToolpactOptions,
): Promise<Pick<Contract, 'examples'> & { id: string }> {
  const { catalog, close } = await openToolpact({ ...options, storage: 'memory' })
  try {
    const found = await catalog.find(String(tool))
    if (found.kind !== 'found') throw new ToolpactError('not_found', toText(toResolveError(String(tool), found)))
    const { examples } = found.tool.contract
    if (examples.length === 0)
      throw new ToolpactError('invalid_contract', `The contract of '${found.id}' has no examples. Write one.`)
    return { id: found.id, examples }
  } finally {
    await close()
  }
}

function toText({ message, suggestion }: ErrorData): string {
  return `${message} ${suggestion}`
}

async function findProblem(id: string, example: Example, options: ToolpactOptions): Promise<string | undefined> {
  const workspace = await mkdtemp(join(tmpdir(), 'toolpact-example-'))
  let violation: Violation | undefined
  const toolpact = await openToolpact({
    approver: async () => ({ answer: 'yes', by: 'runExamples' }),
    repeatable: true,
    ...options,
    workspace,
    storage: 'memory',
    onViolation(found) {
      violation = found
      options.onViolation?.(found)
    },
  })
  try {
    for (const [path, text] of Object.entries(example.given?.files ?? {})) {
      await mkdir(dirname(join(workspace, path)), { recursive: true })
      await writeFile(join(workspace, path), text)
    }
    const result = await toolpact.call(id, example.input)
    return compareExample(example, result, violation && toEvidence(violation))
  } finally {
    await toolpact.close()
    await rm(workspace, { recursive: true, force: true })
  }
}

function toEvidence({ message, problems = [], raw }: Violation): string {
  const causes = problems.length > 0 ? problems.map((problem) => problem.message) : raw instanceof Error ? [raw.message] : [] // biome-ignore format: one line
  return [message, ...causes].join(' ')
}
