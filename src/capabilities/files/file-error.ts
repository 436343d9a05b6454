import { toShownPath } from '../../contract/text/shown-path.ts'
import { ToolError } from '../../contract/tool-error.ts'

/** The codes that `files` and `search` fail with. */
export type FileErrorCode =
  | 'path_outside_working_dir'
  | 'invalid_path'
  | 'file_not_found'
  | 'file_exists'
  | 'file_changed'
  | 'file_too_large'
  | 'not_a_directory'
  | 'not_a_file'
  | 'permission_denied'
  | 'io_failed'

/** The action, for the message. */
export type FileAction = 'read' | 'create' | 'modify' | 'append' | 'list' | 'make' | 'search'

export function fileError(code: FileErrorCode, message: string, cause?: unknown): ToolError<FileErrorCode> {
  const suggestion = suggestions[code]
  return new ToolError(code, message, { ...(suggestion !== undefined && { suggestion }), cause })
}

/** Wraps a system error, once. A `ToolError` stays as it is. */
export function toFileError(error: unknown, action: FileAction, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof ToolError || typeof code !== 'string') return error
  const shown = toShownPath(path)
  switch (code) {
    case 'ENOENT':
      return fileError(
        'file_not_found',
        `${isAboutDirectory(action) ? 'Directory' : 'File'} '${shown}' not found`,
        error,
      )
    case 'ENOTDIR':
      return fileError('not_a_directory', `Path '${shown}' is not a directory`, error)
    case 'EISDIR':
      return fileError('not_a_file', `Path '${shown}' is a directory, not a file`, error)
    case 'EEXIST':
      return toExists(path, error)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ETXTBSY':
      return toDenied(action, path, error)
    case 'ELOOP':
      return fileError('invalid_path', `Path '${shown}' is a symlink loop`, error)
    case 'ENAMETOOLONG':
      return fileError('invalid_path', `Path '${shown}' has a name that is too long for the file system`, error)
    default:
      return fileError('io_failed', `Cannot ${deeds[action]} '${shown}' - ${reasons[code] ?? code}`, error)
  }
}

export function toOutside(path: string): ToolError<FileErrorCode> {
  return fileError('path_outside_working_dir', `Path '${toShownPath(path)}' is outside working directory`)
}

export function toExists(path: string, cause?: unknown): ToolError<FileErrorCode> {
  return new ToolError('file_exists', `File '${toShownPath(path)}' already exists.`, {
    advice: 'Use replace_string_in_file to modify',
    suggestion: 'Choose another name, or change the existing file.',
    cause,
  })
}

export function toDenied(action: FileAction, path: string, cause?: unknown): ToolError<FileErrorCode> {
  const what = isAboutDirectory(action) ? '' : ` '${toShownPath(path)}'`
  return fileError('permission_denied', `Cannot ${deeds[action]}${what} - permission denied`, cause)
}

/** Tools may read it but not write it. */
export function toProtected(action: FileAction, path: string, reason: string): ToolError<FileErrorCode> {
  return new ToolError('permission_denied', `${toDenied(action, path).message}: ${reason}`, {
    suggestion: 'Use another path, or ask the operator to make this change in an editor or a terminal.',
  })
}

function isAboutDirectory(action: FileAction): boolean {
  return action === 'list' || action === 'make' || action === 'search'
}

const deeds: Record<FileAction, string> = {
  read: 'read file',
  create: 'create file',
  modify: 'modify file',
  append: 'append to file',
  list: 'list directory',
  make: 'create directory',
  search: 'search directory',
}

const reasons: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EBUSY: 'it is in use',
  EIO: 'the disk failed',
}

/** For the other codes the tool's contract has the suggestion: it may name other tools of its toolset. */
const suggestions: { readonly [code in FileErrorCode]?: string } = {
  path_outside_working_dir: 'Use a path inside the working directory, relative to it.',
  invalid_path: 'Use a plain path relative to the working directory.',
  file_changed: 'Read the file again and repeat the change on what it contains now.',
  file_too_large: 'Work on a smaller file, or on a part of it.',
  permission_denied: 'Use another path, or ask the operator for access: some places are closed to tools on purpose.',
  io_failed: 'Ask the operator to check the disk, then try again.',
}
