import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isInside } from '../../../policy/path.ts'
import { readSmallFile } from '../../files/read-small-file.ts'
import { readGitSettings } from '../../git-settings.ts'
import { findRealPath } from './real-path.ts'
import type { GitUse } from './sandbox.ts'
import { temporaryFolders } from './temporary-folders.ts'

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
  const isShown = top !== undefined && !isBelow(top) && isProject(top, workingDirectory, home)
  const directories = [...found.filter(isBelow), ...outer]
  const isWriting = access !== 'read'
  return {
    readable: [...(isShown ? [top] : []), ...(isWriting ? [] : outer)],
    writable: isWriting ? outer : [],
    protected: [
      ...(isWriting ? directories.filter(isFile) : directories),
      // These also where the working directory is itself a git directory, which stays writable.
      ...(access === 'write-config'
        ? []
        : directories.flatMap((path) => [join(path, 'config'), join(path, 'config.worktree')])),
      ...directories.map((path) => join(path, 'hooks')),
      ...directories.flatMap((path) => findExecuted(path, workingDirectory)),
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

/** Whether a repository around the working directory is a project: not a folder of all users, nor one with the home directory in it. */
function isProject(top: string, workingDirectory: string, home: string | undefined): boolean {
  const holds = (path: string) => isInside(top, path, 'linux')
  return !temporaryFolders.some(holds) && !(home !== undefined && holds(home)) && isOwner(top, workingDirectory)
}

/** Git too ignores repositories of others. */
function isOwner(top: string, workingDirectory: string): boolean {
  return [process.getuid?.(), statSync(workingDirectory).uid].includes(statSync(join(top, '.git')).uid)
}

/** The `.git` of a work tree, and the directories behind it that are its own. */
function findOwn(top: string): string[] {
  const dotGit = join(top, '.git')
  if (!isFile(dotGit)) return [realpathSync(dotGit)].filter((path) => path === dotGit)
  const target = readLine(dotGit)?.replace(/^gitdir: /, '')
  const directory = target && findRealPath(resolve(top, target))
  if (!directory || !isOwnedBy(directory, top)) return [dotGit]
  const common = readLine(join(directory, 'commondir'))
  const repository = common && findRealPath(resolve(directory, common))
  // The directory of a work tree is in its repository.
  return repository && isInside(repository, directory, 'linux') ? [dotGit, repository] : [dotGit, directory]
}

/** As git records it: of a work tree in `gitdir`, of a submodule in `core.worktree`. */
function isOwnedBy(directory: string, top: string): boolean {
  const recorded = readLine(join(directory, 'gitdir'))
  if (recorded !== undefined) return findRealPath(resolve(directory, recorded)) === join(top, '.git')
  const workTree = readGitSettings(directory).findLast(({ name }) => name === 'core.worktree')?.value
  return workTree !== undefined && findRealPath(resolve(directory, workTree)) === top
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
  return readSmallFile(path, { maxBytes: 65_536, followLinks: true })?.split('\n')[0]?.trim()
}
