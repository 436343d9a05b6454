import { statSync } from 'node:fs'

/** Changes apply within a second, including the second look. */
const lookEveryMs = 250

/**
 * Calls `onChange` when a file is written, replaced, created or deleted, once two consecutive looks agree: some editors delete
 * a file before writing it again. Polls, since events get lost on network drives and with atomic replacement. Returns a function
 * that stops watching.
 */
export function watchFiles(paths: readonly string[], onChange: () => unknown): () => void {
  const look = () =>
    paths
      .map((path) => {
        try {
          const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
          return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
        } catch {
          return 'absent'
        }
      })
      .join()
  let applied = look()
  let last = applied
  let isBusy = false
  const timer = setInterval(async () => {
    const now = look()
    const isStable = now === last
    last = now
    if (!isStable || now === applied || isBusy) return
    applied = now
    isBusy = true
    await onChange()
    isBusy = false
  }, lookEveryMs).unref()
  return () => clearInterval(timer)
}
