/**
 * Whether a path from the root down is one that no tool writes: a repository's own folder, since what is written there
 * (hooks, config) runs with the next git command, `toolpact.json`, since it says what tools may do, and `toolpact.lock`,
 * since it says what was accepted. Folded as the file systems fold that would take a name for one of these.
 */
export function isProtectedPath(segments: readonly string[]): boolean {
  return segments.some((segment) => {
    const name = segment
      .normalize('NFKC')
      .replace(ignoredByFileSystems, '')
      .replace(/[. ]+$/, '')
      .toLowerCase()
    return protectedName.test(name)
  })
}

const ignoredByFileSystems = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
const protectedName = /^(?:\.git|git~1|toolpact\.json|toolpa~[0-9]\.jso|toolpact\.lock|toolpa~[0-9]\.loc)(?::|$)/
