import { foldFileName } from './fold-file-name.ts'

/**
 * Whether a path from the root down is one that no tool writes: a repository's own folder, since what is written there
 * (hooks, config) runs with the next git command, `toolpact.json`, since it says what tools may do, and `toolpact.lock`,
 * since it says what was accepted.
 */
export function isProtectedPath(segments: readonly string[]): boolean {
  return segments.some((segment) => protectedName.test(foldFileName(segment)))
}

const protectedName = /^(?:\.git|git~1|toolpact\.json|toolpa~[0-9]\.jso|toolpact\.lock|toolpa~[0-9]\.loc)(?::|$)/
