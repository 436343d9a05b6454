import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type HttpAddress, start } from './contender.ts'

// The built package, as users run it.
const command = fileURLToPath(new URL('../../dist/cli/toolpact.js', import.meta.url))

/** A separate state directory on disk per server; `remove` deletes them all. */
export function openStates() {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  return {
    make: () => ({ TOOLPACT_STATE_DIR: mkdtempSync(join(folder, 'state-')) }),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Serves over HTTP with a token, the default. `entry` may be a program with additional tools. */
export async function startHttp(env: NodeJS.ProcessEnv, args: readonly string[], entry = command) {
  const { child, found } = await start([entry, 'serve', '--port', '0', '--json', ...args], { env, line: /^\{.*\}$/m })
  const token = execFileSync(process.execPath, [command, 'token', 'create', 'local'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  const address: HttpAddress = { url: JSON.parse(found).mcp, token: token.trim() }
  return { child, address }
}

export async function startStdio(env: NodeJS.ProcessEnv, args: readonly string[]) {
  return (await start([command, 'serve', '--stdio', ...args], { env })).child
}
