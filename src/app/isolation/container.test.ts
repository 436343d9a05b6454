import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { prying } from '../../../test/helpers/confined-packages.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { createContainer } from '../../capabilities/sandbox/container/container.ts'
import { probe } from '../../capabilities/sandbox/probe.ts'
import { openToolpact } from '../app.ts'
import type { ConfigSource } from '../config/config.ts'

const image = `toolpact-test-node:${process.version.slice(1)}`
const engine = process.platform === 'linux' ? await findEngine() : undefined

/** Docker or Podman, if containers work here: with an image of Node and its libraries alone. */
async function findEngine(): Promise<string | undefined> {
  const found = await probe({ wanted: 'container' })
  if ('reason' in found) return undefined
  const program = found.driver.program!
  try {
    if (execFileSync(program, ['images', '--quiet', image], { stdio: 'pipe' }).length === 0) importImage(program)
    execFileSync(program, ['run', '--rm', '--network', 'none', image, 'node', '--version'], { stdio: 'pipe' })
    return program
  } catch {
    return undefined
  }
}

function importImage(program: string) {
  const root = mkdtempSync(join(tmpdir(), 'toolpact-image-'))
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)
  for (const path of [...libraries].map(([, path]) => path!)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    cpSync(realpathSync(path), join(root, path))
  }
  for (const folder of ['usr/bin', 'tmp', 'proc', 'dev', 'sys', 'home', 'etc']) mkdirSync(join(root, folder), { recursive: true }) // biome-ignore format: one line
  cpSync(realpathSync(process.execPath), join(root, 'usr/bin/node'))
  execFileSync('sh', ['-c', `tar -C "$1" -c . | "$2" import - "$3"`, 'sh', root, program, image], { stdio: 'pipe' })
  rmSync(root, { recursive: true })
}

const listContainers = () => execFileSync(engine!, ['ps', '--all', '--format', '{{.Names}}'], { encoding: 'utf8' }).split('\n').filter((name) => name.startsWith('toolpact-')) // biome-ignore format: one line

async function open(entry: object = {}) {
  const folder = realpathSync(makeFolder())
  for (const name of ['code', 'notes', 'drafts']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'code/server.cjs'), prying)
  writeFileSync(join(folder, 'notes/a.txt'), 'notes')
  writeFileSync(join(folder, 'toolpact.lock'), '{"lockVersion":1,"servers":{}}')
  const server = {
    command: 'node',
    args: [join(folder, 'code/server.cjs')],
    container: image,
    env: { TOKEN: 'secret-of-the-test' },
    read: [join(folder, 'code'), join(folder, 'notes')],
    write: [join(folder, 'drafts')],
    network: 'none',
    approval: 'never',
    ...entry,
  }
  const toolpact = await openToolpact({ storage: 'memory', stateDirectory: makeFolder(), workspace: folder, config: { mcpServers: { odd: server } } as ConfigSource }) // biome-ignore format: one line
  onTestFinished(() => toolpact.close())
  const call = async (tool: string, input = {}) => {
    const result = await toolpact.call(`odd.${tool}`, input)
    return result.success ? (result.output as { text: string }).text : result.error.message
  }
  return { folder, toolpact, call, evaluate: (code: string) => call('evaluate', { code: `try { ${code} } catch (cause) { return cause.code }` }) } // biome-ignore format: one line
}

describe.skipIf(engine === undefined)('a server in a container (skipped where neither docker nor podman works)', () => {
  test('finds what was granted, no network, no privileges and limits, and its secret is not in any argument', async () => {
    const { folder, toolpact, call, evaluate } = await open()
    expect(await call('read', { path: join(folder, 'notes/a.txt') })).toBe('notes')
    expect(toolpact.upstreams.look()[0]!.isolation).toMatchObject({ state: 'confined', by: 'container' })
    expect(await evaluate(`require('fs').writeFileSync('${folder}/notes/a.txt', 'x')`)).toBe('EROFS')
    expect(await call('write', { path: join(folder, 'drafts/b.txt'), text: 'x' })).toBe('written')
    expect(readFileSync(join(folder, 'drafts/b.txt'), 'utf8')).toBe('x')
    expect(await evaluate(`require('fs').writeFileSync('/usr/bin/evil', 'x')`)).toBe('EROFS')
    expect(await evaluate(`return Object.keys(require('os').networkInterfaces())`)).toMatch(/^(?:lo)?$/)
    expect(await call('connect', { host: '192.0.2.1', port: 443 })).toContain('ENETUNREACH')
    const status = (await evaluate(`return require('fs').readFileSync('/proc/self/status', 'utf8')`)) as string
    expect(status).toMatch(/CapEff:\s+0000000000000000/)
    expect(status).toMatch(/NoNewPrivs:\s+1/)
    const variables = JSON.parse(await call('environment'))
    expect(variables).toMatchObject({ TOKEN: 'secret-of-the-test', HOME: '/home/toolpact' })
    const lines = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid).map((pid) => readIfThere(`/proc/${pid}/cmdline`)) // biome-ignore format: one line
    expect(lines.some((line) => line.includes(image))).toBe(true)
    expect(lines.filter((line) => line.includes('secret-of-the-test'))).toEqual([])
    await toolpact.close()
    await expect.poll(listContainers, { timeout: 15_000 }).toEqual([])
  })

  test('a fork bomb ends at the limit on processes', async () => {
    const { evaluate } = await open()
    const text = await evaluate(`const { spawnSync, spawn } = require('child_process'); let started = 0; for (let at = 0; at < 600; at++) { const child = spawn('/usr/bin/node', ['-e', 'setTimeout(() => {}, 1e6)'], { stdio: 'ignore' }); child.on('error', () => {}); if (child.pid) started++; else break } return started`) // biome-ignore format: one line
    expect(Number(text)).toBeLessThan(512)
  })

  test('config and lock cannot be written in a granted folder', async () => {
    const { evaluate, folder } = await open({ write: ['.'] })
    expect(await evaluate(`require('fs').writeFileSync('${folder}/a', 'x'); return 'written'`)).toBe('written')
    expect(await evaluate(`require('fs').writeFileSync('${folder}/toolpact.lock', 'x')`)).toBe('EROFS')
    expect(await evaluate(`require('fs').renameSync('${folder}/toolpact.lock', '${folder}/b')`)).toBe('EBUSY')
  })

  test('one that ignores the end of its input and every signal is removed when it is closed', async () => {
    const { evaluate, toolpact } = await open()
    await evaluate(`for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {}); setInterval(() => {}, 1000); return 'stubborn'`) // biome-ignore format: one line
    expect(listContainers()).toHaveLength(1)
    await toolpact.close()
    await expect.poll(listContainers, { timeout: 15_000 }).toEqual([])
  })

  test('what a killed Toolpact left behind is removed by the next one', async () => {
    const { evaluate, toolpact } = await open()
    await evaluate('return 1')
    const [name] = listContainers()
    // No process has this number.
    const orphan = name!.replace(/-\d+-(\w+)$/, '-4194999-$1')
    execFileSync(engine!, ['run', '--detach', '--network', 'none', '--name', orphan, image, 'node', '-e', 'setInterval(() => {}, 1000)'], { stdio: 'pipe' }) // biome-ignore format: one line
    expect(listContainers().sort()).toEqual([name, orphan].sort())
    await createContainer().findFault()
    expect(listContainers()).toEqual([name])
    await toolpact.close()
  })
})

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
