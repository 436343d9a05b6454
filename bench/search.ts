import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rgPath } from '@vscode/ripgrep'
import { openToolpact } from '../src/app/app.ts'
import type { JsonObject } from '../src/contract/json.ts'
import { compare } from './compare.ts'
import { decideAim } from './noise.ts'
import { numberOption } from './number-option.ts'
import { importPeer } from './peer.ts'
import type { About, Table } from './table.ts'

const run = promisify(execFile)
const files = 100_000
/** `--files=1000000` searches in that many as well. */
const most = numberOption('files', files)
const sizes = [10_000, files, 1_000_000].filter((size) => size <= most)
/** Largest growth of a process that counts as flat. */
const flat = 1.25
const versions = { tinyglobby: '0.2.15', fastGlob: '3.3.3' }

export const about: About = {
  compares:
    'Search in a tree of 100,000 files beside `rg` itself and beside JavaScript, and a range of a large file; and the memory of searches as trees grow. `--files=1000000` lets them grow further.',
  peers: [
    execFileSync(rgPath, ['--version'], { encoding: 'utf8' }).split(' (')[0]!.split('\n')[0]!,
    `tinyglobby ${versions.tinyglobby}`,
    `fast-glob ${versions.fastGlob}`,
  ],
}

export async function* bench(): AsyncGenerator<Table> {
  const root = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  try {
    console.log(`\nWriting a tree of ${files.toLocaleString('en')} files …`)
    writeTree(root, files)
    yield* searchIn(root)
    yield await measureMemory(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

async function* searchIn(root: string): AsyncGenerator<Table> {
  const { glob } = await importPeer<{ glob: Glob }>('tinyglobby', versions.tinyglobby)
  const fastGlob = (await importPeer<{ default: Glob }>('fast-glob', versions.fastGlob)).default
  const toolpact = await openToolpact({ workspace: root, storage: 'memory' })

  async function call(tool: string, input: JsonObject) {
    const result = await toolpact.call(`workspace.${tool}`, input)
    if (!result.success) throw new Error(result.error.message)
    return result.output
  }
  const rg = (...options: string[]) =>
    run(rgPath, ['--no-config', '--no-require-git', ...options], { cwd: root, maxBuffer: 1e9 })
  const bareGlob = { cwd: root, ignore: ['**/.git/**'] }

  const rounds = { rounds: 60, processor: true }
  yield await compare(
    'file_search for **/*7.ts',
    [
      { name: 'rg --files -g', run: () => rg('--files', '-g', '**/*7.ts') },
      { name: 'file_search', run: () => call('file_search', { pattern: '**/*7.ts' }), aim: 1.1 },
      { name: 'tinyglobby', run: () => glob('**/*7.ts', bareGlob) },
      { name: 'fast-glob', run: () => fastGlob('**/*7.ts', bareGlob) },
    ],
    rounds,
  )
  writeFileSync(join(root, '.gitignore'), 'build/\n')
  yield {
    ...(await compare(
      'file_search for **/*7.ts where an ignore file applies',
      [
        { name: 'rg --files -g', run: () => rg('--files', '-g', '**/*7.ts') },
        { name: 'file_search', run: () => call('file_search', { pattern: '**/*7.ts' }) },
      ],
      rounds,
    )),
    notes: ['What is ignored is counted in a second walk, which `rg` alone does not take.'],
  }
  rmSync(join(root, '.gitignore'))
  yield await compare(
    'grep_search for a word',
    [
      { name: 'rg -n', run: () => rg('-n', '--null', '-M', '500', '-F', '-e', 'needle', '.') },
      { name: 'grep_search', run: () => call('grep_search', { pattern: 'needle' }), aim: 1.05 },
      { name: 'tinyglobby and readFile', run: async () => grepInJavaScript(root, await glob('**/*', bareGlob)) },
    ],
    rounds,
  )
  yield await compare(
    'read_file, lines 60,000 to 60,050 of 10 MB',
    [
      {
        name: 'readFile and split',
        run: async () => (await readFile(join(root, 'big.txt'), 'utf8')).split('\n').slice(59_999, 60_050),
      },
      { name: 'read_file', run: () => call('read_file', { path: 'big.txt', start_line: 60_000, end_line: 60_050 }) },
    ],
    { rounds: 20, samples: 5, processor: true },
  )
  await toolpact.close()
}

/** Empty files are enough: they are as many paths, and results. */
async function measureMemory(root: string): Promise<Table> {
  const measured: { readonly size: number; readonly megabytes: number }[] = []
  for (const size of sizes) {
    const other = size === files ? root : mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
    try {
      if (other !== root) writeTree(other, size, { isEmpty: size > files })
      const memory = fileURLToPath(new URL('memory.ts', import.meta.url))
      const { stdout } = await run(process.execPath, [memory, other])
      measured.push({ size, megabytes: Number(stdout) })
    } finally {
      if (other !== root) rmSync(other, { recursive: true })
    }
  }
  const [first, last] = [measured[0]!, measured.at(-1)!]
  const growth = `a tree of ${last.size.toLocaleString('en')} files beside one of ${first.size.toLocaleString('en')}`
  return {
    title: 'Memory of a process that searched, read and listed, as trees grow (aim: flat)',
    heading: ['files', 'largest size'],
    rows: measured.map(({ size, megabytes }) => [size.toLocaleString('en'), `${megabytes} MB`]),
    notes: [
      decideAim({ what: 'the largest size', most: 150, unit: ' MB' }, [
        Math.max(...measured.map(({ megabytes }) => megabytes)),
      ]),
      decideAim({ what: growth, most: flat }, [last.megabytes / first.megabytes]),
    ],
  }
}

type Glob = (pattern: string, options: { cwd: string; ignore: string[] }) => Promise<string[]>

function writeTree(root: string, count: number, { isEmpty = false } = {}) {
  const filler = isEmpty ? '' : 'export const value = 1 // a line such as there are many\n'.repeat(20)
  for (let folder = 0; folder < count / 100; folder++) {
    const path = join(root, `area${folder % 10}`, `part${folder}`)
    mkdirSync(path, { recursive: true })
    for (let file = 0; file < 100; file++) {
      const found = file === 50 ? 'const needle = true\n' : ''
      writeFileSync(join(path, `module${file}.${file % 2 ? 'ts' : 'js'}`), filler + found)
    }
  }
  writeFileSync(
    join(root, 'big.txt'),
    Array.from({ length: 130_000 }, (_, line) => `${line} ${'x'.repeat(72)}\n`).join(''),
  )
}

function grepInJavaScript(root: string, paths: string[]) {
  return paths.flatMap((path) => {
    const lines = readFileSync(join(root, path), 'utf8').split('\n')
    return lines.filter((line) => line.includes('needle'))
  })
}
