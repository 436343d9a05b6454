import type { Lock, LockedServer } from '../host/lock/lock.ts'
import { readLock, writeLock } from '../host/lock/read-lock.ts'
import { type LockFile, openLockFile } from '../state/lock-file.ts'
import { toEverywhereLock } from './lock.ts'

/** The lock of the folder and the one of the servers of every folder, as one. */
export interface LockFiles extends LockFile<Lock> {
  /** `ofFolder` takes the place of the folder's lock. */
  load(ofFolder?: Lock): Lock | undefined
  pathOf(server: string): string
}

interface LockFilesOptions {
  /** The lock of the folder. */
  readonly path: string
  /** The state directory. */
  readonly directory: () => string
  /** The servers in use, and those of every folder: one of the latter is in use if both have the same object. */
  readonly config: () => { readonly servers: Entries; readonly everywhere?: Entries | undefined }
}

interface Entries {
  readonly [server: string]: object
}

type Locked = readonly [server: string, locked: LockedServer]

/**
 * What was accepted of a server of every folder holds in every folder, and stays out of the lock of a project that other
 * people use. A server that the folder configures itself is compared with the folder's lock alone.
 */
export function openLockFiles({ path, directory, config }: LockFilesOptions): LockFiles {
  const folder = openLockFile({ path, directory, read: readLock, write: writeLock })
  let opened: LockFile<Lock> | undefined

  /** Programs without servers of every folder need no state directory. */
  function everywhere(): LockFile<Lock> | undefined {
    if (!config().everywhere) return undefined
    opened ??= openLockFile({ path: toEverywhereLock(directory()), directory, read: readLock, write: writeLock })
    return opened
  }

  function isEverywhere(server: string): boolean {
    const { servers, everywhere: shared = {} } = config()
    return Object.hasOwn(shared, server) && shared[server] === servers[server]
  }

  function joinLocks(ofFolder: Lock | undefined, ofAll: Lock | undefined): Lock | undefined {
    if (!ofFolder && !ofAll) return undefined
    const servers = [...pick(ofAll, isEverywhere), ...pick(ofFolder, (server) => !isEverywhere(server))]
    return { lockVersion: 1, servers: Object.fromEntries(servers) }
  }

  /** Applies the change to the servers of one file. Other entries stay as they are. */
  async function changeOne(
    file: LockFile<Lock>,
    isMine: (server: string) => boolean,
    make: (lock: Lock | undefined) => Lock,
  ) {
    return file.change((lock) => {
      const made = file === folder ? make(joinLocks(lock, everywhere()?.load())) : make(joinLocks(folder.load(), lock))
      const others = pick(lock, (server) => !isMine(server))
      return { lockVersion: 1, servers: Object.fromEntries([...others, ...pick(made, isMine)]) }
    })
  }

  return {
    path: folder.path,
    pathOf: (server) => (isEverywhere(server) ? everywhere()!.path : folder.path),
    load(ofFolder = folder.load()) {
      const shared = everywhere()
      return shared ? joinLocks(ofFolder, shared.load()) : ofFolder
    },
    async change(make) {
      const shared = everywhere()
      if (!shared) return folder.change(make)
      const before = joinLocks(folder.load(), shared.load())
      const made = make(before)
      const isOfFolder = (server: string) => !isEverywhere(server)
      if (hasChanged(before, made, isEverywhere)) await changeOne(shared, isEverywhere, make)
      if (hasChanged(before, made, isOfFolder)) await changeOne(folder, isOfFolder, make)
      return made
    },
  }
}

function pick(lock: Lock | undefined, isPicked: (server: string) => boolean): Locked[] {
  return Object.entries(lock?.servers ?? {}).filter(([server]) => isPicked(server))
}

function hasChanged(before: Lock | undefined, made: Lock, isMine: (server: string) => boolean): boolean {
  const toText = (lock: Lock | undefined) => JSON.stringify(pick(lock, isMine))
  return toText(before) !== toText(made)
}
