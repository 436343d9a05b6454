import type { Profile } from './sandbox.ts'

/** Variables that name folders of the user's home. */
const ownFolders = ['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'XDG_STATE_HOME']

interface Places {
  readonly home: string | undefined
  readonly temporary: string
  readonly proxy: string | undefined
}

/** The environment of a confined program: its home and temporary folder, its own caches, and the proxy. */
export function toConfinedEnvironment(
  profile: Pick<Profile, 'environment' | 'network' | 'packages' | 'home' | 'proxy'>,
  { home, temporary, proxy }: Places,
): { [name: string]: string } {
  const { environment, network, packages } = profile
  const kept = Object.entries(environment).filter(([name]) => profile.home === undefined || !ownFolders.includes(name))
  return {
    // Launchers keep what they download here. An entry may override it.
    ...(packages !== undefined && toCaches(packages)),
    ...Object.fromEntries(kept),
    ...(home !== undefined && { HOME: home }),
    TMPDIR: temporary,
    ...(typeof network !== 'string' && proxy !== undefined && toProxyVariables(proxy, profile.proxy === undefined)),
  }
}

/** Variables that make package managers keep what they download in a folder. */
export function toCaches(folder: string): { [name: string]: string } {
  return {
    npm_config_cache: `${folder}/npm`,
    npm_config_update_notifier: 'false',
    UV_CACHE_DIR: `${folder}/uv`,
    UV_TOOL_DIR: `${folder}/uv-tools`,
    UV_PYTHON_INSTALL_DIR: `${folder}/python`,
    PIPX_HOME: `${folder}/pipx`,
    PUPPETEER_CACHE_DIR: `${folder}/puppeteer`,
    BUN_INSTALL_CACHE_DIR: `${folder}/bun`,
    DENO_DIR: `${folder}/deno`,
  }
}

const loopback = 'localhost,127.0.0.1,::1'

/** A program with a loopback of its own reaches it directly; one that shares that of the machine may only use the proxy. */
function toProxyVariables(proxy: string, hasLoopback: boolean): { [name: string]: string } {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()])
  return {
    ...Object.fromEntries(names.map((name) => [name, proxy])),
    ...(hasLoopback && { NO_PROXY: loopback, no_proxy: loopback }),
    // Node since 22.21 and 24.5.
    NODE_USE_ENV_PROXY: '1',
  }
}
