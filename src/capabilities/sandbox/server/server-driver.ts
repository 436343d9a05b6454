import type { NetworkGrant } from '../../../policy/granted-hosts.ts'
import type { SandboxUnavailable, ServerSandboxName } from '../sandbox.ts'

/**
 * How one operating system confines an MCP server. Like `SandboxDriver`, it returns what to spawn and spawns nothing itself,
 * and a driver that cannot confine as the profile demands says so: it never confines less.
 */
export interface ServerDriver {
  readonly name: ServerSandboxName
  /** Why it does not work on this machine. Asked once per process. */
  findFault(): Promise<SandboxUnavailable | undefined>
  confine(profile: ServerProfile): ConfinedProcess
}

/** What one server may touch, whatever the driver. All paths are absolute and exist. */
export interface ServerProfile {
  /** The program, by its path, and its arguments. */
  readonly words: readonly string[]
  readonly environment: { readonly [name: string]: string }
  readonly workingDirectory: string
  /** Its own folders, in the state directory: a home directory, and packages that were installed for it. */
  readonly home: string
  readonly packages: string
  /** While it is installed. */
  readonly mayInstall: boolean
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  /** Must not be written, even in a writable folder. */
  readonly protectedPaths: readonly string[]
  readonly stateDirectory: string
  readonly network: NetworkGrant
  /** The address of the proxy, for drivers that share the loopback of the machine. */
  readonly proxy?: string | undefined
  /** The image of a container. */
  readonly image?: string | undefined
}

export interface ConfinedProcess {
  readonly program: string
  readonly arguments: readonly string[]
  readonly environment: { readonly [name: string]: string }
  readonly workingDirectory: string
  /** Written to descriptor 4. */
  readonly filter?: Uint8Array
  /** Whether listeners arrive on the channel of descriptor 5: see `listeners.ts`. */
  readonly sendsListeners: boolean
}

/** Variables that name folders outside of the sandbox. */
const ownFolders = ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'XDG_STATE_HOME']

/** The environment of a confined server: its own home, its own caches, and the proxy. */
export function toConfinedEnvironment(
  profile: Pick<ServerProfile, 'environment' | 'network' | 'packages'>,
  { home, temporary, proxy }: { readonly home: string; readonly temporary: string; readonly proxy: string | undefined },
): { [name: string]: string } {
  const kept = Object.entries(profile.environment).filter(([name]) => !ownFolders.includes(name))
  return {
    // Launchers keep what they download here. An entry may override it.
    ...toCaches(profile.packages),
    ...Object.fromEntries(kept),
    HOME: home,
    TMPDIR: temporary,
    ...(profile.network !== 'any' && proxy !== undefined && toProxyVariables(proxy)),
  }
}

function toCaches(packages: string): { [name: string]: string } {
  return {
    npm_config_cache: `${packages}/npm`,
    npm_config_update_notifier: 'false',
    UV_CACHE_DIR: `${packages}/uv`,
    UV_TOOL_DIR: `${packages}/uv-tools`,
    UV_PYTHON_INSTALL_DIR: `${packages}/python`,
    PIPX_HOME: `${packages}/pipx`,
    BUN_INSTALL_CACHE_DIR: `${packages}/bun`,
    DENO_DIR: `${packages}/deno`,
  }
}

function toProxyVariables(proxy: string): { [name: string]: string } {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()])
  return {
    ...Object.fromEntries(names.map((name) => [name, proxy])),
    NO_PROXY: 'localhost,127.0.0.1,::1',
    no_proxy: 'localhost,127.0.0.1,::1',
    // Node since 22.21 and 24.5.
    NODE_USE_ENV_PROXY: '1',
  }
}
