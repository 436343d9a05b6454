import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ContractSource } from '../../contract/contract.ts'
import { replaceFile } from '../../state/replace-file.ts'
import { UsageError } from '../options/command.ts'

export interface ContractFile {
  readonly id: string
  /** Line in the document. */
  readonly line: number
  readonly path: string
  readonly source: ContractSource
}

/** Writes all contracts or none. Returns the paths that changed. */
export async function writeContracts(
  files: readonly ContractFile[],
  { replace }: { readonly replace: boolean },
): Promise<string[]> {
  refuseClash(files)
  const planned = await Promise.all(
    files.map(async ({ path, source }) => ({
      path,
      text: `${JSON.stringify(source, null, 2)}\n`,
      before: await readIfThere(path),
    })),
  )
  const changed = planned.filter(({ text, before }) => before !== text)
  const taken = changed.filter(({ before }) => before !== undefined)
  if (taken.length > 0 && !replace)
    throw new UsageError(
      `${taken.map(({ path }) => path).join(', ')} ${taken.length === 1 ? 'is' : 'are'} different from the import.`,
      'Nothing was written. Use --replace to overwrite, or --out for another folder.',
    )
  const done: Planned[] = []
  try {
    for (const file of changed) {
      await mkdir(dirname(file.path), { recursive: true })
      await replaceFile(file.path, file.text)
      done.push(file)
    }
  } catch (cause) {
    await undo(done)
    const { code } = cause as NodeJS.ErrnoException
    throw new UsageError(`The contracts cannot be written (${code ?? cause}).`, 'Check the path after --out.')
  }
  return done.map(({ path }) => path)
}

interface Planned {
  readonly path: string
  readonly text: string
  readonly before: string | undefined
}

/** On case-insensitive file systems, two names can be the same file. */
function refuseClash(files: readonly ContractFile[]): void {
  for (const [index, { path, id }] of files.entries()) {
    const first = files.findIndex((file) => file.path.toLowerCase() === path.toLowerCase())
    if (first !== index)
      throw new UsageError(
        `${files[first]!.id} and ${id} would have the same file ${path}.`,
        'Import one toolset at a time, with --toolset and --out.',
      )
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(
      `${path} cannot be read (${(cause as NodeJS.ErrnoException).code}).`,
      'Check the path after --out.',
    )
  }
}

async function undo(done: readonly Planned[]): Promise<void> {
  for (const { path, before } of done) {
    await (before === undefined ? rm(path, { force: true }) : replaceFile(path, before)).catch(() => {})
  }
}
