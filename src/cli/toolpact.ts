#!/usr/bin/env node
// No static imports: an old Node must reach the message below, and `--version` must load nothing.
const [first] = process.argv.slice(2)

if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    `toolpact needs Node 24 or newer, but this is Node ${process.versions.node}. Install one from https://nodejs.org and run the command again.`,
  )
  process.exitCode = 1
} else if (first === '--version' || first === '-v') {
  // getBuiltinModule instead of an import, which would evaluate lazy parts of node:fs: a tenth of Node's start-up time.
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  process.stdout.on('error', () => {}).write(`${version}\n`)
} else {
  useCompileCache(process.env)
  const { main } = await import('./main.ts')
  await main(process.argv.slice(2))
}

/**
 * Enables Node's compile cache. Anyone who can write to that folder can run code as this user, so it must be private to
 * the user; otherwise the cache stays off and start-up takes longer.
 */
function useCompileCache({ XDG_CACHE_HOME, LOCALAPPDATA, HOME }: NodeJS.ProcessEnv) {
  const { lstatSync, mkdirSync } = process.getBuiltinModule('node:fs')
  const { isAbsolute, join } = process.getBuiltinModule('node:path')
  const base = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME || (HOME && join(HOME, '.cache'))
  if (!base || !isAbsolute(base)) return
  const folder = join(base, 'toolpact')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    const isOurs = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0)
    if (found.isDirectory() && isOurs) process.getBuiltinModule('node:module').enableCompileCache(folder)
  } catch {
    // Start without a cache if the home directory is read-only.
  }
}

export {}
