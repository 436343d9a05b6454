import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Capabilities } from '../capabilities/capabilities.ts'
import type { ToolsetLoaders } from '../runtime/pipeline/catalog.ts'
import { readWorkflow, type WorkflowProblem } from '../workflow/document/read-workflow.ts'
import { isWorkflowFile, toWorkflowStem } from './contract-folders/load-workflow.ts'
import { judgeWorkflow } from './serve-workflows.ts'

/** A workflow document in a contract folder, and what is wrong with it. */
export interface WorkflowFile {
  /** Full id of its tool. */
  readonly id: string
  /** Its path. */
  readonly file: string
  readonly text: string
  readonly problems: readonly WorkflowProblem[]
}

/** Reads and checks every workflow document of the contract folders, given by toolset. */
export async function readWorkflowFiles(
  folders: { readonly [toolset: string]: string },
  loaders: ToolsetLoaders<Capabilities>,
): Promise<WorkflowFile[]> {
  const files: WorkflowFile[] = []
  for (const [toolset, folder] of Object.entries(folders)) {
    for (const name of (await readdir(folder)).filter(isWorkflowFile).sort()) {
      const file = join(folder, name)
      const text = await readFile(file, 'utf8')
      const read = await readWorkflow(text, name.endsWith('.json') ? 'json' : 'yaml')
      const problems = read.ok ? (await judgeWorkflow(read.workflow, loaders)).problems : read.problems
      files.push({ id: `${toolset}.${toWorkflowStem(name)}`, file, text, problems })
    }
  }
  return files
}
