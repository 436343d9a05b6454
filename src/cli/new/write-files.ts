import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from '../../state/replace-file.ts'
import { UsageError } from '../options/command.ts'
import type { PlannedFiles } from './to-code.ts'

/** Writes all files, or none if something fails. Never overwrites. */
export async function writeFiles({ created, changed }: Pick<PlannedFiles, 'created' | 'changed'>): Promise<void> {
  const taken = created.find(({ path }) => existsSync(path))
  if (taken) throw new UsageError(`The file ${taken.path} already exists.`, 'Choose another name, or remove it.')
  const written: string[] = []
  try {
    for (const { path, text } of created) {
      await mkdir(dirname(path), { recursive: true })
      // Another process created it meanwhile: leave it.
      await writeFile(path, '', { flag: 'wx' })
      written.push(path)
      await writeFile(path, text)
    }
    for (const { path, text } of changed) await replaceFile(path, text)
  } catch (cause) {
    for (const path of written) await rm(path, { force: true })
    const { code = 'unknown', path = '' } = cause as NodeJS.ErrnoException
    throw new UsageError(
      `Nothing was written: ${path} cannot be created (${code}).`,
      'Check the folder and its permissions.',
    )
  }
}
