/**
 * Installs the package of a server before the server runs, in the same kind of sandbox, with the registry and the granted
 * hosts. Each install has a folder of its own that nothing else can write, with an empty home directory: what a server left
 * in its own home, or in an older install, has no part in it. A record beside the folders names the one in use. It is
 * written last, so that an install that was interrupted does not count, and only Toolpact can write it.
 */
import { hash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import type { NetworkGrant } from '../../../policy/granted-hosts.ts'
import { type LaunchedPackage, packageNameOf, toRegistry } from '../../../policy/launched-package.ts'
import { withFileLock } from '../../../state/file-lock.ts'
import { writePrivateFile } from '../../../state/private-file.ts'
import { installRecordName } from '../../../state/server-folder.ts'
import {
  findInstalledProgram,
  type InstalledPackage,
  leftovers,
  readInstalledPackage,
  toInstall,
} from './installers.ts'
import { NotConfinable, type PrepareOptions, type ServerCommand, type ServerSandboxOptions } from './server-command.ts'
import type { ServerOptions } from './server-profile.ts'
import { runConfined, startConfined } from './start-confined.ts'

interface InstallOptions extends ServerSandboxOptions, PrepareOptions {
  readonly given: ServerCommand
  /** The folder for packages of this server. */
  readonly packages: string
  readonly toOptions: (more: Partial<ServerOptions>) => ServerOptions
}

/** What the record says. */
interface InstallRecord extends Partial<InstalledPackage> {
  /** A digest of what was asked for. */
  readonly key: string
  /** The name of its folder, and the program in it. */
  readonly folder: string
  readonly program: string
  readonly at: string
}

export interface Installed {
  readonly folder: string
  readonly program: string
  /** Folders that it was installed from, which it may need. */
  readonly sources: readonly string[]
}

type InstalledProgram = Omit<Installed, 'sources'>

const maxPackageBytes = 4 * 1024 ** 3
const dayMs = 86_400_000
const retryMs = 3_600_000
const lockMs = 200

/** Returns where a package is installed, after installing it if needed. */
export async function installPackage(launched: LaunchedPackage, options: InstallOptions): Promise<Installed> {
  const key = toKey(launched, options)
  const known = readRecord(options)
  const { paths: sources } = toPaths(launched, options.given.cwd)
  if (isUsable(known, key) && !isStale(launched, known)) return { ...toInstalled(known, options), sources }
  options.onInstalling(launched.launcher)
  try {
    const installed = await inTurn(join(options.folder, 'install.lock'), options.signal, async () => {
      // Another process may have installed it meanwhile.
      const before = readRecord(options)
      if (isUsable(before, key) && !isStale(launched, before)) return toInstalled(before, options)
      return replace(launched, { ...options, key, before })
    })
    return { ...installed, sources }
  } finally {
    options.onInstalling(undefined)
  }
}

interface Replacing extends InstallOptions {
  readonly key: string
  readonly before: InstallRecord | undefined
}

async function replace(launched: LaunchedPackage, options: Replacing): Promise<InstalledProgram> {
  const { packages, key, before } = options
  const name = randomUUID().slice(0, 13)
  const folder = join(packages, name)
  try {
    const fault = await install(launched, folder, options)
    if (fault !== undefined && isUsable(before, key)) {
      // As launchers do, what was installed before is used if the registry cannot be reached. It is tried again later.
      remove(folder)
      return writeRecord({ ...before, at: new Date(Date.now() - dayMs + retryMs).toISOString() }, options)
    }
    const program = fault === undefined ? findInstalledProgram(folder, launched) : undefined
    if (program === undefined) throw new NotConfinable(fault ?? toMissing(launched))
    const installed = readInstalledPackage(folder)
    const at = new Date().toISOString()
    if (isUsable(before, key) && isSame(before, installed)) {
      remove(folder)
      return writeRecord({ ...before, at }, options)
    }
    for (const left of leftovers) remove(join(folder, left))
    const done = writeRecord({ key, folder: name, program, at, ...installed }, options)
    // A server may still run from the one before. What else is here is older, or was interrupted.
    for (const other of readdirSync(packages)) if (other !== name && other !== before?.folder) remove(join(packages, other)) // biome-ignore format: one line
    return done
  } catch (cause) {
    remove(folder)
    throw cause
  }
}

function isSame(before: InstallRecord, now: InstalledPackage | undefined): boolean {
  return now !== undefined && before.version === now.version && before.integrity === now.integrity
}

/** Resolves to what went wrong, in words. */
async function install(launched: LaunchedPackage, folder: string, options: Replacing): Promise<string | undefined> {
  const { given, grants, toOptions, signal, image } = options
  const home = join(folder, 'home')
  for (const path of [folder, home, join(home, 'tmp')]) mkdirSync(path, { mode: 0o700 })
  const { paths, specs } = toPaths(launched, given.cwd)
  const { words, environment, files, registries } = await toInstall({ ...launched, specs }, given, { folder, isElsewhere: image !== undefined }) // biome-ignore format: one line
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const server = toOptions({
    words,
    environment: withoutSecrets(environment),
    workingDirectory: folder,
    home,
    packages: folder,
    mayInstall: true,
    read: paths,
    write: [],
    network: withHosts(grants.network, registries.map(toHost)),
  })
  const filled = { folder, maxBytes: maxPackageBytes, name: 'the folder of its package' }
  const trusted = registries.map(({ hostname }) => hostname)
  const { code, words: said } = await runConfined(await startConfined(server, { ...options, trusted, filled }), signal)
  return code === 0 ? undefined : `${launched.specs.join(' ')} could not be installed. ${said || `${words[0]} ended with code ${code}`}` // biome-ignore format: one line
}

function toMissing({ specs, program }: LaunchedPackage): string {
  return program === undefined
    ? `${specs.join(' ')} has no program of its own name, and not only one. Name the program in the command: --package ${specs[0]} PROGRAM (uvx: --from, pipx: --spec)`
    : `${specs.join(' ')} has no program ${program}`
}

export function withHosts(network: NetworkGrant, hosts: readonly string[]): NetworkGrant {
  if (network === 'any') return network
  return [...(network === 'none' ? [] : network), ...hosts]
}

function toHost({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

/** Of the variables of an entry, those that package managers read. The others are for the server, and are often secrets. */
const ofInstallers = /^(?:npm_|pnpm_|yarn_|bun_|uv_|pip_|pipx_|python|node_|corepack_|ssl_|requests_|curl_|git_|puppeteer_|playwright_|lc_)|^(?:home|lang|logname|path|shell|term|tmpdir|tz|user)$/i // biome-ignore format: one line

function withoutSecrets(environment: ServerCommand['environment']): ServerCommand['environment'] {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => ofInstallers.test(name)))
}

/** Specs that are folders or files, made absolute. The install may read them. */
function toPaths({ specs }: LaunchedPackage, cwd: string): { readonly paths: string[]; readonly specs: string[] } {
  const found = specs.map((spec) => (isPath(spec) && existsSync(resolve(cwd, spec)) ? resolve(cwd, spec) : spec))
  return { specs: found, paths: found.filter((spec) => spec.startsWith('/')) }
}

const isPath = (spec: string) => /^[./]/.test(spec)

/** Whether to install again: a folder at each start, a tag or range once a day, a name or exact version never. */
function isStale({ specs, launcher }: LaunchedPackage, { at }: InstallRecord): boolean {
  if (specs.some(isPath)) return true
  return !specs.every((spec) => isSettled(spec, toRegistry(launcher))) && Date.now() - Date.parse(at) > dayMs
}

/** Whether a spec names a package without a tag or a range. */
export function isSettled(spec: string, registry: 'npm' | 'pypi'): boolean {
  const name = packageNameOf(spec, registry)
  if (name === undefined) return false
  const version = spec.slice(name.length).replace(/^\[[^\]]*\]/, '')
  return version === '' || (registry === 'npm' ? /^@\d+\.\d+\.\d+/ : /^(?:@|===?)\d[\w.+!-]*$/).test(version)
}

function toKey({ launcher, specs, program, options }: LaunchedPackage, { image, given }: InstallOptions): string {
  return hash('sha256', JSON.stringify([launcher, specs, program, options, image, specs.some(isPath) ? given.cwd : null])) // biome-ignore format: one line
}

function readRecord({ folder, packages }: InstallOptions): InstallRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(join(folder, installRecordName), 'utf8')) as InstallRecord
    return existsSync(join(packages, basename(record.folder), record.program)) ? record : undefined
  } catch {
    return undefined
  }
}

function writeRecord(record: InstallRecord, options: InstallOptions): InstalledProgram {
  writePrivateFile(join(options.folder, installRecordName), `${JSON.stringify(record, null, 2)}\n`)
  return toInstalled(record, options)
}

function isUsable(record: InstallRecord | undefined, key: string): record is InstallRecord {
  return record?.key === key
}

function toInstalled({ folder, program }: InstallRecord, { packages }: InstallOptions): InstalledProgram {
  return { folder: join(packages, folder), program: join(packages, folder, program) }
}

/** One process at a time. */
async function inTurn<Result>(path: string, signal: AbortSignal, job: () => Promise<Result>): Promise<Result> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return await withFileLock(path, 0, job)
    } catch (cause) {
      if (!(cause instanceof ToolpactError && cause.code === 'storage_unavailable')) throw cause
    }
    await sleep(lockMs)
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // It is removed with the next install.
  }
}
