import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isInside } from '../../../policy/path.ts'
import { readSmallFile } from '../../files/read-small-file.ts'
import { readGitSettings } from '../../git-settings.ts'
import { findRealPath } from '../paths.ts'
import { temporaryFolders } from '../system-folders.ts'
import type { GitUse } from './command-profile.ts'

interface GitPaths {
  /** Outside the working directory: paths that git and programs need to read. */
  readonly read: readonly string[]
  /** Outside the working directory: the repository that a git command may write. */
  readonly write: readonly string[]
  /** Paths that a command must not write: git would run them, or what they name. */
  readonly protected: readonly string[]
}

/**
 * How a command reaches the repository of the working directory, which may be inside a repository or a work tree of
 * another one. A `.git` file could name any folder of the user, so its target outside is mounted only if that folder
 * names the work tree in turn.
 */
export function findGitPaths(
  workingDirectory: string,
  { access, directories: found, home }: GitUse & { readonly home: string | undefined },
): GitPaths {
  const isBelow = (path: string) => isInside(workingDirectory, path, 'linux')
  const top = findTop(workingDirectory)
  const outer = top === undefined ? [] : findOwn(top).filter((path) => !isBelow(path) && existsSync(path))
  const isShown = top !== undefined && !isBelow(top) && isProject(top, workingDirectory, home)
  const directories = [...found.filter(isBelow), ...outer]
  const isWriting = access !== 'read'
  return {
    read: [...(isShown ? [top] : []), ...(isWriting ? outer.filter(isFile) : outer)],
    write: isWriting ? outer.filter((path) => !isFile(path)) : [],
    protected: [
      ...(isWriting ? directories.filter(isFile) : directories),
      // Also if the working directory is itself a git directory, which stays writable.
      ...(access === 'write-config'
        ? []
        : directories.flatMap((path) => [join(path, 'config'), join(path, 'config.worktree')])),
      ...directories.map((path) => join(path, 'hooks')),
      ...directories.flatMap((path) => findExecuted(path, workingDirectory)),
    ],
  }
}

/** The work tree that contains a folder. */
function findTop(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}

/**
 * Whether a repository around the working directory is a project: not a shared folder, and not one that contains the
 * home directory.
 */
function isProject(top: string, workingDirectory: string, home: string | undefined): boolean {
  const holds = (path: string) => isInside(top, path, 'linux')
  return !temporaryFolders.some(holds) && !(home !== undefined && holds(home)) && isOwner(top, workingDirectory)
}

/** Git ignores repositories of other users too. */
function isOwner(top: string, workingDirectory: string): boolean {
  return [process.getuid?.(), statSync(workingDirectory).uid].includes(statSync(join(top, '.git')).uid)
}

/** The `.git` of a work tree, and the directories behind it that belong to it. */
function findOwn(top: string): string[] {
  const dotGit = join(top, '.git')
  if (!isFile(dotGit)) return [realpathSync(dotGit)].filter((path) => path === dotGit)
  const target = readLine(dotGit)?.replace(/^gitdir: /, '')
  const directory = target && findRealPath(resolve(top, target))
  if (!directory || !isOwnedBy(directory, top)) return [dotGit]
  const common = readLine(join(directory, 'commondir'))
  const repository = common && findRealPath(resolve(directory, common))
  // The directory of a work tree is inside its repository.
  return repository && isInside(repository, directory, 'linux') ? [dotGit, repository] : [dotGit, directory]
}

/** As git records it: for a work tree in `gitdir`, for a submodule in `core.worktree`. */
function isOwnedBy(directory: string, top: string): boolean {
  const recorded = readLine(join(directory, 'gitdir'))
  if (recorded !== undefined) return findRealPath(resolve(directory, recorded)) === join(top, '.git')
  const workTree = readGitSettings(directory).findLast(({ name }) => name === 'core.worktree')?.value
  return workTree !== undefined && findRealPath(resolve(directory, workTree)) === top
}

/** Folders and files in the working directory that the settings of a git directory take programs from. */
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
