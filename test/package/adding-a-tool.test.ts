import { spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { runExamples } from '../../src/app/run-examples.ts'
import { entries } from '../helpers/run-command.ts'
import { isBuilt } from '../setup/is-built.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const place = mkdtempSync(join(tmpdir(), 'toolpact-walk-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

// Both pages speak to a POSIX shell.
const isPosix = process.platform !== 'win32'

test.skipIf(!isPosix).concurrent('docs/adding-a-tool.md, followed to the letter, gives a tool that works', async () => {
  const folder = join(place, 'my-project')
  mkdirSync(folder)
  const steps = readSteps('docs/adding-a-tool.md', 2)
  const shown: string[] = []
  for (const { info, text } of steps) {
    const [language, name] = info
    if (language === 'sh') shown.push(await follow(text, { folder, isToFail: name === 'fails' }))
    else if (name !== undefined) {
      if (name === 'tools/word_count.ts') cpSync(join(folder, name), join(folder, 'tools/generated.ts'))
      writeFileSync(join(folder, name), text)
    }
  }
  const [, begun, failed, passed, trusted, program] = shown
  expect(shown).toHaveLength(6)
  for (const name of ['word_count.contract.json', 'word_count.ts', 'word_count.test.ts'])
    expect(begun).toContain(`tools/${name} `)
  expect(failed).toContain('word_count is not implemented yet.')
  expect(passed).toMatch(/pass 2\n[\s\S]*fail 0\n[\s\S]*ok +contracts +tools: 1 contract\n[\s\S]*words: 3\n/)
  expect(trusted).toMatch(/Trusted [\s\S]*nothing_to_count +400[\s\S]*words: 3\n/)
  expect(program).toBe('3\n')
  // The handler as it was generated, the one of the page, the test and the program fit their types.
  const files = ['tools/generated.ts', 'tools/word_count.ts', 'tools/word_count.test.ts', 'program.ts']
  await checkTypes(folder, files)
})

test
  .skipIf(!isPosix)
  .concurrent('CONTRIBUTING.md, followed to the letter, adds a tool to this repository', async () => {
    const folder = join(place, 'checkout')
    copyRepository(folder)
    const tool = join(folder, 'src/toolsets/learning/shout.ts')
    const shown: string[] = []
    for (const { info, text } of readSteps('CONTRIBUTING.md')) {
      const [language, name] = info
      // What checks all of the repository would run this test again.
      if (language === 'sh') shown.push(await follow(text.replace('npm run check && npm test\n', ''), { folder, isToFail: name === 'fails' })) // biome-ignore format: one line
    else if (name === 'run') writeFileSync(tool, readFileSync(tool, 'utf8').replace(/^ {2}\(\) => \{\n.*\n {2}\},\n/m, () => text.replaceAll(/^(?=.)/gm, '  '))) // biome-ignore format: one line
    }
    const [begun, failed, passed] = shown
    expect(shown).toHaveLength(4)
    expect(begun).toMatch(/learning\/shout\.ts [\s\S]*learning\/shout\.test\.ts [\s\S]*learning\/index\.ts /)
    expect(failed).toContain('shout is not implemented yet.')
    expect(passed).toMatch(/Tests +2 passed/)
    expect(readFileSync(join(folder, 'docs/tools.md'), 'utf8')).toContain('Returns the text in capital letters.')
    // As npm run check would.
    await checkTypes(folder, ['src/toolsets/learning/index.ts'])
    await follow('npx biome check src/toolsets/learning', { folder })
  })

test('the folder in examples/ does what its contract shows', async () => {
  const outcomes = await runExamples('notes.read_note', { contracts: [join(root, 'examples/notes')] })
  expect(outcomes).toEqual([{ title: 'example 1' }, { title: 'example 2' }, { title: 'example 3' }])
})

interface Step {
  /** What stands behind the fence: a language, and what to do with the text. */
  readonly info: readonly string[]
  readonly text: string
}

/** The blocks of code of a page, or of its first section, that are to be typed, run or put into a file. */
function readSteps(page: string, end = Infinity): Step[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll('\r\n', '\n').split(/^## /m).slice(0, end).join('')
  return [...text.matchAll(/^( *)```(.+)\n([\s\S]*?)^ *```$/gm)].map(([, indent, info, code]) => ({
    info: info!.split(' '),
    text: code!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

interface FollowOptions {
  readonly folder: string
  readonly isToFail?: boolean
}

/** Types lines into a shell in a folder, and gives what it shows. */
function follow(lines: string, { folder, isToFail = false }: FollowOptions): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|TEST$|NODE_(?!COMPILE_CACHE)|NO_COLOR|FORCE_COLOR|npm_)/.test(name)) // biome-ignore format: one line
  const path = [makeBin(), dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = { ...Object.fromEntries(own), PATH: path, NO_COLOR: '1', TOOLPACT_STATE_DIR: join(folder, '.state') }
  const child = spawn('sh', ['-e', '-c', lines], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 500_000 }) // biome-ignore format: one line
  let shown = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (shown += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if ((code !== 0) === isToFail) resolve(shown)
      else reject(new Error(`This ended with ${code}:\n${lines}\n${shown}`))
    })
  })
}

let bin: string | undefined

/** In place of the registry: npm installs the package as it is bundled for tests, npx runs what is installed. */
function makeBin(): string {
  if (bin !== undefined) return bin
  bin = join(place, 'bin')
  const package_ = join(place, 'package')
  for (const folder of [bin, package_]) mkdirSync(folder)
  const about = { name: 'toolpact', version: '0.0.0', type: 'module', exports: './index.js' }
  writeFileSync(join(package_, 'package.json'), JSON.stringify(about))
  writeFileSync(join(package_, 'index.js'), `export * from '${pathToFileURL(entries.library).href}'\n`)
  writeScript('toolpact', `exec node "${entries.toolpact}" "$@"`)
  const install = `mkdir -p node_modules/.bin; ln -s "${package_}" node_modules/toolpact; ln -s "${bin}/toolpact" node_modules/.bin/toolpact`
  const others = findCommand('npm')
  writeScript('npm', `case "$1" in\n  install) ${install} ;;\n  *) exec "${others}" "$@" ;;\nesac`)
  writeScript('npx', 'command=$1\nshift\nexec "./node_modules/.bin/$command" "$@"')
  return bin
}

function writeScript(name: string, lines: string): void {
  writeFileSync(join(bin!, name), `#!/bin/sh\n${lines}\n`)
  chmodSync(join(bin!, name), 0o755)
}

function findCommand(name: string): string {
  const folders = process.env.PATH!.split(delimiter)
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file))!
}

/** What adding a tool needs of this repository, without its tests. */
function copyRepository(folder: string): void {
  for (const name of [
    'src',
    'package.json',
    'toolpact.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'biome.json',
    '.gitignore',
    'scripts/api-page.ts',
    'scripts/page-sections.ts',
    'scripts/reference-pages.ts',
    'scripts/write-call-diagram.ts',
    'scripts/write-reference.ts',
    'docs/cli.md',
    'docs/config.md',
    'docs/images',
    'docs/telemetry.md',
    'scripts/bundle-types.ts',
    'scripts/entry-points.ts',
    'scripts/write-api.ts',
    'scripts/write-decisions.ts',
    'scripts/write-requirements.ts',
    'test/requirements',
    'test/documents/document-checks.ts',
    'docs/decisions',
  ])
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/\.test(?:-d)?\.ts$/.test(path),
    })
  for (const name of ['schemas', '.git']) mkdirSync(join(folder, name))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  // Without the programs that other tests need.
  writeFileSync(join(folder, 'vitest.config.ts'), `export default { test: { isolate: false, maxWorkers: 1 } }\n`)
}

async function checkTypes(folder: string, files: readonly string[]): Promise<void> {
  // Declarations are read in a fraction of the time.
  const library = isBuilt() ? 'dist/index.d.ts' : 'src/index.ts'
  const compilerOptions = { paths: { toolpact: [join(root, library)] }, typeRoots: [join(root, 'node_modules/@types')] } // biome-ignore format: one line
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }
  writeFileSync(join(folder, 'tsconfig.check.json'), JSON.stringify(config))
  await follow(`"${join(root, 'node_modules/.bin/tsc')}" --project tsconfig.check.json`, { folder })
}
