import { accessSync, constants, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { OutdatedApproval } from '../../contract/approved-files.ts'
import { toShownPath } from '../../contract/text/shown-path.ts'
import { decidePath, isInside } from '../../policy/path.ts'
import type { PathVerdict } from '../../policy/path-filter.ts'
import { findProtection } from '../../policy/protected-path.ts'
import { toRealOrPlanned } from '../../state/follow-links.ts'
import { readLink } from '../../state/read-link.ts'
import { isGitWrite } from '../git-directories.ts'
import { type FileAction, fileError, toDenied, toFileError, toOutside, toProtected } from './file-error.ts'
import { chooseHold, type Held, type Hold } from './held.ts'
import { isTemporaryName } from './temporary-file.ts'

export interface ConfinementOptions {
  /** The working directory. It may be a symbolic link; what it leads to now is the root from here on. */
  readonly root: string
  /** Absolute directories that stay closed even inside the root, such as the state directory. */
  readonly denied?: readonly string[]
  /** What `toProtectedPaths` gives: tools may read these places and must not write them. */
  readonly protectedPaths?: readonly string[]
  /** How things are kept hold of. Default: the surest way that the system has. */
  readonly hold?: Hold
}

/** One call's path and what is done with it: both for messages. */
export interface Errand {
  readonly path: string
  readonly action: FileAction
  /** The real path that a person approved. A write that would land elsewhere is refused. */
  readonly place?: string
  /** Closes more than is closed to every tool. Asked about each step on the way, and where a link would lead. */
  readonly filter?: (names: readonly string[]) => PathVerdict
}

/** Where files may be touched. Everything that touches one goes through here, at the moment of use. */
export interface Confinement {
  readonly root: string
  /** The names from the root down, judged by the text alone. */
  decide(path: string): string[]
  /** Takes hold of what is there, by default at the errand's path. Links are followed as long as they stay inside. */
  hold(errand: Errand, segments?: readonly string[]): Held
  /** Takes hold of a directory and makes what is missing of it; `created` are the real paths made. */
  makeDirectory(errand: Errand, segments?: readonly string[]): { directory: Held; created: string[] }
  /** Takes hold of as much of a path as exists; `missing` are the names below it. */
  holdExisting(errand: Errand, segments?: readonly string[]): { held: Held; missing: string[] }
  /** The same for a directory. Makes nothing, and fails as `makeDirectory` would, as far as that is known. */
  planDirectory(errand: Errand, segments?: readonly string[]): { directory: Held; missing: string[] }
  /** Throws unless a real path is inside and open to tools. */
  admit(real: string, errand: Errand): void
  /** Throws unless these names, one below the other, can be created in a directory. */
  admitNew(directory: Held, names: readonly string[], errand: Errand): void
  /** Throws unless tools may write there. */
  admitWrite(real: string, errand: Errand): void
  /** Throws if another place than this was approved. */
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

  /** Nothing where nothing has that name. A link that leads nowhere is something. */
  function tryHold(parent: Held, name: string, errand: Errand): Held | undefined {
    try {
      return hold(parent.at(name), { follow: true })
    } catch (error) {
      let target = readLink(parent.at(name))
      if (target === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      let place = join(parent.where(), name)
      // Whether something exists where the caller may not look must not show in the answer.
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
    // What is made on the way to the approved place lies above it.
    if (errand.place !== undefined && !isInside(real, errand.place, platform)) throw toElsewhere(errand)
    admitNamed(real, errand)
    try {
      mkdirSync(parent.at(name))
      made.push(real)
    } catch (error) {
      // Somebody else may have made it meanwhile.
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
    // A link that leads nowhere: what it leads to is not there, and nothing can be made in its place.
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

  /** Which part of the path is no directory. */
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

const gitWouldUse = 'git takes the folder for a repository (HEAD, objects, refs) and runs what its config names'

function toElsewhere({ path }: Errand): OutdatedApproval {
  return new OutdatedApproval(
    `Path '${toShownPath(path)}' leads elsewhere than when the call was approved. Nothing was written there.`,
  )
}

/** As many links as Linux follows. */
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

/** Under the root `/` lie the memory and the secrets of running processes, and every device. */
function systemPlaces(root: string): string[] {
  return root === '/' ? ['/proc', '/sys', '/dev'] : []
}
