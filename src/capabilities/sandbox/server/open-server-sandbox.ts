import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import type { NetworkGrant } from '../../../policy/granted-hosts.ts'
import { makePrivateDirectory } from '../../../state/private-file.ts'
import { watchUsage } from '../../process/watch-usage.ts'
import { openEgress, type RefusedHost } from '../network/egress.ts'
import { createProxy } from '../network/proxy.ts'
import type { ConfinedProcess, SandboxDriver } from '../sandbox.ts'
import { findCodeRoots } from './code-root.ts'
import { serveListeners } from './listeners.ts'
import { findInstalledBin, isSettled, type NpmCommand, readNpmCommand, toPackageFolder } from './npm-package.ts'
import { type Observer, openObserver, type TriedFile } from './observe/observe-files.ts'
import { createServerProfile, type ServerOptions } from './server-profile.ts'
import { exceeds, watchFolder } from './watch-folder.ts'

/** What a server may touch besides the system and its own folders. */
interface ServerGrants {
  /** Absolute paths. */
  readonly read: readonly string[]
  readonly write: readonly string[]
  readonly network: NetworkGrant
}

export interface ServerSandboxOptions {
  readonly driver: SandboxDriver
  /** Its own folder, in the state directory. */
  readonly folder: string
  readonly stateDirectory: string
  readonly grants: ServerGrants
  /** Config and lock: a server that may write the folder around them must not change them. */
  readonly protectedPaths: readonly string[]
  readonly image?: string | undefined
  readonly onRefused: (refused: RefusedHost) => void
  /** A path that the server claims to have tried in vain. */
  readonly onTried: (tried: TriedFile) => void
}

/** A server as it would be started without a sandbox. */
export interface ServerCommand {
  /** As written, and the path that it was found at. */
  readonly command: string
  readonly program: string
  readonly args: readonly string[]
  readonly environment: { readonly [name: string]: string }
  readonly cwd: string
}

export interface PrepareOptions {
  readonly signal: AbortSignal
  /** What is installing it; undefined when that is done. */
  readonly onInstalling: (by: string | undefined) => void
}

export interface PreparedServer extends ConfinedProcess {
  /** Whether its package is installed, so that no launcher does it. */
  readonly isInstalled: boolean
  /** Serves its network and enforces its limits until it exits. `end` is told why it must end. */
  readonly watch: (child: ChildProcess, end: (why: string) => void) => void
  /** Reports what it tried until now. */
  readonly readTried: () => void
}

/** It cannot be started confined, and must not be started otherwise. */
export class NotConfinable extends Error {
  override readonly name = 'NotConfinable'
}

const maxHomeBytes = 1024 ** 3
const usageMs = 1000

/** Variables that name files with certificate authorities. */
const authorities = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']

/** Hosts that launchers install from at each start, into a cache that the server can then write. */
const registries: { readonly [launcher: string]: readonly string[] } = {
  ...Object.fromEntries(['uvx', 'uv', 'pipx'].map((name) => [name, ['pypi.org', 'files.pythonhosted.org']])),
  ...Object.fromEntries(['npx', 'npm', 'pnpx', 'pnpm', 'yarn', 'bunx', 'bun'].map((name) => [name, ['registry.npmjs.org']])), // biome-ignore format: one line
}

/** Prepares each start of one server: installs its package, and says what to spawn in place of its command. */
export async function prepareServer(
  options: ServerSandboxOptions,
  given: ServerCommand,
  { signal, onInstalling }: PrepareOptions,
): Promise<PreparedServer> {
  const { folder, grants } = options
  const home = join(folder, 'home')
  const packages = join(folder, 'packages')
  makePrivateDirectory(options.stateDirectory)
  for (const path of [dirname(folder), folder, home, join(home, 'tmp'), packages]) mkdirSync(path, { recursive: true, mode: 0o700 }) // biome-ignore format: one line
  if (await exceeds(home, maxHomeBytes))
    throw new NotConfinable(
      `Its home directory is larger than ${maxHomeBytes / 1024 ** 2} MB. Delete what it does not need in ${home}`,
    )
  const launcher = given.command.replace(/^.*[\\/]/, '')
  if (['docker', 'podman', 'nerdctl'].includes(launcher))
    throw new NotConfinable(
      `${launcher} needs a service outside of any sandbox. Write the command that runs in the image, and the image as "container"`,
    )
  const npm = options.image === undefined ? readNpmCommand(given.command, given.args) : undefined
  const toOptions = (more: Partial<ServerOptions>): ServerOptions => ({
    words: [given.program, ...given.args],
    environment: given.environment,
    workingDirectory: given.cwd,
    home,
    packages,
    mayInstall: false,
    read: [...grants.read, ...authorities.flatMap((name) => given.environment[name] ?? [])],
    write: grants.write,
    protectedPaths: options.protectedPaths,
    stateDirectory: options.stateDirectory,
    network: grants.network,
    image: options.image,
    ...more,
  })
  const granted = [...grants.read, ...grants.write]
  const observer = openObserver({ ...options, home, words: given.args, environment: given.environment, granted })
  const startObserved = (server: ServerOptions) => start(observer ? withObserver(server, observer) : server, { ...options, observer }) // biome-ignore format: one line
  if (options.image !== undefined) {
    if (Array.isArray(grants.network) && grants.network.length > 0)
      throw new NotConfinable('A container has no network, or all of it. Set "network" to "none" or "any"')
    return startObserved(toOptions({ words: [given.command, ...given.args], mayInstall: true }))
  }
  if (npm) {
    const bin = await installNpm(npm, { ...options, packages, toOptions, given, signal, onInstalling })
    const profile = toOptions({ words: [bin, ...npm.args], environment: withPath(given.environment, dirname(bin)) })
    return { ...(await startObserved(profile)), isInstalled: true }
  }
  const hosts = registries[launcher]
  if (hosts) return startObserved(toOptions({ mayInstall: true, network: withHosts(grants.network, hosts) }))
  const roots = findCodeRoots(given.program, given.args, { cwd: given.cwd, home: given.environment.HOME ?? homedir() })
  return startObserved(toOptions({ read: [...toOptions({}).read, ...roots] }))
}

function withHosts(network: NetworkGrant, hosts: readonly string[]): NetworkGrant {
  if (network === 'any') return network
  return [...(network === 'none' ? [] : network), ...hosts]
}

/** Programs of the same package find one another. */
function withPath(environment: ServerCommand['environment'], folder: string): { [name: string]: string } {
  return { ...environment, PATH: `${folder}:${environment.PATH ?? ''}` }
}

function withObserver(server: ServerOptions, { variables, readable }: Observer): ServerOptions {
  return {
    ...server,
    environment: { ...server.environment, ...variables },
    read: [...server.read, ...readable],
  }
}

interface Starting extends Pick<ServerSandboxOptions, 'driver' | 'onRefused'> {
  readonly trusted?: readonly string[]
  readonly observer?: Observer | undefined
}

async function start(server: ServerOptions, options: Starting): Promise<PreparedServer> {
  const { driver } = options
  const { home } = server
  const profile = createServerProfile(server)
  if (!driver.sharesLoopback || profile.network === 'any')
    return toPrepared(driver.confine(profile), { options, home, network: profile.network })
  const credential = `toolpact:${randomUUID()}`
  const proxy = createProxy(openEgress({ ...options, network: profile.network }), { credential }).listen(0, '127.0.0.1')
  await new Promise((resolve) => proxy.once('listening', resolve))
  const { port } = proxy.address() as { port: number }
  const confined = driver.confine({ ...profile, proxy: `http://${credential}@127.0.0.1:${port}` })
  proxy.unref()
  return toPrepared(confined, { options, home, onExit: () => proxy.close() })
}

interface Watched {
  readonly options: Starting
  readonly home: string
  readonly network?: NetworkGrant
  readonly onExit?: () => void
}

function toPrepared(confined: ConfinedProcess, { options, home, network = 'none', onExit }: Watched): PreparedServer {
  return {
    ...confined,
    isInstalled: false,
    readTried: () => options.observer?.drain(),
    watch(child, end) {
      if (confined.sendsListeners) serveListeners(child, openEgress({ ...options, network }))
      const stops = [
        ...(options.observer ? [options.observer.watch()] : []),
        watchFolder(home, maxHomeBytes, () => end(`it filled its home directory, ${home}, with more than ${maxHomeBytes / 1024 ** 2} MB`)), // biome-ignore format: one line
        ...(confined.watched
          ? [watchUsage(child.pid!, confined.watched, (limit) => end(`it exceeded the limit on ${limit} of a confined server`), usageMs)] // biome-ignore format: one line
          : []),
      ]
      child.once('exit', () => {
        for (const stop of stops) stop()
        onExit?.()
      })
    },
  }
}

interface Installing extends ServerSandboxOptions, PrepareOptions {
  readonly packages: string
  readonly given: ServerCommand
  readonly toOptions: (more: Partial<ServerOptions>) => ServerOptions
}

/**
 * Installs a package where the server can only read it, and returns the path of its program. Its install scripts run in the
 * same sandbox, with the registry and the granted hosts.
 */
async function installNpm({ spec, bin }: NpmCommand, options: Installing): Promise<string> {
  const { packages, given, signal, onInstalling, grants, toOptions } = options
  const folder = toPackageFolder(packages, spec)
  const known = findInstalledBin(folder, bin)
  if (known !== undefined && isSettled(spec)) return known
  onInstalling('npm')
  try {
    const npm = join(dirname(given.program), 'npm')
    const registry = await readRegistry(npm, given)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    const words = [npm, 'install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', `--registry=${registry.href}`, spec] // biome-ignore format: one line
    const port = Number(registry.port) || (registry.protocol === 'https:' ? 443 : 80)
    const network = withHosts(grants.network, [`${registry.hostname}:${port}`])
    const profile = toOptions({
      words,
      mayInstall: true,
      network,
      workingDirectory: folder,
      read: [],
      write: [],
    })
    const complaint = await run(await start(profile, { ...options, trusted: [registry.hostname] }), signal)
    const found = findInstalledBin(folder, bin)
    // What was installed before is used if the registry cannot be reached.
    if (found === undefined) throw new NotConfinable(`${spec} could not be installed. ${complaint}`)
    return found
  } finally {
    onInstalling(undefined)
  }
}

async function readRegistry(npm: string, { environment }: ServerCommand): Promise<URL> {
  const asked = await promisify(execFile)(npm, ['config', 'get', 'registry'], { env: environment, timeout: 20_000 }).catch(() => ({ stdout: '' })) // biome-ignore format: one line
  return URL.parse(asked.stdout.trim()) ?? new URL('https://registry.npmjs.org/')
}

/** Runs a program to its end. Resolves to the end of its error output. */
function run(prepared: PreparedServer, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted()
  const { program, arguments: words, environment, workingDirectory, filter, sendsListeners } = prepared
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      env: environment,
      cwd: workingDirectory,
      stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'pipe', ...(sendsListeners ? (['ipc'] as const) : [])],
    })
    let said = ''
    prepared.watch(child, () => child.kill('SIGKILL'))
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-2000)
    })
    const input = child.stdio[4] as Writable
    input.on('error', () => {}).end(filter)
    const stop = () => child.kill('SIGKILL')
    signal.addEventListener('abort', stop, { once: true })
    child.once('error', reject)
    child.once('close', () => {
      signal.removeEventListener('abort', stop)
      if (signal.aborted) reject(signal.reason)
      else resolve(said.trim())
    })
  })
}
