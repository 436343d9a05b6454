import type { DeclaredError } from '../../contract/contract.ts'

/** Errors of paths. A tool declares those that it can return. */
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
    when: 'It is no path: it contains a NUL character, a name that is too long, or links that lead in a circle.',
    suggestion: 'Use a plain path relative to the working directory.',
  },
  notFound: {
    code: 'file_not_found',
    status: 404,
    when: 'Nothing has that path.',
    suggestion: 'Check the file name and try again, or use file_search to find it.',
  },
  notFile: {
    code: 'not_a_file',
    status: 400,
    when: 'The path names a directory, device, socket or pipe.',
    suggestion: 'Name a regular file; list_dir shows what is there.',
  },
  notDirectory: {
    code: 'not_a_directory',
    status: 400,
    when: 'The path, or a part of it, names something that is no directory.',
    suggestion: 'Name a directory; list_dir shows what is there.',
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
    suggestion: 'Ask the operator to look at the disk, then try again.',
  },
} as const satisfies Record<string, DeclaredError>
