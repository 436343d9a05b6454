import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** What every call runs through, in two files instead of twenty. */
const onePerStart = [
  {
    name: 'core',
    test: /src[\\/](?:app|create-capabilities|rules\.ts|lock\.ts|host|toolset-choice|config[\\/](?:trust\.ts|open-config|config-error)|pipeline|policy[\\/](?!network|environment|path|protected|rules)|contract[\\/](?!lint|diff|contract-schema)|storage[\\/](?!memory|calls|read-rules|rules-file|file-lock|private-file|trust-file|read-tokens|tokens-file|lock-file|config-file|edit-json))/,
  },
  {
    name: 'command',
    test: /src[\\/](?:cli[\\/](?:call|command|command-line|exit-codes|interrupts|main|print-result|choose-approver|terminal|to-input|user-name)\.ts|projections[\\/]result-json)/,
  },
]

/** Bundles entries with their libraries into a folder. Gives the files of all that is in it. */
export async function bundle(dir: string, entries: { readonly [name: string]: string }): Promise<string[]> {
  const made = await rolldown({
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    input: { ...entries },
    platform: 'node',
    external: ['@vscode/ripgrep'],
    plugins: [{ name: 'builtins', renderChunk: takeBuiltins }],
  })
  const { output } = await made.write({
    dir,
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups: onePerStart },
  })
  await made.close()
  return output.flatMap((file) => ('moduleIds' in file ? file.moduleIds : []))
}

/**
 * An import of a built-in module reads all its exports, and with them loads what Node would load lazily: the streams of
 * node:fs, the web half of node:crypto, the diff of node:util. That costs a fifth of a start.
 */
function takeBuiltins(code: string): string {
  return code.replace(/^import (.+?) from "(node:[^"]+)";$/gm, (_, names: string, id: string) => {
    const taken = names.startsWith('{') ? names.replaceAll(' as ', ': ') : names.replace('* as ', '')
    return `const ${taken} = globalThis.process.getBuiltinModule("${id}");`
  })
}
