import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compare } from './compare.ts'
import type { About, Table } from './table.ts'

const command = fileURLToPath(new URL('../dist/cli/toolpact.js', import.meta.url))
/** Prints the peak memory in KB at exit. Only on demand, because it takes time. Plain JavaScript: stripping types takes 20 MB. */
const tellMemory = "data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))"

export const about: About = {
  compares: 'How long a person waits before anything happens, beside Node starting and doing nothing.',
}

/** `limits` has keys with a pattern, so that the config check compiles one, as with most configs. */
const config = { limits: { 'learning.*': { timeoutMs: 5000 } } }
const hello = ['call', 'learning.hello', 'name=Ada', '--json']
const clientInfo = { name: 'bench', version: '1.0.0' }
const asked = [
  { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
const messages = asked.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')

interface Start {
  readonly name: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly input?: string
  /** Expected output: guards against measuring a start that fails early. */
  readonly says?: string
  readonly aim?: number
}

export async function* bench(): AsyncGenerator<Table> {
  const state = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  const plain = join(state, 'plain')
  const configured = join(state, 'configured')
  for (const folder of [plain, configured]) mkdirSync(folder)
  writeFileSync(join(configured, 'toolpact.json'), JSON.stringify(config))
  const run = ({ args, cwd, input = '', says = '' }: Start, options: readonly string[] = []) => {
    const env = { ...process.env, TOOLPACT_STATE_DIR: join(state, 'state') }
    const ended = spawnSync(process.execPath, [...options, ...args], { cwd, env, input, encoding: 'utf8' })
    if (ended.status !== 0 || !ended.stdout.includes(says))
      throw new Error(`node ${args.join(' ')} failed: ${ended.stderr}`)
    return ended.stderr
  }
  const starts: Start[] = [
    { name: 'node -e 0', args: ['-e', '0'], cwd: plain },
    { name: 'toolpact --version', args: [command, '--version'], cwd: plain, says: '.', aim: 1.3 },
    { name: 'toolpact call learning.hello', args: [command, ...hello], cwd: plain, says: 'Hello, Ada!', aim: 1.9 },
    {
      name: 'the same beside a toolpact.json',
      args: [command, ...hello],
      cwd: configured,
      says: 'Hello, Ada!',
      aim: 2.2,
    },
    { name: 'toolpact list', args: [command, 'list'], cwd: plain, says: 'mlx.unload' },
    {
      name: 'toolpact serve --stdio: initialize, tools/list, end',
      args: [command, 'serve', '--stdio'],
      cwd: plain,
      input: messages,
      says: 'create_file',
      aim: 2.2,
    },
  ]
  const contenders = starts.map((start) => ({
    name: start.name,
    aim: start.aim,
    run: () => run(start),
    memory: () => Number(/\d+$/.exec(run(start, ['--import', tellMemory]).trim())![0]) * 1024,
  }))
  yield await compare('Start-up', contenders, { rounds: 30 })
  rmSync(state, { recursive: true })
}
