import { accessSync, constants, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { OutdatedApproval } from '../../contract/approved-files.ts'
import { toShownPath } from '../../contract/text/shown-path.ts'
import { decidePath, isInside } from '../../policy/path.ts'
import type { PathVerdict } from '../../policy/path-filter.ts'
import { findProtection } from '../../policy/protected-path.ts'
import { readLink, toRealOrPlanned } from '../../state/follow-links.ts'
import { isGitWrite } from '../git-directories.ts'
import { type FileAction, fileError, toDenied, toFileError, toOutside, toProtected } from './file-error.ts'
import { chooseHold, type Held, type Hold } from './held.ts'
import { isTemporaryName } from './temporary-name.ts'

export interface ConfinementOptions {
  /** The working directory. It may be a symlink; its current target is the root from here on. */
  readonly root: string
  /** Absolute directories that are closed even inside the root, such as the state directory. */
  readonly denied?: readonly string[]
  /** The result of `toProtectedPaths`: tools may read these places but not write them. */
  readonly protectedPaths?: readonly string[]
  /** How files are held open. Default: the safest way that the system supports. */
  readonly hold?: Hold
}

/** The path and action of one call, for messages. */
export interface Errand {
  readonly path: string
  readonly action: FileAction
  /** The real path that a person approved. Writes anywhere else are refused. */
  readonly place?: string
  /**
   * Closes more than the directories that are closed to every tool. Called for each step of the path, and for the
   * target of each symlink.
   */
  readonly filter?: (names: readonly string[]) => PathVerdict
}

/** Where files may be touched. Every file access goes through here, at the time of use. */
export interface Confinement {
  readonly root: string
  /** The names from the root down, checked as text only. */
  decide(path: string): string[]
  /** Holds what exists at a path, by default that of the errand. Follows symlinks as long as they stay inside. */
  hold(errand: Errand, segments?: readonly string[]): Held
  /** Holds a directory, creating missing parts of it; `created` lists the real paths of those. */
  makeDirectory(errand: Errand, segments?: readonly string[]): { directory: Held; created: string[] }
  /** Holds as much of a path as exists; `missing` lists the names below it. */
  holdExisting(errand: Errand, segments?: readonly string[]): { held: Held; missing: string[] }
  /** The same for a directory. Creates nothing, and fails as `makeDirectory` would, as far as can be known. */
  planDirectory(errand: Errand, segments?: readonly string[]): { directory: Held; missing: string[] }
  /** Throws unless a real path is inside and open to tools. */
  admit(real: string, errand: Errand): void
  /** Throws unless these names, each inside the one before, can be created in a directory. */
  admitNew(directory: Held, names: readonly string[], errand: Errand): void
  /** Throws unless tools may write there. */
  admitWrite(real: string, errand: Errand): void
  /** Throws if a different place was approved. */
  requirePlace(real: string, errand: Errand): void
  isDenied(real: string): boolean
  /** The closed directories below a real path. */
  deniedBelow(real: string): string[]
  /** The names of a real path from the root down. */
  toNames(real: string): string[]
  /** A real path as tools name it: from the root, with `/`. */
  toRelative(real: string): string
}

export function openConfinement(options: ConfinementOptions): Confinement {
  const { root: given, denied = [], protectedPaths = [], hold = chooseHold() } = options
  const { platform } = process
  const root = toRealRoot(given)
  const roots = [resolve(given), root]
  const closed = [...denied.flatMap((path) => [resolve(path), toRealOrPlanned(resolve(path))]), ...systemPlaces(root)]
  const places = protectedPaths.filter((path) => isInside(root, path, platform)).map(toNames)

  function decide(path: string): string[] {
    const decision = decidePath(path, { roots, platform })
    if (decision.allow) return decision.segments
    if (decision.code === 'path_outside_working_dir') throw toOutside(path)
    throw fileError('invalid_path', `Path '${toShownPath(path)}' cannot be used: ${decision.reason}`)
  }

  function walk(segments: readonly string[], errand: Errand, made?: string[]): Held {
    let held: Held | undefined
    try {
      held = hold(root, { follow: false })
      admit(held.real, errand)
      for (const name of segments) {
        const next = step(held, name, errand, made)
        held.close()
        held = next
      }
      return held
    } catch (error) {
      held?.close()
      throw toFileError(error, errand.action, errand.path)
    }
  }

  function step(parent: Held, name: string, errand: Errand, made?: string[]): Held {
    if (!parent.stats.isDirectory()) throw toNoDirectory(parent.real, errand)
    const held = tryHold(parent, name, errand) ?? make(parent, name, errand, made)
    try {
      admit(held.real, errand)
      return held
    } catch (error) {
      held.close()
      throw error
    }
  }

  /** Undefined if nothing has that name. A dangling symlink counts as something. */
  function tryHold(parent: Held, name: string, errand: Errand): Held | undefined {
    try {
      return hold(parent.at(name), { follow: true })
    } catch (error) {
      let target = readLink(parent.at(name))
      if (target === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      let place = join(parent.where(), name)
      // The answer must not reveal whether something exists where the caller may not look.
      for (let hops = 0; target !== undefined && hops < maxHops; hops++) {
        place = toRealOrPlanned(resolve(dirname(place), target))
        admit(place, errand)
        target = readLink(place)
      }
      throw error
    }
  }

  function make(parent: Held, name: string, errand: Errand, made: string[] | undefined): Held {
    if (!made) throw Object.assign(new Error(`ENOENT: no '${name}'`), { code: 'ENOENT' })
    const real = join(parent.where(), name)
    // Directories created on the way to the approved place are above it.
    if (errand.place !== undefined && !isInside(real, errand.place, platform)) throw toElsewhere(errand)
    admitNamed(real, errand)
    try {
      mkdirSync(parent.at(name))
      made.push(real)
    } catch (error) {
      // Another process may have created it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    return hold(parent.at(name), { follow: false })
  }

  function admit(real: string, errand: Errand): void {
    if (!isInside(root, real, platform)) throw toOutside(errand.path)
    if (isDenied(real) || errand.filter?.(toNames(real)) === 'closed') throw toDenied(errand.action, errand.path)
  }

  function admitWrite(real: string, errand: Errand): void {
    requirePlace(real, errand)
    admitNamed(real, errand)
  }

  function requirePlace(real: string, errand: Errand): void {
    if (errand.place !== undefined && real !== errand.place) throw toElsewhere(errand)
  }

  function admitNamed(real: string, errand: Errand): void {
    admit(real, errand)
    const protection = findProtection(toNames(real), places) ?? (isGitWrite(root, real) ? gitWouldUse : undefined)
    if (protection) throw toProtected(errand.action, errand.path, protection)
  }

  function isDenied(real: string): boolean {
    return isTemporaryName(basename(real)) || closed.some((directory) => isInside(directory, real, platform))
  }

  function holdExisting(errand: Errand, segments: readonly string[]) {
    const missing: string[] = []
    for (const names = [...segments]; ; ) {
      try {
        return { held: walk(names, errand), missing }
      } catch (error) {
        const last = names.pop()
        if (last === undefined || (error as { code?: string }).code !== 'file_not_found') throw error
        missing.unshift(last)
      }
    }
  }

  function planDirectory(errand: Errand, segments: readonly string[]) {
    const { held, missing } = holdExisting(errand, segments)
    const directory = asDirectory(held, errand)
    try {
      admitNew(directory, missing, errand)
      return { directory, missing }
    } catch (error) {
      directory.close()
      throw toFileError(error, errand.action, errand.path)
    }
  }

  function admitNew(directory: Held, names: readonly string[], errand: Errand): void {
    const places = names.map((_, index) => join(directory.where(), ...names.slice(0, index + 1)))
    for (const real of places) admitWrite(real, errand)
    // Throws if a name is too long for the file system.
    const [found] = names.map((name) => lstatSync(directory.at(name), { throwIfNoEntry: false }))
    // A dangling symlink: its target does not exist, and nothing can be created in its place.
    if (found) throw Object.assign(new Error(`ENOENT: no '${names[0]}'`), { code: 'ENOENT' })
    if (names.length > 0) accessSync(directory.path, constants.W_OK | constants.X_OK)
  }

  function asDirectory(held: Held, errand: Errand): Held {
    if (held.stats.isDirectory()) return held
    held.close()
    throw toNoDirectory(held.real, errand)
  }

  function toNames(real: string): string[] {
    return relative(root, real).split(sep).filter(Boolean)
  }

  /** Which part of the path is not a directory. */
  function toNoDirectory(real: string, { action, path }: Errand) {
    if (action === 'read') return fileError('file_not_found', `File '${toShownPath(path)}' not found`)
    const shown = toShownPath(toRelative(real))
    if (action !== 'make') return fileError('not_a_directory', `Path '${shown}' is not a directory`)
    return fileError('not_a_directory', `Path '${shown}' exists as a file, cannot create directory`)
  }

  function toRelative(real: string): string {
    return relative(root, real).replaceAll(sep, '/') || '.'
  }

  return {
    root,
    decide,
    hold: (errand, segments = decide(errand.path)) => walk(segments, errand),
    makeDirectory(errand, segments = decide(errand.path)) {
      const created: string[] = []
      return { directory: asDirectory(walk(segments, errand, created), errand), created }
    },
    holdExisting: (errand, segments = decide(errand.path)) => holdExisting(errand, segments),
    planDirectory: (errand, segments = decide(errand.path)) => planDirectory(errand, segments),
    admitNew,
    admit,
    admitWrite,
    requirePlace,
    isDenied,
    toNames,
    deniedBelow: (real) => [...new Set(closed)].filter((directory) => isInside(real, directory, platform)),
    toRelative,
  }
}

const gitWouldUse =
  'git would treat the folder as a repository (HEAD, objects, refs) and run the programs in its config'

function toElsewhere({ path }: Errand): OutdatedApproval {
  return new OutdatedApproval(
    `Path '${toShownPath(path)}' points elsewhere than when the call was approved. Nothing was written there.`,
  )
}

/** The limit of Linux. */
const maxHops = 40

function toRealRoot(given: string): string {
  try {
    const root = realpathSync.native(given)
    if (lstatSync(root).isDirectory()) return root
  } catch (error) {
    throw toFileError(error, 'list', given)
  }
  throw fileError('not_a_directory', `Path '${toShownPath(given)}' is not a directory`)
}

/** The root `/` contains the memory and secrets of running processes, and every device. */
function systemPlaces(root: string): string[] {
  return root === '/' ? ['/proc', '/sys', '/dev'] : []
}
