import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findHidden } from '../../contract/text/hidden-characters.ts'
import { UsageError } from '../options/command.ts'

const run = promisify(execFile)

interface GitFile {
  /** A commit, branch or tag. */
  readonly revision: string
  /** Relative to `folder`. */
  readonly path: string
  readonly folder: string
  readonly signal: AbortSignal
}

/** Reads a file at a revision. Runs git without a shell; a revision is never parsed as an option. */
export async function readGitFile({ revision, path, folder, signal }: GitFile): Promise<Buffer> {
  if (!isRevision(revision)) throw new UsageError(`'${revision}' is not a valid git revision.`)
  const git = async (...args: string[]) => {
    const options = { cwd: folder, encoding: 'buffer', maxBuffer: 67_108_864, timeout: 60_000, signal } as const
    return (await run('git', args, options)).stdout
  }
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`).catch(
    (cause) => {
      if (cause.code === 'ENOENT') throw new UsageError('git is not installed, or the folder does not exist.')
      throw new UsageError(`git has no revision '${revision}' here.`, 'Check its name, and the folder you are in.')
    },
  )
  const name = `${commit.toString('utf8').trim()}:./${path}`
  return git('cat-file', 'blob', name).catch(() => {
    throw new UsageError(`There is no file ${path} in git at ${revision}.`, 'Name another one: git:REVISION:PATH.')
  })
}

/** Whether the text has the form of a revision. */
export function isRevision(text: string): boolean {
  return /^[\p{L}\p{N}_@][^\s:\\?*[]*$/u.test(text) && findHidden(text, 'exact') === undefined
}
