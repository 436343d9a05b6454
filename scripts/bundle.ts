import { rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { toChunkGroups } from './start-chunks.ts'
import { type ReadyModule, writeReadyChecks } from './write-ready-checks.ts'

/** Bundles entries with their libraries into a folder. Returns the files of all bundled modules. */
export async function bundle(dir: string, entries: { readonly [name: string]: string }): Promise<string[]> {
  const made = await rolldown({
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    input: { ...entries },
    platform: 'node',
    external: ['@vscode/ripgrep', '@opentelemetry/api'],
    plugins: [{ name: 'builtins', renderChunk: takeBuiltins }, mendPostgres, putReadyChecks(await readyModules())],
  })
  const { output } = await made.write({
    dir,
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // What is read at every start should be short.
    comments: { jsdoc: false },
    codeSplitting: { groups: toChunkGroups() },
  })
  await made.close()
  skipFacades(dir, output)
  return output.flatMap((file) => ('moduleIds' in file ? file.moduleIds : []))
}

/**
 * An import of a built-in module reads all its exports, and with them loads what Node would load lazily: the streams of
 * node:fs, the web half of node:crypto, the diff of node:util. That costs a fifth of a start.
 */
function takeBuiltins(code: string): string {
  return code.replace(/^import (.+?) from "(node:[^"]+)";$/gm, (_, names: string, id: string) => {
    const module = `globalThis.process.getBuiltinModule("${id}")`
    const functions = loadedByCalls.has(id) && toFunctions(names, process.getBuiltinModule(id)!)
    if (functions) return functions.map(([name, own]) => `const ${own} = (...args) => ${module}.${name}(...args);`).join('\n') // biome-ignore format: one line
    const taken = names.startsWith('{') ? names.replaceAll(' as ', ': ') : names.replace('* as ', '')
    return `const ${taken} = ${module};`
  })
}

/** Their functions stand in the files of a start, which calls none of them; loading one takes 0.2 to 2 ms. */
const loadedByCalls = new Set([
  'node:child_process',
  'node:dns/promises',
  'node:fs/promises',
  'node:http',
  'node:https',
  'node:stream/consumers',
  'node:tls',
  'node:tty',
  'node:v8',
])

/** The names and own names of what is imported; undefined unless a function that only calls it can stand for each. */
function toFunctions(names: string, module: object): (readonly [name: string, own: string])[] | undefined {
  if (!names.startsWith('{ ')) return undefined
  const taken = names.slice(2, -2).split(', ').map((each) => each.split(' as ')) // biome-ignore format: one line
  const isFunction = ([name]: readonly string[]) => {
    const value = (module as { readonly [name: string]: unknown })[name!]
    return (
      /^[a-z]/.test(name!) &&
      typeof value === 'function' &&
      [undefined, value].includes(Reflect.get(value, promisify.custom))
    )
  }
  return taken.every(isFunction) ? taken.map(([name, own = name]) => [name!, own!] as const) : undefined
}

/**
 * A module that is imported dynamically and bundled into a group gets a file of its own that only exports it from there.
 * Opening one takes half a millisecond, so importers read the group, and that file is removed.
 */
function skipFacades(dir: string, output: readonly (OutputChunk | OutputAsset)[]): void {
  const chunks = output.filter((file) => file.type === 'chunk')
  const facades = new Map<string, string>()
  for (const { isEntry, fileName, code } of chunks) {
    const [, names, from] = /^export \{ ([^}]+) \} from "([^"]+)";\s*$/.exec(code) ?? []
    if (isEntry || names === undefined) continue
    const taken = names.split(', ').map((name) => name.split(' as '))
    const properties = taken.map(([own, name = own]) => `${name}: all.${own}`)
    facades.set(basename(fileName), `import("${from}").then((all) => ({ ${properties.join(', ')} }))`)
    rmSync(join(dir, fileName))
  }
  for (const { fileName, code } of chunks) {
    if (facades.has(basename(fileName))) continue
    const direct = code.replace(/\bimport\("(?:\.\.?\/)+(?:chunks\/)?([^"/]+)"\)/g, (whole, name: string) => {
      const other = facades.get(name)
      // The entries are in other folders than the chunks.
      return other?.replace('"./', `"${whole.slice('import("'.length, -`${name}")`.length)}`) ?? whole
    })
    const left = [...facades.keys()].find((name) => direct.includes(name))
    if (left !== undefined) throw new Error(`${fileName} refers to ${left}, which was removed.`)
    if (direct !== code) writeFileSync(join(dir, fileName), direct)
  }
}

/**
 * The library for Postgres may write to a connection that was closed a moment ago. The error is thrown where nothing can
 * catch it and ends the process, as was seen during a failover. What is not written is not answered, and times out.
 */
const mendPostgres: Plugin = {
  name: 'mend postgres',
  transform(code, id) {
    if (!/[\\/]postgres[\\/]src[\\/]connection\.js$/.test(id)) return undefined
    const mended = code.replace('socket.write(chunk, fn)', 'socket?.write(chunk, fn)')
    if (mended === code)
      throw new Error('The library for Postgres has changed. Check whether it still needs to be mended.')
    return mended
  },
}

let written: Promise<ReadyModule[]> | undefined

/** Computed once per process. */
function readyModules(): Promise<ReadyModule[]> {
  written ??= writeReadyChecks()
  return written
}

/** Fills the table of prebuilt schema checks, which is empty in the sources. */
function putReadyChecks(modules: readonly ReadyModule[]): Plugin {
  const start = 'ready-checks:'
  const table = modules.flatMap(({ name, digests }) =>
    digests.map((digest) => `  '${digest}': () => import('${start}${name}'),\n`),
  )
  return {
    name: 'ready checks',
    resolveId: (id) => (id.startsWith(start) ? id : undefined),
    load(id) {
      if (/[\\/]schema[\\/]ready-checks\.ts$/.test(id)) return `export const readyChecks = {\n${table.join('')}}\n`
      return modules.find(({ name }) => id === start + name)?.code
    },
  }
}
