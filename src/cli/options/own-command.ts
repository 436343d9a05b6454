import { existsSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { readVersion } from '../../contract/package-version.ts'

/**
 * The command line of this installation, with absolute paths because GUI clients have no shell PATH. A copy in the npx cache
 * may be evicted, so it is named by version for npx to fetch again.
 */
export function toOwnCommand(): readonly string[] {
  const script = resolve(process.argv[1] ?? 'toolpact')
  if (!script.split(sep).includes('_npx')) return [process.execPath, script]
  const npx = process.env.npm_execpath && join(dirname(process.env.npm_execpath), 'npx-cli.js')
  const named = `toolpact@${readVersion()}`
  if (npx && existsSync(npx)) return [process.execPath, npx, '-y', named]
  return ['npx', '-y', named]
}
