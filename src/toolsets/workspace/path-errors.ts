import type { DeclaredError } from '../../contract/contract.ts'

/** Path errors. A tool declares those that it can return. */
export const pathErrors = {
  outside: {
    code: 'path_outside_working_dir',
    status: 403,
    when: 'The path, or a symbolic link on the way, leads out of the working directory.',
    suggestion: 'Use a path inside the working directory, relative to it.',
  },
  invalid: {
    code: 'invalid_path',
    status: 400,
    when: 'The path is invalid: it contains a NUL character, a name that is too long, or a symlink loop.',
    suggestion: 'Use a plain path relative to the working directory.',
  },
  notFound: {
    code: 'file_not_found',
    status: 404,
    when: 'The path does not exist.',
    suggestion: 'Check the file name and try again, or use file_search to find it.',
  },
  notFile: {
    code: 'not_a_file',
    status: 400,
    when: 'The path names a directory, device, socket or pipe.',
    suggestion: 'Name a regular file; use list_dir to see what exists.',
  },
  notDirectory: {
    code: 'not_a_directory',
    status: 400,
    when: 'The path, or a part of it, is not a directory.',
    suggestion: 'Name a directory; use list_dir to see what exists.',
  },
  denied: {
    code: 'permission_denied',
    status: 403,
    when: "The system forbids it, or the place is closed to tools, as a repository's .git is to writes.",
    suggestion: 'Use another path, or ask the operator for access.',
  },
  failed: {
    code: 'io_failed',
    status: 500,
    when: 'The disk is full or failed, or too many files are open.',
    suggestion: 'Ask the operator to check the disk, then try again.',
  },
} as const satisfies Record<string, DeclaredError>
