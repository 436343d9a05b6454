import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCoverage } from '../../scripts/prepare-starts.ts'
import { isBuilt } from '../setup/is-built.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'toolpact-starts-'))

beforeAll(() => {
  if (!isBuilt()) execFileSync('npm', ['run', 'build'], { cwd: root, shell: process.platform === 'win32' })
})
afterAll(() => rmSync(folder, { recursive: true }))

function start(env: NodeJS.ProcessEnv): string {
  const command = [join(root, 'dist/cli/toolpact.js'), 'call', 'learning.hello', 'name=Ada', '--json']
  const places = { HOME: folder, XDG_CACHE_HOME: '', LOCALAPPDATA: folder, TOOLPACT_STATE_DIR: join(folder, 'state') }
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: folder,
    env: { ...process.env, ...places, NODE_COMPILE_CACHE: undefined, ...env },
    encoding: 'utf8',
  })
  expect({ status, stderr: env.NODE_DEBUG_NATIVE ? '' : stderr }).toEqual({ status: 0, stderr: '' })
  return stdout + stderr
}

test('a second start compiles nothing of the files that the first one compiled', () => {
  start({})
  start({})
  const told = start({ NODE_DEBUG_NATIVE: 'COMPILE_CACHE' })
  expect(told.match(/V8 code cache for .*? was accepted/g)?.length).toBeGreaterThan(3)
  expect(told).not.toMatch(/was not initialized|was rejected/)
})

test('what runs at a start is in parentheses, so that it is in the cache', () => {
  start({})
  mkdirSync(join(folder, 'coverage'))
  start({ NODE_V8_COVERAGE: join(folder, 'coverage') })
  const ran = [...readCoverage(join(folder, 'coverage'), join(root, 'dist/chunks'))]
  const functions = ran.flatMap(([file, places]) => {
    const code = readFileSync(file, 'utf8')
    return places.map(
      ({ startOffset, endOffset }) => [code.slice(startOffset - 1, endOffset), code[endOffset]!] as const,
    )
  })
  const written = functions.filter(([text]) => /^.(?:async )?function\b/s.test(text))
  expect(written.length).toBeGreaterThan(300)
  expect(written.filter(([text, end]) => text[0] !== '(' || end !== ')')).toEqual([])
})

test('no module of Node is loaded for functions that a start does not call', () => {
  const told = join(folder, 'tell-modules.mjs')
  writeFileSync(told, "process.on('exit', () => console.log(process.moduleLoadList.join('\\n')))")
  writeFileSync(join(folder, 'toolpact.json'), '{ "limits": { "learning.*": { "timeoutMs": 5000 } } }')
  start({}) // The first call seals the ledger.
  const loaded = start({ NODE_OPTIONS: `--import "${pathToFileURL(told)}"` }).split('\n')
  expect(loaded).toContain('NativeModule crypto')
  for (const name of ['tty', 'perf_hooks', 'fs/promises', 'internal/blocklist', 'worker_threads'])
    expect(loaded).not.toContain(`NativeModule ${name}`)
})

test('a server on stdio loads nothing for commands, connections and files that nobody asked for yet', () => {
  const told = join(folder, 'tell-modules-of-server.mjs')
  writeFileSync(told, "process.on('exit', () => console.error(process.moduleLoadList.join('\\n')))")
  const command = [join(root, 'dist/cli/toolpact.js'), 'serve', '--stdio', '--no-config']
  const { stderr } = spawnSync(process.execPath, ['--import', pathToFileURL(told).href, ...command], {
    cwd: folder,
    env: { ...process.env, HOME: folder, TOOLPACT_STATE_DIR: join(folder, 'state') },
    input: '',
    encoding: 'utf8',
  })
  const loaded = stderr.split('\n')
  expect(loaded).toContain('NativeModule crypto')
  for (const name of ['child_process', 'dns/promises', 'fs/promises', 'http', 'tls', 'tty'])
    expect(loaded).not.toContain(`NativeModule ${name}`)
})
