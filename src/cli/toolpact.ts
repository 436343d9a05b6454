#!/usr/bin/env node
// An old Node must get as far as the message, and `--version` must load nothing: no imports up here.
const [first] = process.argv.slice(2)

if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    `toolpact needs Node 24 or newer, and this is Node ${process.versions.node}. Install one from https://nodejs.org and run the command again.`,
  )
  process.exitCode = 1
} else if (first === '--version' || first === '-v') {
  // An import of node:fs would load all that it loads lazily, a tenth of the time that Node needs to start.
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  process.stdout.on('error', () => {}).write(`${version}\n`)
} else {
  useCompileCache(process.env)
  const { main } = await import('./main.ts')
  await main(process.argv.slice(2))
}

/**
 * Lets Node keep compiled code from one start to the next. Whoever can write that folder can run code as this user, so
 * it must be theirs alone; where it is not, the start just takes longer.
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
    // A home that cannot be written is no reason not to start.
  }
}

export {}
