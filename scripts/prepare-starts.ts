import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileAtOnce, type Place } from './compile-at-once.ts'
import { toAscii } from './to-ascii.ts'

const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'build', version: '1.0.0' } }
const messages = [
  { id: 1, method: 'initialize', params },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
const hello = ['call', 'learning.hello', 'name=Ada', '--json']

/** What a server does after its first answers has happened by then, so that every build sees the same functions run. */
const settleMs = 300

/** The usual starts, in the folder without and the one with a config. The first one creates the state. */
const starts: readonly (readonly [folder: 'plain' | 'configured', ...args: string[]])[] = [
  ['plain', ...hello],
  ['plain', ...hello],
  ['configured', ...hello],
  ['plain', 'list'],
  ['plain', 'serve', '--stdio'],
]

/**
 * Rewrites the files that the usual starts of the built command load, so that Node's compile cache holds the functions
 * that run there, and their text takes one byte per character. The command runs as it is where this cannot be done.
 */
export async function prepareStarts(dir: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-starts-'))
  try {
    for (const name of ['plain', 'configured', 'coverage']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'configured', 'toolpact.json'), '{ "limits": { "learning.*": { "timeoutMs": 5000 } } }')
    for (const start of starts) await run(resolve(dir, 'cli/toolpact.js'), folder, start)
    const chunks = join(resolve(dir), 'chunks')
    for (const [file, places] of readCoverage(join(folder, 'coverage'), chunks))
      writeFileSync(file, toAscii(compileAtOnce(readFileSync(file, 'utf8'), places)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function run(command: string, folder: string, [cwd, ...args]: (typeof starts)[number]): Promise<void> {
  const { PATH, SystemRoot } = process.env
  const env = {
    PATH,
    ...(SystemRoot && { SystemRoot }),
    HOME: folder,
    USERPROFILE: folder,
    TOOLPACT_STATE_DIR: join(folder, 'state'),
    NODE_V8_COVERAGE: join(folder, 'coverage'),
  }
  const stdio = ['pipe', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, [command, ...args], { cwd: join(folder, cwd), env, stdio: [...stdio] })
  child.stdin!.on('error', () => {})
  const isServer = args[0] === 'serve'
  let output = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (output.includes('"id":2')) setTimeout(() => child.stdin!.end(), settleMs)
  })
  if (isServer) child.stdin!.write(input)
  else child.stdin!.end()
  const [code] = await once(child, 'close')
  if (code !== 0) console.warn(`toolpact ${args.join(' ')} failed, so starts will be slower.`)
}

/** The functions that ran, by file. */
export function readCoverage(folder: string, chunks: string): Map<string, Place[]> {
  const found = new Map<string, Place[]>()
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage
    for (const { url, functions } of result) {
      const file = url.startsWith('file:') ? fileURLToPath(url) : ''
      if (!file.startsWith(chunks)) continue
      const ran = functions.map(({ ranges: [whole] }) => whole).filter(({ count }) => count > 0)
      found.set(file, [...(found.get(file) ?? []), ...ran])
    }
  }
  return found
}

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly ranges: readonly [Place & { readonly count: number }] }[]
  }[]
}
