import { expect, test } from 'vitest'
import { ToolError } from '../../contract/tool-error.ts'
import { toFileError } from './file-error.ts'

const systemError = (code: string) => Object.assign(new Error(code), { code })

test.each([
  ['ENOENT', 'read', 'file_not_found', "File 'a.txt' not found"],
  ['ENOENT', 'list', 'file_not_found', "Directory 'a.txt' not found"],
  ['ENOTDIR', 'list', 'not_a_directory', "Path 'a.txt' is not a directory"],
  ['EISDIR', 'read', 'not_a_file', "Path 'a.txt' is a directory, not a file"],
  ['EEXIST', 'create', 'file_exists', "File 'a.txt' already exists. Use replace_string_in_file to modify"],
  ['EACCES', 'create', 'permission_denied', "Cannot create file 'a.txt' - permission denied"],
  ['EROFS', 'make', 'permission_denied', 'Cannot create directory - permission denied'],
  ['EPERM', 'list', 'permission_denied', 'Cannot list directory - permission denied'],
  ['ELOOP', 'read', 'invalid_path', "Path 'a.txt' is a symlink loop"],
  ['ENAMETOOLONG', 'create', 'invalid_path', "Path 'a.txt' has a name that is too long for the file system"],
  ['ENOSPC', 'create', 'io_failed', "Cannot create file 'a.txt' - the disk is full"],
  ['EXYZ', 'modify', 'io_failed', "Cannot modify file 'a.txt' - EXYZ"],
] as const)('%s while trying to %s becomes %s', (code, action, expected, message) => {
  const error = toFileError(systemError(code), action, 'a.txt')
  expect(error).toBeInstanceOf(ToolError)
  expect(error).toMatchObject({ code: expected, message })
  expect((error as ToolError).cause).toMatchObject({ code })
})

test('errors that are not system errors stay as they are', () => {
  for (const error of [new ToolError('x', 'y'), new Error('x'), AbortSignal.abort().reason])
    expect(toFileError(error, 'read', 'a')).toBe(error)
})
