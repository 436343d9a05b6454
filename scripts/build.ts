/**
 * Builds dist/: two entries bundled with their libraries, because most of a start goes into opening files; the licences
 * of those libraries; and the type declarations.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** What every call runs through, in two files instead of twenty. */
const onePerStart = [
  {
    name: 'core',
    test: /src[\\/](?:app|rules\.ts|lock\.ts|host|toolset-choice|config[\\/](?:trust\.ts|open-config|config-error)|pipeline|policy[\\/](?!network|environment|path|protected|rules)|contract[\\/](?!lint|diff|contract-schema)|storage[\\/](?!memory|calls|read-rules|rules-file|file-lock|private-file|trust-file|read-tokens|tokens-file|lock-file|config-file|edit-json))/,
  },
  {
    name: 'command',
    test: /src[\\/](?:cli[\\/](?:call|command|command-line|exit-codes|interrupts|main|print-result|choose-approver|terminal|to-input|user-name)\.ts|projections[\\/]result-json)/,
  },
]

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
rmSync('dist', { recursive: true, force: true })

const bundle = await rolldown({
  input: { index: 'src/index.ts', 'cli/toolpact': 'src/cli/toolpact.ts' },
  platform: 'node',
  external: ['@vscode/ripgrep'],
  plugins: [{ name: 'builtins', renderChunk: takeBuiltins }],
})
const { output } = await bundle.write({
  dir: 'dist',
  format: 'esm',
  chunkFileNames: 'chunks/[name]-[hash].js',
  codeSplitting: { groups: onePerStart },
})
await bundle.close()
chmodSync('dist/cli/toolpact.js', 0o755)
writeFileSync(
  'dist/THIRD-PARTY-LICENSES.txt',
  toLicences(output.flatMap((file) => ('moduleIds' in file ? file.moduleIds : []))),
)

const types = spawnSync('tsc', ['--project', 'tsconfig.build.json'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
process.exit(types.status ?? 1)

/**
 * An import of a built-in module reads all its exports, and with them loads what Node would load lazily: the streams of
 * node:fs, the web half of node:crypto, the diff of node:util. That costs a fifth of a start.
 */
function takeBuiltins(code: string): string {
  return code.replace(/^import (.+?) from "(node:[^"]+)";$/gm, (_, names: string, id: string) => {
    const taken = names.startsWith('{') ? names.replaceAll(' as ', ': ') : names.replace('* as ', '')
    return `const ${taken} = process.getBuiltinModule("${id}");`
  })
}

function toLicences(modules: readonly string[]): string {
  const folders = modules.map((id) => /.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0])
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .sort()
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
      if (!file) throw new Error(`${name} has no licence file; it cannot be bundled`)
      return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
