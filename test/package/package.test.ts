import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../../scripts/bundle.ts'
import { bundleConsole } from '../../scripts/bundle-console.ts'
import { entryPoints, processes } from '../../scripts/entry-points.ts'
import { toLicenses, toPackageFolders } from '../../scripts/licenses.ts'
import { pdfBombs } from '../data/pdf-bombs.ts'
import { findOldNode } from '../helpers/find-old-node.ts'
import { toPdf } from '../helpers/to-pdf.ts'
import { isBuilt } from '../setup/is-built.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'toolpact-package-'))
const app = join(folder, 'app')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
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
  const packages = [join(folder, packed.filename), `@types/node@${manifest.devDependencies['@types/node']}`]
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packages])
})

afterAll(() => rmSync(folder, { recursive: true }))

test('the tarball holds what is needed and nothing else', () => {
  const outside = packed.files
    .map(({ path }) => path)
    .filter(
      (path) =>
        !/^(?:dist\/.*\.js|dist\/THIRD-PARTY-LICENSES\.txt|dist\/console\/(?:manifest\.json|assets\/console-[\w-]+\.css)|schemas\/[\w-]+\.schema\.json)$/.test(
          path,
        ),
    )
  const declarations = Object.keys(entryPoints).map((name) => `dist/${name}.d.ts`)
  expect(outside.sort()).toEqual(['LICENSE', 'README.md', ...declarations.sort(), 'package.json'])
  expect(packed.files.filter(({ path }) => /\.test|^bench\/|scripts\//.test(path))).toEqual([])
})

test('every entry point is exported with its declarations', () => {
  const exported = Object.values<string | { types: string; default: string }>(manifest.exports)
  expect(exported.filter((target) => typeof target !== 'string')).toEqual(
    Object.keys(entryPoints).map((name) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` })),
  )
})

test('every bundled package comes with its license', async () => {
  const licenses = readFileSync(join(app, 'node_modules/toolpact/dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  const sections = new Map(
    licenses.split(/\n-{80}\n\n/).map((section): [string, string] => {
      const end = section.indexOf('\n')
      return [section.slice(0, end), section.slice(end).trim()]
    }),
  )
  const modules = await bundle(join(folder, 'bundle'), { ...entryPoints, ...processes })
  const bundled = toPackageFolders([...modules, ...(await bundleConsole(join(folder, 'console')))])
  const names = bundled.map((path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')))
  expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining(['ajv', 'openai', 'preact', 'unpdf']))
  for (const { name, version } of names) expect(sections.get(`${name} ${version}`)).toMatch(/copyright.{200}/is)
  // Published inside other packages: one with its license in a folder of its own, one without.
  const inside = (pattern: RegExp) => [...sections].find(([title]) => pattern.test(title))?.[1]
  expect(inside(/^openai .*qs$/)).toMatch(/BSD 3-Clause License/)
  expect(inside(/^unpdf .*: pdf\.js$/)).toMatch(/Mozilla Foundation.*Apache License.*END OF TERMS AND CONDITIONS/s)
})

test('a package without a license cannot be bundled', () => {
  const library = join(folder, 'node_modules/unlicensed')
  mkdirSync(library, { recursive: true })
  writeFileSync(join(library, 'package.json'), '{ "name": "unlicensed", "version": "1.0.0" }')
  expect(() => toLicenses([join(library, 'index.js')])).toThrow('unlicensed has no license file')
  writeFileSync(join(library, 'LICENSE'), 'Do what you like.')
  expect(toLicenses([join(library, 'index.js')])).toBe('unlicensed 1.0.0\n\nDo what you like.\n')
})

test('the installed command prints its version and calls a tool', () => {
  const command = join(app, 'node_modules', '.bin', 'toolpact')
  expect(run(command, ['--version']).trim()).toBe(manifest.version)
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
    { success: false, error: { code: 'parse_failed', message: expect.stringContaining('expands to more than') } },
  ])
})

test('an engine of a program passes the installed suite under node:test, and Toolpact runs on it', () => {
  writeFileSync(
    join(app, 'engine.js'),
    `import { join } from 'node:path'
    import { openSqliteStorage } from 'toolpact/storage'
    export const open = (name) => openSqliteStorage({ directory: join(import.meta.dirname, 'engine', name) })`,
  )
  writeFileSync(
    join(app, 'engine-test.js'),
    `import { test } from 'node:test'
    import { openToolpact } from 'toolpact'
    import { testStorage } from 'toolpact/storage/suite'
    import { open } from './engine.js'
    testStorage({ test, open, module: import.meta.resolve('./engine.js') })
    test('a call is recorded', async ({ assert }) => {
      const storage = open('calls')
      const toolpact = await openToolpact({ storage })
      await toolpact.call('learning.hello', { name: 'Ada' })
      assert.equal((await storage.ledger.read()).length, 2)
      await toolpact.close()
    })`,
  )
  const report = run(process.execPath, ['--test', '--test-reporter=tap', 'engine-test.js'])
  expect(report).toContain('ok 1 - ledger: is empty and intact at first')
  expect(report).toMatch(/^ok \d+ - several processes: append to one ledger/m)
  expect(report).toMatch(/^ok \d+ - a call is recorded$/m)
  expect(report).toMatch(/^# fail 0$/m)
})

test('the first program of the guide runs with the installed package', () => {
  const guide = readFileSync(join(root, 'docs/guides/use-from-a-program.md'), 'utf8')
  const [, program] = /```ts math\.ts\n([\s\S]*?)```/.exec(guide)!
  writeFileSync(join(app, 'program.ts'), program!)
  const printed = run(process.execPath, ['program.ts'])
  expect(printed).toContain("pointer: '/b'")
})

test.each([
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
])('its types fit that program and every export, and refuse a wrong program: $moduleResolution', (resolution) => {
  const program = readFileSync(join(app, 'program.ts'), 'utf8')
  writeFileSync(join(app, 'wrong-program.ts'), program.replace('sum: a + b', 'sum: a.length'))
  writeFileSync(join(app, 'every-export.ts'), useEveryExport())
  const compilerOptions = { strict: true, skipLibCheck: false, target: 'es2024', types: ['node'], noEmit: true }
  const files = ['program.ts', 'wrong-program.ts', 'every-export.ts']
  writeFileSync(
    join(app, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...resolution }, files }),
  )
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler], { cwd: app, encoding: 'utf8' })
  expect(status).toBeGreaterThan(0)
  expect(stdout.trimEnd().split('\n')).toEqual([expect.stringMatching(/^wrong-program\.ts\(.*'length'/)])
})

/** A program that exports again, by name, all that the sources of the entry points export. */
function useEveryExport(): string {
  const lines = Object.entries(entryPoints).map(([entry, source]) => {
    const { staticExports } = parseSync(source, readFileSync(join(root, source), 'utf8')).module
    const names = staticExports.flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name))
    expect(names.length).toBeGreaterThan(0)
    // An entry point names what it exports: `export *` has no name here.
    expect(names).not.toContain(null)
    const aliases = names.map((name) => `${name} as ${entry.replaceAll(/\W/g, '_')}_${name}`)
    return `export type { ${aliases.join(', ')} } from '${entry === 'index' ? 'toolpact' : `toolpact/${entry}`}'\n`
  })
  return lines.join('')
}

const oldNode = findOldNode()

test.skipIf(!oldNode)(
  'an old Node that imports it reads in one line what is missing (skipped where none is on the path)',
  () => {
    const program = `await import('toolpact').catch(({ message }) => console.log(message))`
    const printed = execFileSync(oldNode!, ['--input-type=module', '-e', program], { cwd: app, encoding: 'utf8' })
    expect(printed).toMatch(/^Toolpact needs Node 24 or newer, but this is Node \d+\.\d+\.\d+\. .*\n$/)
  },
)
