import type { AppendedEntry } from '../../capabilities/files/append.ts'
import type { FileErrorCode } from '../../capabilities/files/file-error.ts'
import type { Files } from '../../capabilities/files.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Preview } from '../../contract/tool.ts'
import { ToolError } from '../../contract/tool-error.ts'
import type { MemoryEntry } from './memory-entry.ts'

type WriteErrorCode = (typeof writeErrors)[keyof typeof writeErrors]['code']

const folder = '.claude/memory'

/** Write errors from the table in the requirements documents, in addition to those of the pipeline. */
export const writeErrors = {
  secret: {
    code: 'secret_in_entry',
    status: 400,
    when: 'The entry seems to contain a password, key or token.',
    suggestion: 'Remove the secret, or write where it is stored instead, and call again.',
  },
  denied: {
    code: 'access_denied',
    status: 403,
    when: `The system forbids writing in ${folder}, or it is a symlink to outside of the repository.`,
    suggestion: `Ask the operator to check ${folder}.`,
  },
  tooLarge: {
    code: 'entry_too_large',
    status: 413,
    when: 'The entry has more than 10KB (10,240 bytes) as it would be written.',
    suggestion: 'Shorten the entry, or split it into several.',
  },
  failed: {
    code: 'write_failed',
    status: 500,
    when: 'The memory file is not a regular file, is locked by another process, or the disk is full or failed.',
    suggestion: 'Ask the operator to check the memory file and the disk. Part of the entry may have been written.',
  },
} as const

/** Appends an already checked entry to a memory file and flushes it to disk. */
export async function writeMemoryEntry(
  files: Files,
  file: string,
  entry: MemoryEntry,
  { signal, note }: { readonly signal: AbortSignal; readonly note: (facts: JsonObject) => void },
): Promise<AppendedEntry | ToolError<WriteErrorCode>> {
  return orWriteError(file, async () => {
    const written = await files.append(`${folder}/${file}`, Buffer.from(entry.text), { apart: entry.apart, signal })
    // The last line had no line end, after a crash or a manual edit.
    if (written.closedLine !== undefined) note({ closed_line: written.closedLine })
    return written
  })
}

/** Why appending would fail, as far as that is known without writing. */
export function checkMemoryFile(files: Files, file: string): Promise<ToolError<WriteErrorCode> | undefined> {
  return orWriteError(file, () => files.check.append(`${folder}/${file}`))
}

/** The lines to be added. Existing lines do not change, so the preview omits them. */
export async function previewMemoryEntry(files: Files, file: string, entry: MemoryEntry): Promise<Preview> {
  const path = `${folder}/${file}`
  const { exists } = await files.locate(path)
  return { changes: [{ path, ...(exists && { before: '' }), after: `${entry.text}\n` }] }
}

async function orWriteError<Result>(file: string, job: () => Promise<Result>) {
  try {
    return await job()
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return toWriteError(file, error as ToolError<FileErrorCode>)
  }
}

function toWriteError(file: string, cause: ToolError<FileErrorCode>): ToolError<WriteErrorCode> {
  if (cause.code === 'path_outside_working_dir' || cause.code === 'permission_denied')
    return new ToolError('access_denied', `${folder}/${file} may not be written.`, { cause })
  return new ToolError('write_failed', `${folder}/${file} could not be written. ${cause.message}.`, { cause })
}
