#!/usr/bin/env node
// An old Node must get as far as the message, and `--version` must load nothing: this file imports nothing up here.
const [first] = process.argv.slice(2)

if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    `toolpact needs Node 24 or newer, and this is Node ${process.versions.node}. Install one from https://nodejs.org and run the command again.`,
  )
  process.exitCode = 1
} else if (first === '--version' || first === '-v') {
  // An import of node:fs would load all of its streams too, a tenth of the time that Node needs to start.
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  process.stdout.on('error', () => {}).write(`${version}\n`)
} else {
  const { main } = await import('./main.ts')
  await main(process.argv.slice(2))
}

export {}
