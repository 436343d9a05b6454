import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdfBombs } from '../data/pdf-bombs.ts'
import { findOldNode } from '../helpers/find-old-node.ts'
import { toPdf } from '../helpers/to-pdf.ts'
import { isBuilt } from '../setup/is-built.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'toolpact-package-'))
const app = join(folder, 'app')
let packed: { filename: string; files: { path: string }[] }

function run(command: string, args: string[], cwd = app): string {
  // The Node that runs this test comes first, as it does in npm's own scripts.
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH: path, TOOLPACT_STATE_DIR: join(folder, 'state') }
  return execFileSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

beforeAll(() => {
  if (!isBuilt()) run('npm', ['run', 'build'], root)
  ;[packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root))
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }')
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, packed.filename)])
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true }))

test('the tarball holds what is needed and nothing else', () => {
  const outside = packed.files
    .map(({ path }) => path)
    .filter(
      (path) =>
        !/^(?:dist\/.*\.(?:js|d\.ts)|dist\/THIRD-PARTY-LICENSES\.txt|schemas\/[\w-]+\.schema\.json)$/.test(path),
    )
  expect(outside.sort()).toEqual(['LICENSE', 'README.md', 'package.json'])
  expect(packed.files.filter(({ path }) => /\.test|^bench\/|scripts\//.test(path))).toEqual([])
})

test('what is bundled comes with its licence', () => {
  const licences = readFileSync(join(app, 'node_modules/toolpact/dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const name of ['ajv', 'ajv-formats', 'htmlparser2', 'jose', 'openai', 're2js', 'unpdf'])
    expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'))
})

test('the installed command tells its version and calls a tool', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const command = join(app, 'node_modules', '.bin', 'toolpact')
  expect(run(command, ['--version']).trim()).toBe(version)
  expect(JSON.parse(run(command, ['call', 'learning.hello', 'name=Ada', '--json']))).toMatchObject({
    tool: 'hello',
    success: true,
    greeting: 'Hello, Ada!',
  })
})

test('the installed package reads a PDF in a process of its own, and gives up on a bomb', () => {
  writeFileSync(join(app, 'plain.pdf'), toPdf([['Hot water.']]))
  writeFileSync(join(app, 'bomb.pdf'), pdfBombs['filters within filters']!())
  const program = `import { createServer } from 'node:http'
    import { readFileSync } from 'node:fs'
    import { openToolpact } from 'toolpact'
    const server = createServer(({ url }, response) => url.endsWith('.pdf')
      ? response.end(readFileSync('.' + url)) : response.writeHead(404).end())
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const host = '127.0.0.1:' + server.address().port
    const toolpact = await openToolpact({ toolsets: ['web-fetch'], storage: 'memory', config: { policy: { allowHosts: [host] } } })
    const results = []
    for (const name of ['plain', 'bomb']) results.push(await toolpact.call('web.fetch', { url: 'http://' + host + '/' + name + '.pdf' }))
    console.log(JSON.stringify(results))
    await toolpact.close()
    server.close()`
  writeFileSync(join(app, 'read-pdf.js'), program)
  expect(JSON.parse(run(process.execPath, ['read-pdf.js']))).toMatchObject([
    { success: true, output: { clean_text: 'Hot water.' } },
    { success: false, error: { code: 'parse_failed', message: expect.stringContaining('unpacks to more than') } },
  ])
}, 60_000)

test('the program in the README runs and prints what it says', () => {
  const [, program] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))!
  writeFileSync(join(app, 'program.ts'), program!)
  const printed = run(process.execPath, ['program.ts'])
  expect(printed).toContain("pointer: '/b'")
})

test('the types that come with it fit that program, and refuse a wrong one', () => {
  const compilerOptions = {
    ...{ strict: true, module: 'nodenext', target: 'es2024', noEmit: true, allowImportingTsExtensions: true },
    ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
  }
  writeFileSync(
    join(app, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['program.ts', 'wrong-program.ts'] }),
  )
  const program = readFileSync(join(app, 'program.ts'), 'utf8')
  writeFileSync(join(app, 'wrong-program.ts'), program.replace('sum: a + b', 'sum: a.length'))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler], { cwd: app, encoding: 'utf8' })
  expect(status).toBeGreaterThan(0)
  expect(stdout.trimEnd().split('\n')).toEqual([expect.stringMatching(/^wrong-program\.ts\(.*'length'/)])
})

const oldNode = findOldNode()

test.skipIf(!oldNode)(
  'an old Node that imports it reads in one line what is missing (skipped where none is on the path)',
  () => {
    const program = `await import('toolpact').catch(({ message }) => console.log(message))`
    const printed = execFileSync(oldNode!, ['--input-type=module', '-e', program], { cwd: app, encoding: 'utf8' })
    expect(printed).toMatch(/^Toolpact needs Node 24 or newer, and this is Node \d+\.\d+\.\d+\. .*\n$/)
  },
)
