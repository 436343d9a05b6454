import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Capabilities } from '../../capabilities/capabilities.ts'
import type { Tool } from '../../contract/tool.ts'
import { readWorkflow } from '../../workflow/document/read-workflow.ts'
import { toContract } from '../../workflow/document/to-contract.ts'
import { workflowEndings } from '../../workflow/document/workflow-schema.ts'

/**
 * Reads a workflow document as a tool, or the reasons why that is not possible. Its contract is completed, and it can run, once
 * the tools of its steps are known: `serveWorkflows`.
 */
export async function loadWorkflow(folder: string, file: string): Promise<Tool<Capabilities> | readonly string[]> {
  const path = join(folder, file)
  // Reading a pipe could block forever.
  if (!(await stat(path).catch(() => undefined))?.isFile()) return ['It is not a regular file']
  const read = await readWorkflow(await readFile(path), file.endsWith('.json') ? 'json' : 'yaml')
  if (!read.ok) return read.problems.map(({ pointer, message }) => toReason(pointer, message))
  const { workflow, document } = read
  const stem = toWorkflowStem(file)
  if (workflow.name !== stem) return [`The workflow in ${file} is named '${workflow.name}'. Give both the same name`]
  return Object.freeze({ contract: toContract(workflow, () => undefined), workflow: document, run: () => ({}) })
}

/** A problem of a workflow as a reason why it is withheld. Reasons are joined into sentences later. */
export function toReason(pointer: string, message: string): string {
  return `${pointer === '' ? '' : `${pointer}: `}${message.replace(/\.$/, '')}`
}

/** Whether this is the name of a workflow document. */
export function isWorkflowFile(name: string): boolean {
  return workflowEndings.some((ending) => name.endsWith(ending) && name.length > ending.length)
}

/** The name of a workflow file without its ending. */
export function toWorkflowStem(file: string): string {
  return file.replace(/\.workflow\.(?:json|ya?ml)$/, '')
}
