import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

/**
 * Rolls the declarations of each entry into one file. Entries are bundled one by one, because together they would share
 * chunks: a type that two entries export is declared in both files and stays compatible with itself, unless it is a class
 * with private members.
 */
export async function bundleTypes(dir: string, entries: { readonly [name: string]: string }): Promise<void> {
  const declarations = mkdtempSync(join(tmpdir(), 'toolpact-types-'))
  try {
    emitDeclarations(declarations)
    for (const [name, source] of Object.entries(entries)) {
      const input = { [name]: join(declarations, source.replace(/\.ts$/, '.d.ts')) }
      const made = await rolldown({ input, platform: 'node', plugins: [rollUp()] })
      const { output } = await made.write({ dir, format: 'esm' })
      await made.close()
      expectOneFile(name, output)
    }
  } finally {
    rmSync(declarations, { recursive: true })
  }
}

function emitDeclarations(folder: string): void {
  const { status } = spawnSync('tsc', ['--project', 'tsconfig.build.json', '--outDir', folder], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('tsc could not write the declarations.')
}

/** Unused for declarations; the default generator requires a tsconfig. */
function rollUp() {
  return dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, generator: 'oxc' })
}

function expectOneFile(name: string, output: readonly { fileName: string; imports?: string[] }[]): void {
  const files = output.map(({ fileName }) => fileName)
  if (files.join() !== `${name}.d.ts`) throw new Error(`Expected ${name}.d.ts alone, and got ${files.join(', ')}.`)
  const foreign = output.flatMap(({ imports = [] }) => imports).filter((id) => !id.startsWith('node:'))
  if (foreign.length > 0)
    throw new Error(
      `The declarations of ${name} import ${foreign.join(', ')}, which is not installed with the package. Declare these types in src/.`,
    )
}
