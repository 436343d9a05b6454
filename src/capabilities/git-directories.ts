import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { foldFileName } from '../policy/fold-file-name.ts'
import { followLinks } from '../state/follow-links.ts'
import { readSmallFile } from './files/read-small-file.ts'

/** Searched before and after each command, so the bound keeps the search shorter than most commands. */
const maxFolders = 1000

/**
 * Where git keeps its settings for a workspace, as real paths: every `.git`, what a `.git` file points to, and folders
 * that git takes for a repository although they have another name. Whoever writes there decides what the next git
 * command runs (hooks, `core.fsmonitor`, filters). Looks at up to `maxFolders` folders, the outermost first.
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

/** Whether something written to a real path below the root would be part of a git directory, or make one. */
export function isGitWrite(root: string, real: string): boolean {
  const names = relative(root, real).split(sep)
  return names.some((name, depth) => isGitDirectory(join(root, ...names.slice(0, depth)), name))
}

/** As git itself tells: by `HEAD`, `objects` and `refs`, or by `commondir`, which names a folder that has the others. */
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

/** The `.git` of a folder, where a file in its place points to, and the repository that a work tree belongs to. */
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

/** Such files contain one path. Git follows symlinks to them. */
function readText(path: string): string | undefined {
  return readSmallFile(path, { maxBytes: 65_536, followLinks: true })
}

/** Packages come without repositories, and are many. Links are not followed: what they lead to is elsewhere, or found there. */
function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules')
      .map(({ name }) => join(folder, name))
  } catch {
    return []
  }
}
