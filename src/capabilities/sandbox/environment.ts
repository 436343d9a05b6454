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
  profile: Pick<Profile, 'environment' | 'network' | 'packages' | 'home'>,
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
    ...(typeof network !== 'string' && proxy !== undefined && toProxyVariables(proxy)),
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
    BUN_INSTALL_CACHE_DIR: `${folder}/bun`,
    DENO_DIR: `${folder}/deno`,
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
