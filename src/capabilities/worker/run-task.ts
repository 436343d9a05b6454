/** Runs in a thread: calls `run` of a module with an input, and answers with its output or its error. */
import { parentPort, workerData } from 'node:worker_threads'
import { ToolError } from '../../contract/tool-error.ts'

export type Answer =
  | { readonly output: unknown }
  | { readonly error: { readonly code: string; readonly message: string; readonly suggestion: string | undefined } }

const { module, input } = workerData as { readonly module: string; readonly input: unknown }
parentPort!.postMessage(await toAnswer())

async function toAnswer(): Promise<Answer> {
  try {
    const { run } = await import(module)
    return { output: await run(input) }
  } catch (error) {
    // Another error ends the thread, and is reported as what it is.
    if (!(error instanceof ToolError)) throw error
    const { code, message, suggestion } = error
    return { error: { code, message, suggestion } }
  }
}
