import { readdirSync, realpathSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Capabilities } from '../../capabilities/capabilities.ts'
import type { Contract } from '../../contract/contract.ts'
import { toolNameForm } from '../../contract/forms.ts'
import type { JsonSchema, JsonValue } from '../../contract/json.ts'
import { lazily } from '../../contract/lazily.ts'
import { toFaults } from '../../contract/lint/faults.ts'
import { lintContract } from '../../contract/lint-contract.ts'
import type { Tool, Toolset } from '../../contract/tool.ts'
import { type GrantedEntry, toGrants } from '../../host/lock/grants.ts'
import { fromContractSet } from '../../projections/contracts.ts'
import type { ToolsetLoaders } from '../../runtime/pipeline/catalog.ts'
import { ConfigError, renameFolder } from '../config/config-error.ts'
import type { FolderConfinement } from '../isolation/confine-folder.ts'
import { type ConfinedModules, openingName } from './confined/confined-modules.ts'
import { type HandlerPlace, loadHandler, loadOpen } from './load-handler.ts'
import { loadOffer, offerEndings } from './load-offer.ts'
import { type About, readAbout } from './read-about.ts'
import { readDocument } from './read-document.ts'

export interface ContractFolders {
  /** A toolset per folder, loaded on first use, which runs the operator's code. */
  readonly loaders: ToolsetLoaders<Capabilities>
  /** Their paths, by name. */
  readonly paths: { readonly [toolset: string]: string }
  /** The settings that the toolsets have, by name. */
  readonly settings: { readonly [toolset: string]: JsonSchema }
  readonly notices: readonly string[]
  /** Ends the processes of confined folders. */
  close(): Promise<void>
}

/** A folder, and what its handlers may touch. */
export interface FolderEntry extends Omit<GrantedEntry, 'container'> {
  readonly path: string
  /** Variables of its process. */
  readonly env?: { readonly [name: string]: string }
}

export interface FoldersContext {
  /** Confines the handlers of a folder that has grants. */
  readonly confine: (name: string, entry: FolderEntry) => Promise<FolderConfinement>
}

/** Opens the folders of contracts and handlers that the operator chose. Of duplicates, one with grants is used. */
export async function openContractFolders(
  entries: readonly (string | FolderEntry)[],
  { confine }: FoldersContext,
): Promise<ContractFolders> {
  const real = new Map<string, FolderEntry>()
  for (const entry of entries) {
    const given = typeof entry === 'string' ? { path: entry } : entry
    const path = toRealFolder(given.path)
    const known = real.get(path)
    if (!known || !toGrants(known)) real.set(path, { ...given, path })
  }
  const folders = await Promise.all([...real.values()].map(async (entry) => ({ entry, path: entry.path, ...(await readAbout(entry.path)) }))) // biome-ignore format: one line
  const opened: ConfinedModules[] = []
  for (const [index, { name, path }] of folders.entries()) {
    const first = folders.findIndex((folder) => folder.name === name)
    if (first !== index)
      throw new ConfigError(`${folders[first]!.path} and ${path} are both a toolset '${name}'. ${renameFolder}`)
  }
  return {
    loaders: Object.fromEntries(
      folders.map((folder) => [folder.name, lazily(() => loadContractFolder(folder, { confine, opened }))]),
    ),
    paths: Object.fromEntries(folders.map(({ name, path }) => [name, path])),
    settings: Object.fromEntries(folders.flatMap(({ name, settings }) => (settings ? [[name, settings]] : []))),
    async close() {
      await Promise.all(opened.map((modules) => modules.close()))
    },
    notices: [
      ...folders
        .filter(({ path }) => !readdirSync(path).some((name) => isContract(name) || isOffer(name) || isWorkflow(name)))
        .map(
          ({ path }) => `There is no tool in ${path}: no file ends in .contract.json. To create one: toolpact new NAME`,
        ),
      ...(await toUnconfined(folders.filter(({ entry }) => toGrants(entry)))),
    ],
  }
}

/** Which folders cannot be confined as their entries ask. */
async function toUnconfined(folders: readonly ContractFolder[]): Promise<string[]> {
  if (folders.length === 0) return []
  const { probe } = await import('../../capabilities/sandbox/probe.ts')
  const found = await probe()
  if (!('reason' in found)) return []
  return folders.map(({ path, entry }) => {
    const what = entry.isolation === 'required' ? `The tools in ${path} are withheld` : `The handlers in ${path} run unconfined` // biome-ignore format: one line
    return `${what}: ${found.reason}. To confine them: ${found.suggestion}.`
  })
}

function toRealFolder(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(
      `The contract folder ${path} does not exist. Check the path, or create it: toolpact new NAME --contracts ${path}`,
    )
  return realpathSync.native(path)
}

interface ContractFolder extends About {
  readonly path: string
  readonly entry: FolderEntry
}

interface LoadContext extends FoldersContext {
  /** Gets what is to be closed. */
  readonly opened: ConfinedModules[]
}

/**
 * Loads a folder of contracts and handlers as a toolset: each `NAME.contract.json` with the `run` of the module `NAME` next
 * to it, prompts and resources, and the `open` of the module `toolset`. Invalid ones are withheld, with reasons, and do not
 * affect the others.
 */
async function loadContractFolder(
  { path, entry, ...about }: ContractFolder,
  context: LoadContext,
): Promise<Toolset<Capabilities>> {
  const names = await readdir(path)
  const confined = toGrants(entry) && (await openModules(about.name, entry, context))
  const place = { folder: path, names, ...(typeof confined === 'object' && { load: confined.load }) }
  const stems = names.filter(isContract).map(toStem).sort()
  const open = typeof confined === 'string' ? confined : await loadOpen(place)
  const bound: Bound[] = await Promise.all(
    stems.map(async (stem) => {
      const twin = stems.find((other) => other !== stem && fold(other) === fold(stem))
      if (typeof open === 'string') return { stem, tool: [open] }
      const tool = twin === undefined ? await bind(place, stem) : [toTwinReason(twin)]
      return { stem, tool }
    }),
  )
  bound.push(...(await loadWorkflows(path, names.filter(isWorkflow).sort(), stems)))
  const offers = names.filter(isOffer).sort()
  for (const file of offers) {
    const tool = typeof open === 'string' ? [open] : await loadOffer({ ...place, file })
    bound.push({ stem: file.replace(/\.json$/, ''), tool })
  }
  const served = typeof confined === 'object' ? bound.map((one) => toServed(one, confined)) : bound
  return Object.freeze({
    ...about,
    ...toProvision(open, confined, about),
    tools: Object.freeze(served.flatMap(({ tool }) => (isTool(tool) ? [tool, ...(tool.helpers ?? [])] : []))),
    withheld: served.flatMap(({ stem, tool }) => (isTool(tool) ? [] : [{ name: stem, reasons: tool }])),
  })
}

/** The modules of a confined folder; undefined if nothing confines it, and a message if it must not run then. */
async function openModules(name: string, entry: FolderEntry, { confine, opened }: LoadContext) {
  try {
    const { openConfinedModules } = await import('./confined/confined-modules.ts')
    const modules = await openConfinedModules({ name, folder: entry.path, ...(await confine(name, entry)) })
    if (modules) opened.push(modules)
    return modules
  } catch (cause) {
    return `Its handlers cannot be confined: ${withoutStop((cause as Error).message)}`
  }
}

/** Of a workflow and a planned tool nothing runs. */
function toServed(bound: Bound, confined: ConfinedModules): Bound {
  const { stem, tool } = bound
  if (!isTool(tool)) return bound
  const served = confined.toServed(tool)
  if (typeof served === 'string') return { stem, tool: [served] }
  const helpers = tool.helpers?.map((helper) => confined.toServed(helper) as Tool<Capabilities>)
  return { stem, tool: helpers ? Object.freeze({ ...served, helpers }) : served }
}

function toProvision(
  open: Awaited<ReturnType<typeof loadOpen>>,
  modules: ConfinedModules | string | undefined,
  { confined = [] }: Partial<About>,
): Pick<Toolset, 'open' | 'confined'> {
  if (typeof modules === 'object') return { open: modules.toOpen(typeof open === 'object' ? open.module : undefined), confined: [...confined, openingName] } // biome-ignore format: one line
  return typeof open === 'object' ? { open: open.open } : {}
}

async function loadWorkflows(folder: string, files: readonly string[], stems: readonly string[]) {
  if (files.length === 0) return []
  const { loadWorkflow, toWorkflowStem } = await import('./load-workflow.ts')
  const all = [...stems, ...files.map(toWorkflowStem)]
  return Promise.all(
    files.map(async (file, index) => {
      const stem = toWorkflowStem(file)
      const twin = all.find((other, place) => place !== stems.length + index && fold(other) === fold(stem))
      return { stem, tool: twin === undefined ? await loadWorkflow(folder, file) : [toTwinReason(twin)] }
    }),
  )
}

/** Whether this is the name of a contract file. */
function isContract(name: string): boolean {
  return name.endsWith(ending) && name.length > ending.length
}

const ending = '.contract.json'

function isOffer(name: string): boolean {
  return offerEndings.some((one) => name.endsWith(one) && name.length > one.length)
}

function isWorkflow(name: string): boolean {
  return /.\.workflow\.(?:json|ya?ml)$/.test(name)
}

function toStem(name: string): string {
  return name.slice(0, -ending.length)
}

type Reasons = readonly string[]

interface Bound {
  readonly stem: string
  readonly tool: Tool<Capabilities> | Reasons
}

function isTool(bound: Tool<Capabilities> | Reasons): bound is Tool<Capabilities> {
  return 'contract' in bound
}

async function bind(place: Omit<HandlerPlace, 'stem'>, stem: string): Promise<Tool<Capabilities> | Reasons> {
  const contract = await loadContract(place.folder, stem)
  if (!('name' in contract)) return contract
  // A planned tool is listed but cannot be called, so it needs no handler.
  if (contract.status === 'planned') return Object.freeze({ contract, run: () => ({}) })
  const handling = await loadHandler({ ...place, stem })
  return typeof handling === 'string' ? [handling] : Object.freeze({ contract, ...handling })
}

/** Ignores case and separators, which some callers do not preserve. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

function toTwinReason(twin: string): string {
  return `Its name differs from '${twin}' only in case or separators. Rename one of the two`
}

/** Reads and lints a contract file. Resolves to the contract, or to the reasons why it is invalid. */
async function loadContract(folder: string, stem: string): Promise<Contract | readonly string[]> {
  const parsed = await readDocument(join(folder, `${stem}.contract.json`))
  if (!parsed.ok) return [parsed.reason]
  if (!hasName(parsed.value)) return ['It is not a contract: an object with a name, a description, a risk, an input and an output'] // biome-ignore format: one line
  const { name } = parsed.value
  if (name !== stem && toolNameForm.test(name))
    return [`The contract in ${stem}.contract.json is named '${name}'. Give both the same name`]
  try {
    const contract = (await fromContractSet(parsed.value))[name]!
    const faults = toFaults(await lintContract(contract))
    return faults.length > 0 ? faults : contract
  } catch (cause) {
    return [withoutStop((cause as Error).message)]
  }
}

function hasName(value: JsonValue): value is { name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}

/** Reasons are joined into sentences later. */
function withoutStop(text: string): string {
  return text.replace(/\.$/, '')
}
