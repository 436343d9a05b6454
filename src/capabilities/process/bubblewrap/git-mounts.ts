import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isInside } from '../../../policy/path.ts'
import { readGitSettings } from '../../git-settings.ts'
import type { GitUse } from '../sandbox.ts'

interface GitMounts {
  /** Outside the working directory: what git and programs need to read. */
  readonly readable: readonly string[]
  /** Outside the working directory: the repository that a git command may write. */
  readonly writable: readonly string[]
  /** What a command must not write: git would run it, or what it names. */
  readonly protected: readonly string[]
}

/**
 * How a command gets to the repository of the working directory. The working directory may be inside a repository or be
 * a work tree of one elsewhere. A `.git` file could name any folder of the user's, so what it points to outside is
 * mounted only if that folder names the work tree in turn.
 */
export function findGitMounts(
  workingDirectory: string,
  { access, directories: found, home }: GitUse & { readonly home: string | undefined },
): GitMounts {
  const isBelow = (path: string) => isInside(workingDirectory, path, 'linux')
  const top = findTop(workingDirectory)
  const outer = top === undefined ? [] : findOwn(top).filter((path) => !isBelow(path) && existsSync(path))
  const isPrivate = top === undefined || isBelow(top) || (home !== undefined && isInside(top, home, 'linux'))
  const directories = [...found.filter(isBelow), ...outer]
  const kept = directories.flatMap((path) => findExecuted(path, workingDirectory))
  const isWriting = access !== 'read'
  return {
    readable: [...(isPrivate ? [] : [top]), ...(isWriting ? [] : outer)],
    writable: isWriting ? outer : [],
    protected: [
      ...(isWriting ? directories.filter(isFile) : directories),
      ...(access === 'write'
        ? directories.flatMap((path) => [join(path, 'config'), join(path, 'config.worktree')])
        : []),
      ...(isWriting ? directories.map((path) => join(path, 'hooks')) : []),
      ...kept,
    ],
  }
}

/** The work tree that a folder is in. */
function findTop(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}

/** The `.git` of a work tree, and the directories behind it that are its own. */
function findOwn(top: string): string[] {
  const dotGit = join(top, '.git')
  if (!isFile(dotGit)) return [realpathSync(dotGit)].filter((path) => path === dotGit)
  const target = readLine(dotGit)?.replace(/^gitdir: /, '')
  const directory = target && toRealPath(resolve(top, target))
  if (!directory || !isOwnedBy(directory, top)) return [dotGit]
  const common = readLine(join(directory, 'commondir'))
  const repository = common && toRealPath(resolve(directory, common))
  // The directory of a work tree is in its repository.
  return repository && isInside(repository, directory, 'linux') ? [dotGit, repository] : [dotGit, directory]
}

/** As git records it: of a work tree in `gitdir`, of a submodule in `core.worktree`. */
function isOwnedBy(directory: string, top: string): boolean {
  const recorded = readLine(join(directory, 'gitdir'))
  if (recorded !== undefined) return toRealPath(resolve(directory, recorded)) === join(top, '.git')
  const workTree = readGitSettings(directory).findLast(({ name }) => name === 'core.worktree')?.value
  return workTree !== undefined && toRealPath(resolve(directory, workTree)) === top
}

/** Folders and files in the working directory from which the settings of a git directory take programs. */
function findExecuted(directory: string, workingDirectory: string): string[] {
  return readGitSettings(directory)
    .filter(({ name }) => name === 'core.hookspath' || /^include(?:if\..*)?\.path$/.test(name))
    .flatMap(({ value }) => [
      resolve(directory, value),
      resolve(dirname(directory), value),
      resolve(workingDirectory, value),
    ])
    .filter((path) => path !== workingDirectory && isInside(workingDirectory, path, 'linux'))
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function readLine(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').slice(0, 4096).split('\n')[0]!.trim()
  } catch {
    return undefined
  }
}

function toRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}
