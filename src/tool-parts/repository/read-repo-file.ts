import type { FileErrorCode } from '../../capabilities/files/file-error.ts'
import type { Files } from '../../capabilities/files.ts'
import { ToolError } from '../../contract/tool-error.ts'

/** Which files of the repository a toolset may read. */
export interface OpenFiles {
  /** Globs relative to the root. Default: everything. */
  readonly allow?: readonly string[]
  /** Globs that override `allow`, for every spelling of a name and through links. */
  readonly deny: readonly string[]
  /** Which paths with `..` are refused, wherever they lead: any occurrence, or only as a path segment. */
  readonly refusesDots: 'anywhere' | 'as a name'
}

interface RepoFile {
  readonly content: string
  readonly size: number
  /** ISO time. */
  readonly modified: string
}

type ReadErrorCode = (typeof readErrors)[keyof typeof readErrors]['code']

const maxBytes = 1_048_576

/** Upper bound of a file as JSON: every byte may take six characters. */
export const maxOutputBytes = 6 * maxBytes + 65_536

/** Read errors from the table in the requirements documents, in addition to those of the pipeline. */
export const readErrors = {
  notFile: {
    code: 'not_a_file',
    status: 400,
    when: 'The path names a directory, device, socket or pipe.',
    suggestion: 'Name a file.',
  },
  invalid: {
    code: 'invalid_path',
    status: 400,
    when: 'The path is invalid: a name is too long, or there is a symlink loop.',
    suggestion: 'Use a plain path relative to the root of the repository.',
  },
  notText: {
    code: 'not_text',
    status: 400,
    when: 'The file is not UTF-8 text.',
    suggestion: 'Read another file: this tool returns text only.',
  },
  denied: {
    code: 'access_denied',
    status: 403,
    when: 'This tool may not read the path, whether it exists or not.',
    suggestion: 'Read a file that is open to this tool.',
  },
  notFound: {
    code: 'file_not_found',
    status: 404,
    when: 'The path is allowed, but does not exist.',
    suggestion: 'Check the path: it is relative to the root of the repository, and case matters.',
  },
  tooLarge: {
    code: 'file_too_large',
    status: 413,
    when: 'The file has more than 1MB (1,048,576 bytes).',
    suggestion: 'Read a smaller file.',
  },
  failed: {
    code: 'io_failed',
    status: 500,
    when: 'The disk failed, or too many files are open.',
    suggestion: 'Ask the operator to check the disk, then try again.',
  },
} as const

/** Reads a file if the toolset allows it. A denied path gets the same error whether or not it exists. */
export async function readRepoFile(
  files: Files,
  request: { readonly path: string; readonly encoding?: 'utf-8' | 'base64'; readonly signal: AbortSignal },
  { refusesDots, ...open }: OpenFiles,
): Promise<RepoFile | ToolError<ReadErrorCode>> {
  const { path, encoding = 'utf-8', signal } = request
  const hasDots = refusesDots === 'anywhere' ? path.includes('..') : path.split('/').includes('..')
  if (path.startsWith('/') || hasDots) return toDenied()
  try {
    const { bytes, identity } = await files.readWhole(path, { maxBytes, open, signal })
    const content = encoding === 'base64' ? Buffer.from(bytes).toString('base64') : toText(bytes)
    if (content === undefined) return new ToolError('not_text', 'The file is not UTF-8 text.')
    const modified = new Date(Number(identity.modifiedNs / 1_000_000n)).toISOString()
    return { content, size: bytes.length, modified }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return toReadError(error as ToolError<FileErrorCode>)
  }
}

/** The exact text of the file, including a byte order mark; undefined if it is not UTF-8 text. */
function toText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function toReadError(error: ToolError<FileErrorCode>): ToolError<ReadErrorCode> {
  switch (error.code) {
    case 'file_not_found':
      return new ToolError('file_not_found', 'There is no file at this path.', { cause: error })
    case 'not_a_file':
      return new ToolError('not_a_file', 'The path exists, but is not a file.', { cause: error })
    case 'invalid_path':
      return new ToolError('invalid_path', 'This path cannot be used.', { cause: error })
    case 'file_too_large':
      return new ToolError('file_too_large', 'The file has more than 1MB.', { cause: error })
    case 'io_failed':
      return new ToolError('io_failed', 'The file could not be read.', { cause: error })
    default:
      return toDenied(error)
  }
}

function toDenied(cause?: unknown): ToolError<'access_denied'> {
  return new ToolError('access_denied', 'This path is closed to the tool.', { cause })
}
