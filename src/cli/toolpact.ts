#!/usr/bin/env node
import { readFileSync } from 'node:fs'

// An old Node must be able to read this file, and `--version` must load nothing else: keep both in mind here.
const [first] = process.argv.slice(2)

if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    `toolpact needs Node 24 or newer, and this is Node ${process.versions.node}. Install one from https://nodejs.org and run the command again.`,
  )
  process.exitCode = 1
} else if (first === '--version' || first === '-v') {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${version}\n`)
} else {
  const { main } = await import('./main.ts')
  await main(process.argv.slice(2))
}
