import { statSync } from 'node:fs'

/** Changes apply within a second, including the second look. */
const lookEveryMs = 500
const lookAgainMs = 250

/** All files are looked at in one turn, so that an idle process wakes up rarely. */
const looks = new Set<() => unknown>()
let timer: NodeJS.Timeout | undefined

/**
 * Calls `onChange` when a file is written, replaced, created or deleted, once two consecutive looks agree: some editors delete
 * a file before writing it again. Polls, since events get lost on network drives and with atomic replacement. Returns a function
 * that stops watching.
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
  }

  // Two looks right after each other would agree while the file still changes.
  const lookUnlessSoon = () => soon ?? look()
  looks.add(lookUnlessSoon)
  timer ??= setInterval(lookAll, lookEveryMs).unref()
  return () => {
    looks.delete(lookUnlessSoon)
    clearTimeout(soon)
    if (looks.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function lookAll() {
  for (const look of looks) look()
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
