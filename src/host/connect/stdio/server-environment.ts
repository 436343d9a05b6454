/** What every program needs to run and to find its own files. Everything else may be a secret, and is not handed on. */
const inherited =
  process.platform === 'win32'
    ? ['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE'] // biome-ignore format: one line
    : ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR', 'XDG_STATE_HOME'] // biome-ignore format: one line

/** Files with certificate authorities: behind a network's own, npx and uvx could fetch nothing without them. */
const authorities = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE']

/** The environment of a server: a few variables of ours, and those that the operator names for it. */
export function toServerEnvironment(own: { readonly [name: string]: string }): { [name: string]: string } {
  const environment: { [name: string]: string } = {}
  for (const name of [...inherited, ...authorities]) {
    const value = process.env[name]
    // Some shells hand on functions this way.
    if (value !== undefined && !value.startsWith('()')) environment[name] = value
  }
  return { ...environment, ...own }
}
