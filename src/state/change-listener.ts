import { existsSync, type FSWatcher, realpathSync, statfsSync, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** File systems of Linux that only this kernel changes: ext, xfs, btrfs, bcachefs, f2fs, zfs, overlay, tmpfs and ramfs. */
const localTypes = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xca451a4e, 0xf2f52010, 0x2fc12fc1, 0x794c7630, 0x01021994, 0x858458f6,
])

/**
 * Waits for the next change of some files without a timer. Reports one change, and nothing more until `listen` is called again:
 * otherwise each append to a file of a watched folder would cost an event. So call `listen` before looking at the files.
 */
export class ChangeListener {
  readonly #onChange: () => void
  #watchers: FSWatcher[] = []

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get isListening(): boolean {
    return this.#watchers.length > 0
  }

  /**
   * Reports when a file is written, replaced, created or deleted, or its folder is moved. False, and listens to nothing, if
   * changes could go unreported. A folder further above is replaced without a report.
   */
  listen(paths: readonly string[]): boolean {
    this.stop()
    const places = new Set(paths.flatMap((path) => toPlaces(resolve(path))))
    const isComplete = [...places].every((place) => this.#add(place))
    if (!isComplete) this.stop()
    return isComplete
  }

  stop(): void {
    for (const watcher of this.#watchers) watcher.close()
    this.#watchers = []
  }

  #add(place: string): boolean {
    try {
      const watcher = watch(place, { persistent: false }, () => this.#report())
      this.#watchers.push(watcher)
      watcher.on('error', () => this.#report())
      return isLocal(place) && realpathSync(place) === place
    } catch (error) {
      // It was just deleted, which the look finds that comes next.
      return (error as NodeJS.ErrnoException).code === 'ENOENT'
    }
  }

  #report() {
    this.stop()
    this.#onChange()
  }
}

/** Other hosts change network file systems without an event. */
export function isLocal(path: string): boolean {
  return process.platform === 'linux' && localTypes.has(statfsSync(path).type)
}

/** The file, since another host or container may mount it alone, and the nearest folder that exists. */
function toPlaces(path: string): string[] {
  if (!existsSync(path)) return toPlaces(dirname(path))
  return [path, dirname(path)]
}
