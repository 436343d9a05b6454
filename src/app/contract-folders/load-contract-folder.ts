import { readdir } from 'node:fs/promises'
import type { Capabilities } from '../../capabilities/capabilities.ts'
import type { Tool, Toolset } from '../../contract/tool.ts'
import { loadContract } from './load-contract.ts'
import { loadHandler } from './load-handler.ts'

export interface ContractFolder {
  readonly path: string
  /** Of its toolset. */
  readonly name: string
  readonly description: string
}

/**
 * A folder of contracts and handlers as a toolset: each `NAME.contract.json` with the `run` of the module `NAME` beside
 * it. What is not in order is withheld, with its reasons, and does not touch the rest.
 */
export async function loadContractFolder({ path, name, description }: ContractFolder): Promise<Toolset<Capabilities>> {
  const names = await readdir(path)
  const stems = names.filter(isContract).map(toStem).sort()
  const bound = await Promise.all(
    stems.map(async (stem) => {
      const twin = stems.find((other) => other !== stem && fold(other) === fold(stem))
      const tool = twin === undefined ? await bind(path, names, stem) : [toTwinReason(twin)]
      return { stem, tool }
    }),
  )
  return Object.freeze({
    name,
    description,
    tools: Object.freeze(bound.flatMap(({ tool }) => (isTool(tool) ? [tool] : []))),
    withheld: bound.flatMap(({ stem, tool }) => (isTool(tool) ? [] : [{ name: stem, reasons: tool }])),
  })
}

/** Whether a file of that name holds a contract. */
export function isContract(name: string): boolean {
  return name.endsWith(ending) && name.length > ending.length
}

const ending = '.contract.json'

function toStem(name: string): string {
  return name.slice(0, -ending.length)
}

type Reasons = readonly string[]

function isTool(bound: Tool<Capabilities> | Reasons): bound is Tool<Capabilities> {
  return 'contract' in bound
}

async function bind(folder: string, names: readonly string[], stem: string): Promise<Tool<Capabilities> | Reasons> {
  const contract = await loadContract(folder, stem)
  if (!('name' in contract)) return contract
  // It is listed and cannot be called, so nobody has to have written it.
  if (contract.status === 'planned') return Object.freeze({ contract, run: () => ({}) })
  const handling = await loadHandler({ folder, names, stem })
  return typeof handling === 'string' ? [handling] : Object.freeze({ contract, ...handling })
}

/** As names are compared everywhere: case and separators may be lost on the way to a caller. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

function toTwinReason(twin: string): string {
  return `Its name cannot be told from '${twin}' where case or separators are lost. Rename one of the two`
}
