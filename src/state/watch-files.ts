import { statSync } from 'node:fs'
import { steadyMs } from '../contract/steady-time.ts'
import { ChangeListener } from './change-listener.ts'

/** Changes apply within a second, including the second look. */
const lookEveryMs = 500
const lookAgainMs = 250
/** While the file system reports every change, an idle process sleeps. */
const lookRarelyMs = 10_000

/** All files are looked at in one turn, so that an idle process wakes up rarely. */
const looks = new Map<() => unknown, readonly string[]>()
const listener = new ChangeListener(() => lookAllIn(lookAgainMs))
let timer: NodeJS.Timeout | undefined
let lookedAt = Number.NEGATIVE_INFINITY
let isPolled = false

/**
 * Calls `onChange` when a file is written, replaced, created or deleted, once two consecutive looks agree: some editors delete
 * a file before writing it again. Polls where events can get lost, such as on network drives. Returns a function that stops
 * watching.
 */
export function watchFiles(paths: readonly string[], onChange: () => unknown): () => void {
  let applied = readVersion(paths)
  let last = applied
  let isBusy = false
  let soon: NodeJS.Timeout | undefined

  async function look() {
    soon = undefined
    const now = readVersion(paths)
    const isStable = now === last
    last = now
    if (!isStable) {
      soon = setTimeout(look, lookAgainMs).unref()
      return
    }
    if (now === applied || isBusy) return
    applied = now
    isBusy = true
    await onChange()
    isBusy = false
    // What changed meanwhile was not applied.
    lookUnlessSoon()
  }

  // Two looks right after each other would agree while the file still changes.
  const lookUnlessSoon = () => soon ?? (looks.has(lookUnlessSoon) && look())
  looks.set(lookUnlessSoon, paths)
  // It listens to other files.
  listener.stop()
  isPolled = false
  lookAllIn(lookEveryMs)
  return () => {
    looks.delete(lookUnlessSoon)
    clearTimeout(soon)
    if (looks.size > 0) return
    listener.stop()
    clearTimeout(timer)
    timer = undefined
  }
}

function lookAllIn(ms: number) {
  clearTimeout(timer)
  // While changes go on, as often as without events.
  timer = setTimeout(lookAll, Math.max(ms, lookedAt + lookEveryMs - steadyMs())).unref()
}

function lookAll() {
  lookedAt = steadyMs()
  // First, so that a change during the look causes another.
  if (!isPolled && !listener.isListening) isPolled = !listener.listen([...looks.values()].flat())
  for (const look of looks.keys()) look()
  lookAllIn(isPolled ? lookEveryMs : lookRarelyMs)
}

function readVersion(paths: readonly string[]): string {
  return paths
    .map((path) => {
      try {
        const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
        return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
      } catch {
        return 'absent'
      }
    })
    .join()
}
