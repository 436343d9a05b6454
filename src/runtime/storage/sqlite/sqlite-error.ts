import { ToolpactError } from '../../../contract/toolpact-error.ts'

/** Wraps an error of SQLite or the file system with what to check. Returns other errors unchanged. */
export function toStorageError(cause: unknown, path: string): Error {
  const { errcode, errstr, code } = cause as { errcode?: number; errstr?: string; code?: string }
  const advice = errcode === undefined ? fileAdvice[code ?? ''] : (sqliteAdvice[errcode & 0xff] ?? other)
  if (!advice) return cause as Error
  return new ToolpactError('storage_unavailable', `The state file ${path} failed (${errstr ?? code}). ${advice}`, {
    cause,
  })
}

/** Continuing to write would acknowledge calls whose records are lost. */
export function toMovedError(path: string): Error {
  return new ToolpactError(
    'storage_unavailable',
    `The state file ${path} was moved, replaced or deleted while this process had it open. Put it back together with the files beside it (-wal, -shm), or restart this process to begin a new ledger.`,
  )
}

const other = 'Check the file and its disk.'
const permissions = 'Check that this user may write the file and its directory.'
const space = 'The disk is full or a quota is used up: free some space.'
const damaged =
  'The file is damaged, or not a state file of Toolpact. Move it away and keep it; a new one is made at the next start.'

/** By SQLite primary result code. */
const sqliteAdvice: { readonly [code: number]: string } = {
  1: 'Something else may have changed it: run toolpact ledger --verify.',
  5: 'Another process has kept it locked: find out which, or wait until it is done, and try again.',
  8: permissions,
  10: 'The disk could not be read or written: check its health, its free space and its quota.',
  11: damaged,
  13: space,
  14: permissions,
  19: 'It holds an entry that Toolpact did not put there: run toolpact ledger --verify.',
  26: damaged,
}

const fileAdvice: { readonly [code: string]: string } = {
  EACCES: permissions,
  EPERM: permissions,
  EROFS: 'The file system is read-only: choose another state directory with TOOLPACT_STATE_DIR.',
  ENOSPC: space,
  EDQUOT: space,
  EFBIG: space,
  ENOTDIR: 'A part of its path is a file: choose another state directory with TOOLPACT_STATE_DIR.',
  ENOENT: 'The state directory was moved or deleted: put it back, or restart this process to begin a new ledger.',
  EEXIST: 'A file stands where its directory should be: move it away.',
  EISDIR: 'A directory stands where the file should be: move it away.',
}
