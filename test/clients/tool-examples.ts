import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Contract, Example } from '../../src/contract/contract.ts'
import { toolsets } from '../../src/toolsets/index.ts'

export interface ToolExample {
  readonly toolset: string
  readonly contract: Contract
  /** The first one that succeeds; an error where none does. */
  readonly example: Example
}

/** One example of every built-in tool, the last tool first: a command that ran would change what later ones say. */
export async function listToolExamples(): Promise<readonly ToolExample[]> {
  const found: ToolExample[] = []
  for (const [toolset, load] of Object.entries(toolsets)) {
    for (const { contract, offer } of (await load()).tools.toReversed()) {
      if (offer) continue
      const example = contract.examples.find(({ output }) => output) ?? contract.examples[0]
      if (contract.status !== 'planned' && example) found.push({ toolset, contract, example })
    }
  }
  return found
}

/** Leaves in the workspace what an example says there must be. */
export function prepareWorkspace(workspace: string, { given }: Example): void {
  for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true })
  for (const [path, text] of Object.entries(given?.files ?? {})) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
  }
}

/** The members of an example's output that are the same in every run. */
export function toStableOutput({ output = {}, varies = [] }: Example): object {
  const varying = new Set(varies.map((pointer) => pointer.split('/')[1]))
  return Object.fromEntries(Object.entries(output).filter(([key]) => !varying.has(key)))
}
