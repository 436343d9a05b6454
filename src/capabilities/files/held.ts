import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** A file or directory that stays the same object even if its name, or a parent's, is swapped. Must be closed. */
export interface Held {
  /** Its real path when it was opened. */
  readonly real: string
  readonly stats: BigIntStats
  /** A path to the object itself. */
  readonly path: string
  /** A path to a name in this directory. */
  at(name: string): string
  /** Its current real path. Throws if it was deleted or, without descriptors, moved or replaced. */
  where(): string
  /** Opens the content. Never blocks, not even on a FIFO; check `stats` first. */
  open(flags: number): Promise<FileHandle>
  close(): void
}

export type Hold = (path: string, options: { follow: boolean }) => Held

/** The safest way that the system supports. */
export function chooseHold(): Hold {
  return process.platform === 'linux' && existsSync('/proc/self/fd') ? holdByDescriptor : holdByName
}

/**
 * Linux: an O_PATH descriptor, reopened through /proc/self/fd, which amounts to openat. The kernel reports the object's
 * real path, and every later step starts from the object, not from its path.
 */
export const holdByDescriptor: Hold = (path, { follow }) => {
  const descriptor = openSync(path, pathOnly | (follow ? 0 : constants.O_NOFOLLOW))
  const self = `/proc/self/fd/${descriptor}`
  try {
    const stats = fstatSync(descriptor, { bigint: true })
    return {
      real: toPlace(self, stats),
      stats,
      path: self,
      at: (name) => `${self}/${name}`,
      where: () => toPlace(self, fstatSync(descriptor, { bigint: true })),
      open: (flags) => open(self, flags | constants.O_NONBLOCK),
      close: () => closeSync(descriptor),
    }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** O_PATH, which Node does not define; the same number on every architecture that Node supports on Linux. */
const pathOnly = 0o10000000

function toPlace(self: string, stats: BigIntStats): string {
  if (stats.nlink === 0n) throw toGone(self)
  return readlinkSync(self)
}

/**
 * Other systems: the real path, with the inode compared before and after use. A swap between two system calls is
 * detected afterwards, not prevented.
 */
export const holdByName: Hold = (path, { follow }) => {
  const real = follow ? realpathSync.native(path) : join(realpathSync.native(dirname(path)), basename(path))
  const stats = lstatSync(real, { bigint: true })
  const confirm = (found: BigIntStats) => {
    if (found.ino !== stats.ino || found.dev !== stats.dev) throw toGone(real)
  }
  const where = () => {
    confirm(lstatSync(real, { bigint: true }))
    if (join(realpathSync.native(dirname(real)), basename(real)) !== real) throw toGone(real)
    return real
  }
  where()
  return {
    real,
    stats,
    path: real,
    at: (name) => join(real, name),
    where,
    async open(flags) {
      const handle = await open(real, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
      try {
        confirm(await handle.stat({ bigint: true }))
        where()
        return handle
      } catch (error) {
        await handle.close()
        throw error
      }
    },
    close: () => {},
  }
}

function toGone(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`ENOENT: '${path}' is gone or was replaced`), { code: 'ENOENT' })
}
