import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** What the server needs to serve the console: file names below `assets/`. */
interface ConsoleManifest {
  readonly script: string
  /** What the script imports at once. */
  readonly imports: readonly string[]
  readonly style: string
}

const isOnDemand =
  /plots|uplot|(?:console\/web|storage)\/proof\/|console\/web\/(?:connect|lock|runs|servers|sessions)\/|hidden-characters/
/** Pages whose style sheet is loaded with their code. */
const hasOwnStyle = /^(?:plots|runs)\//
const source = fileURLToPath(new URL('../src/surfaces/console/web/', import.meta.url))

/**
 * Bundles the console for browsers into a folder: scripts and the style sheet under `assets/`, with a hash of their content in
 * their names, and `manifest.json`. Returns the files of all bundled modules.
 */
export async function bundleConsole(dir: string): Promise<string[]> {
  const assets = resolve(dir, 'assets')
  const made = await rolldown({
    cwd: source,
    input: { console: 'main.tsx' },
    platform: 'browser',
    plugins: [
      {
        name: 'styles',
        load: {
          filter: { id: /\.css$/ },
          handler: (id) => ({
            code: `export default ${JSON.stringify(shrink(readFileSync(id, 'utf8')))}`,
            moduleType: 'js',
          }),
        },
      },
    ],
    // Calls with children as arguments compress better than those of the automatic transform.
    transform: {
      target: 'es2024',
      jsx: { runtime: 'classic', pragma: 'createElement', pragmaFrag: 'Fragment' },
      inject: { createElement: ['preact', 'createElement'], Fragment: ['preact', 'Fragment'] },
    },
  })
  const { output } = await made.write({
    dir: assets,
    format: 'esm',
    minify: true,
    comments: false,
    // One file compresses better than one per page; these are large, or seldom needed.
    codeSplitting: {
      groups: [
        { name: 'pages', test: (id) => !isOnDemand.test(id) },
        { name: 'lock', test: /console\/web\/lock\// },
        { name: 'runs', test: /console\/web\/runs\// },
        { name: 'servers', test: /console\/web\/(?:connect|servers|sessions)\// },
        { name: 'proof', test: (id) => !/plots|uplot/.test(id) },
      ],
    },
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await made.close()
  const { fileName: script, imports } = output.filter((file) => file.type === 'chunk').find(({ isEntry }) => isEntry)!
  const manifest: ConsoleManifest = { script, imports, style: writeStyle(assets) }
  writeFileSync(join(dir, 'manifest.json'), `${JSON.stringify(manifest)}\n`)
  return output.flatMap((file) => ('moduleIds' in file ? file.moduleIds : []))
}

function writeStyle(assets: string): string {
  // The shell's first: those of pages build on it.
  const pages = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.css') && path !== 'style.css' && !hasOwnStyle.test(path))
    .sort()
  const css = shrink(['style.css', ...pages].map((path) => readFileSync(join(source, path), 'utf8')).join('\n'))
  const name = `console-${createHash('sha256').update(css).digest('base64url').slice(0, 8)}.css`
  mkdirSync(assets, { recursive: true })
  writeFileSync(join(assets, name), css)
  return name
}

function shrink(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .trim()
}
