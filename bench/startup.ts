import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compare } from './compare.ts'
import type { About, Table } from './table.ts'

const command = fileURLToPath(new URL('../dist/cli/toolpact.js', import.meta.url))
/** Says last how large the process became, in KB. Only when that is asked for: it takes time. */
const tellMemory = "data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))"

export const about: About = {
  compares: 'How long a person waits before anything happens, beside Node starting and doing nothing.',
}

export async function* bench(): AsyncGenerator<Table> {
  const state = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  const start = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, args, {
      // In a folder without a config.
      cwd: state,
      env: { ...process.env, TOOLPACT_STATE_DIR: state },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`)
    return stderr
  }
  const toContender = (name: string, args: string[], aim?: number) => ({
    name,
    run: () => start(...args),
    memory: () => Number(/\d+$/.exec(start('--import', tellMemory, ...args).trim())![0]) * 1024,
    aim,
  })
  yield await compare(
    'Start-up',
    [
      toContender('node -e 0', ['-e', '0']),
      toContender('toolpact --version', [command, '--version'], 1.3),
      toContender('toolpact call learning.hello', [command, 'call', 'learning.hello', 'name=Ada', '--json'], 2.5),
    ],
    { rounds: 30 },
  )
  rmSync(state, { recursive: true })
}
