import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { foldFileName } from '../policy/fold-file-name.ts'
import { followLinks } from '../state/follow-links.ts'
import { readSmallFile } from './files/read-small-file.ts'

/** Searched before and after each command, so this limit keeps the search shorter than most commands. */
const maxFolders = 1000

/**
 * Where git keeps its settings for a workspace, as real paths: every `.git`, the target of a `.git` file, and folders
 * that git treats as a repository although they have another name. Writing there decides what the next git command runs
 * (hooks, `core.fsmonitor`, filters). Checks up to `maxFolders` folders, outermost first.
 */
export function findGitDirectories(workspace: string): string[] {
  const found = new Set<string>()
  const folders = [workspace]
  for (let at = 0; at < folders.length && at < maxFolders; at++) {
    const folder = folders[at]!
    if (isGitDirectory(folder)) {
      found.add(followLinks(folder).real)
      continue
    }
    const dotGit = join(folder, '.git')
    for (const path of existsSync(dotGit) ? toGitPaths(dotGit) : []) found.add(path)
    folders.push(...listFolders(folder))
  }
  return [...found]
}

/** Whether a file written to a real path below the root would be part of a git directory, or create one. */
export function isGitWrite(root: string, real: string): boolean {
  const names = relative(root, real).split(sep)
  return names.some((name, depth) => isGitDirectory(join(root, ...names.slice(0, depth)), name))
}

/** As git does: by `HEAD`, `objects` and `refs`, or by `commondir`, which names a folder with the others. */
function isGitDirectory(folder: string, addedName?: string): boolean {
  const added = addedName && foldFileName(addedName)
  const has = (name: string) => added === name.toLowerCase() || isThere(join(folder, name))
  return has('HEAD') && (has('commondir') || (has('objects') && has('refs')))
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** The `.git` of a folder, the target of a `.git` file, and the repository of a work tree. */
function toGitPaths(dotGit: string): string[] {
  const { real, links } = followLinks(dotGit)
  if (statSync(real).isDirectory()) return [real, ...links, ...toCommon(real)]
  const target = readText(real)?.match(/^gitdir: (.+?)\r?\n*$/)?.[1]
  if (target === undefined) return [real, ...links]
  const directory = followLinks(resolve(dirname(real), target)).real
  return [real, ...links, directory, ...toCommon(directory)]
}

function toCommon(directory: string): string[] {
  const common = readText(join(directory, 'commondir'))?.trim()
  return common ? [followLinks(resolve(directory, common)).real] : []
}

/** These files contain one path. Git follows symlinks to them. */
function readText(path: string): string | undefined {
  return readSmallFile(path, { maxBytes: 65_536, followLinks: true })
}

/**
 * Packages contain no repositories, and there are many. Symlinks are not followed: their targets are outside, or found
 * anyway.
 */
function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules')
      .map(({ name }) => join(folder, name))
  } catch {
    return []
  }
}
