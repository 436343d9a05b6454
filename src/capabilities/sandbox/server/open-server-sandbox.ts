import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { NetworkGrant } from '../../../policy/granted-hosts.ts'
import { type LaunchedPackage, readLaunched } from '../../../policy/launched-package.ts'
import { makePrivateDirectory } from '../../../state/private-file.ts'
import { findCodeRoots } from './code-root.ts'
import { installPackage, withHosts } from './install-package.ts'
import { openObserver } from './observe/observe-files.ts'
import { NotConfinable, type PrepareOptions, type ServerCommand, type ServerSandboxOptions } from './server-command.ts'
import type { ServerOptions } from './server-profile.ts'
import { type StartableProcess, startConfined } from './start-confined.ts'
import { exceeds } from './watch-folder.ts'

export interface PreparedServer extends StartableProcess {
  /** Whether its package is installed, so that no launcher does it. */
  readonly isInstalled: boolean
  /** What is not confined as it should be, in words. */
  readonly weakness?: string
}

const maxHomeBytes = 1024 ** 3

/** Variables that name files with certificate authorities. */
const authorities = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']

/** Prepares each start of one server: installs its package, and says what to spawn in place of its command. */
export async function prepareServer(
  options: ServerSandboxOptions,
  given: ServerCommand,
  asked: PrepareOptions,
): Promise<PreparedServer> {
  const { folder, grants, image } = options
  const home = join(folder, 'home')
  const packages = join(folder, 'packages')
  makePrivateDirectory(options.stateDirectory)
  for (const path of [dirname(folder), folder, home, join(home, 'tmp'), packages]) mkdirSync(path, { recursive: true, mode: 0o700 }) // biome-ignore format: one line
  if (await exceeds(home, maxHomeBytes))
    throw new NotConfinable(
      `Its home directory is larger than ${maxHomeBytes / 1024 ** 2} MB. Delete what it does not need in ${home}`,
    )
  refuseContainerCommands(given)
  const toOptions = (more: Partial<ServerOptions>): ServerOptions => ({
    words: [image === undefined ? given.program : given.command, ...given.args],
    environment: given.environment,
    workingDirectory: given.cwd,
    home,
    packages,
    mayInstall: false,
    write: grants.write,
    protectedPaths: options.protectedPaths,
    stateDirectory: options.stateDirectory,
    network: grants.network,
    image,
    ...more,
    read: [...(more.read ?? grants.read), ...authorities.flatMap((name) => given.environment[name] ?? [])],
  })
  const granted = [...grants.read, ...grants.write]
  const observer = openObserver({ ...options, home, words: given.args, environment: given.environment, granted })
  const start = (more: Partial<ServerOptions>) => startConfined(toOptions(more), { ...options, observer, filled: { folder: home, maxBytes: maxHomeBytes, name: 'its home directory' } }) // biome-ignore format: one line
  const launched = readLaunched(given.command, given.args)
  if (image !== undefined) {
    if (Array.isArray(grants.network) && grants.network.length > 0)
      throw new NotConfinable('A container has no network, or all of it. Set "network" to "none" or "any"')
    // Without network nothing can be installed: the image has what it needs.
    if (launched === undefined || grants.network !== 'any') return { ...(await start({})), isInstalled: false }
  }
  if (launched === 'unclear')
    throw new NotConfinable(
      `What ${given.command} runs cannot be installed before it runs. Name one package and its program in the command, without a shell or a file of variables`,
    )
  if (launched) {
    const installed = await installPackage(launched, { ...options, ...asked, given, packages, toOptions })
    const environment = withPath(given.environment, dirname(installed.program))
    const words = [
      ...toRunner(launched, image === undefined ? join(dirname(given.program), 'bun') : 'bun'),
      installed.program,
      ...launched.args,
    ]
    const read = [...grants.read, ...installed.sources]
    return { ...(await start({ words, environment, packages: installed.folder, read })), isInstalled: true }
  }
  if (/(?:^|[\\/])uv(?:\.exe)?$/.test(given.command) && given.args.includes('run')) return startUvRun(start, join(packages, 'uv-run'), grants.network) // biome-ignore format: one line
  const roots =
    given.code ??
    findCodeRoots(given.program, given.args, { cwd: given.cwd, home: given.environment.HOME ?? homedir() })
  return { ...(await start({ read: [...grants.read, ...roots] })), isInstalled: false }
}

function refuseContainerCommands({ command }: ServerCommand): void {
  const name = command.replace(/^.*[\\/]/, '')
  if (['docker', 'podman', 'nerdctl'].includes(name))
    throw new NotConfinable(
      `${name} needs a service outside of any sandbox. Write the command that runs in the image, and the image as "container"`,
    )
}

/** Its environment belongs to a project, which uv updates as it starts. */
async function startUvRun(
  start: (more: Partial<ServerOptions>) => Promise<StartableProcess>,
  packages: string,
  network: NetworkGrant,
): Promise<PreparedServer> {
  mkdirSync(packages, { recursive: true, mode: 0o700 })
  const hosts = ['pypi.org', 'files.pythonhosted.org']
  return {
    ...(await start({ packages, mayInstall: true, network: withHosts(network, hosts) })),
    isInstalled: false,
    weakness: `uv run installs at each start: the server also reaches ${hosts.join(' and ')}, and can write the packages that its next start runs. With uvx it could not`,
  }
}

/** `bunx --bun` runs programs with Bun, whatever their first line says. */
function toRunner({ launcher, options }: LaunchedPackage, bun: string): string[] {
  return launcher === 'bun' && options.some(([name]) => name === '--bun') ? [bun, '--bun'] : []
}

/** Programs of the same package find one another. */
function withPath(environment: ServerCommand['environment'], folder: string): { [name: string]: string } {
  return { ...environment, PATH: `${folder}:${environment.PATH ?? ''}` }
}
