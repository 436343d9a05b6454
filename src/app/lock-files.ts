import type { Lock, LockedServer } from '../host/lock/lock.ts'
import { readLock, writeLock } from '../host/lock/read-lock.ts'
import type { LockStore } from '../runtime/storage/operator-state.ts'
import { openLockFile, toLockError } from '../state/lock-file.ts'

/** The lock of the folder, merged with that of the servers of every folder. */
export interface LockFiles {
  /** The path of the folder's lock. */
  readonly path: string
  /** `ofFolder` replaces the folder's lock. Rejects with a `StateError` if a lock cannot be used. */
  load(ofFolder?: Lock): Promise<Lock | undefined>
  change(make: Make): Promise<Lock>
  pathOf(server: string): string
}

type Make = (lock: Lock | undefined) => Lock

interface LockFilesOptions {
  /** The lock of the folder. */
  readonly path: string
  /** The state directory. */
  readonly directory: () => string
  readonly everywhere: LockStore
  /** The servers in use, and those of every folder: one of the latter is in use if both have the same object. */
  readonly config: () => { readonly servers: Entries; readonly everywhere?: Entries | undefined }
}

interface Entries {
  readonly [server: string]: object
}

type Locked = readonly [server: string, locked: LockedServer]

/**
 * Accepted tools of a server of every folder apply in every folder, and stay out of the lock of a shared project. A server
 * that is configured in the folder is compared with the folder's lock only.
 */
export function openLockFiles({ path, directory, everywhere, config }: LockFilesOptions): LockFiles {
  const folder = openLockFile({ path, directory, read: readLock, write: writeLock })
  const opened = openShared(everywhere)
  /** Programs without servers of every folder need no state directory. */
  const shared = () => (config().everywhere ? opened : undefined)

  function isEverywhere(server: string): boolean {
    const { servers, everywhere: forAll = {} } = config()
    return Object.hasOwn(forAll, server) && forAll[server] === servers[server]
  }

  function joinLocks(ofFolder: Lock | undefined, ofAll: Lock | undefined): Lock | undefined {
    if (!ofFolder && !ofAll) return undefined
    const servers = [...pick(ofAll, isEverywhere), ...pick(ofFolder, (server) => !isEverywhere(server))]
    return { lockVersion: 1, servers: Object.fromEntries(servers) }
  }

  /** Applies the change to the servers of one lock, and leaves its other entries as they are. */
  function toChange(
    isMine: (server: string) => boolean,
    make: Make,
    join: (lock: Lock | undefined) => Lock | undefined,
  ): Make {
    return (lock) => {
      const others = pick(lock, (server) => !isMine(server))
      return { lockVersion: 1, servers: Object.fromEntries([...others, ...pick(make(join(lock)), isMine)]) }
    }
  }

  return {
    path: folder.path,
    pathOf: (server) => (isEverywhere(server) ? everywhere.location : folder.path),
    async load(ofFolder = folder.load()) {
      const store = shared()
      return store ? joinLocks(ofFolder, await store.load()) : ofFolder
    },
    async change(make) {
      const store = shared()
      if (!store) return folder.change(make)
      const [ofFolder, ofAll] = [folder.load(), await store.load()]
      const before = joinLocks(ofFolder, ofAll)
      const made = make(before)
      const isOfFolder = (server: string) => !isEverywhere(server)
      if (hasChanged(before, made, isEverywhere))
        await store.change(toChange(isEverywhere, make, (lock) => joinLocks(ofFolder, lock)))
      if (hasChanged(before, made, isOfFolder))
        await folder.change(toChange(isOfFolder, make, (lock) => joinLocks(lock, ofAll)))
      return made
    },
  }
}

/** Parses the text of the store, once per text. */
function openShared(store: LockStore) {
  let known: { readonly text: string; readonly lock: Lock } | undefined

  function parse(text: string): Lock {
    try {
      if (known?.text !== text) known = { text, lock: readLock(Buffer.from(text)) }
      return known.lock
    } catch (cause) {
      throw toLockError(store.location, cause)
    }
  }

  return {
    async load(): Promise<Lock | undefined> {
      const text = await store.load()
      return text === undefined ? undefined : parse(text)
    },
    change: (make: Make) =>
      store.change((text) => {
        const next = writeLock(make(text === undefined ? undefined : parse(text)))
        // Verifies the text: an unreadable lock would withhold every tool.
        readLock(Buffer.from(next))
        return next
      }),
  }
}

function pick(lock: Lock | undefined, isPicked: (server: string) => boolean): Locked[] {
  return Object.entries(lock?.servers ?? {}).filter(([server]) => isPicked(server))
}

function hasChanged(before: Lock | undefined, made: Lock, isMine: (server: string) => boolean): boolean {
  const toText = (lock: Lock | undefined) => JSON.stringify(pick(lock, isMine))
  return toText(before) !== toText(made)
}
