import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compare } from './compare.ts'

const command = fileURLToPath(new URL('../dist/cli/toolpact.js', import.meta.url))

/** How long a person waits before anything happens, as a multiple of Node starting and doing nothing. */
export async function bench() {
  const state = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  const start = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, args, {
      // In a folder without a config.
      cwd: state,
      env: { ...process.env, TOOLPACT_STATE_DIR: state },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`)
  }
  await compare(
    'Start-up (aim: --version 1.3×, call 2.5×)',
    [
      { name: 'node -e 0', run: () => start('-e', '0') },
      { name: 'toolpact --version', run: () => start(command, '--version') },
      {
        name: 'toolpact call learning.hello',
        run: () => start(command, 'call', 'learning.hello', 'name=Ada', '--json'),
      },
    ],
    { rounds: 30 },
  )
  rmSync(state, { recursive: true })
}
