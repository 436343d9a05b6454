/**
 * Whether a path from the root down lies in a repository's own folder. What is written there (hooks, config) runs with
 * the next git command, so no tool writes it. Folded as the file systems fold that would take the name for `.git`.
 */
export function isProtectedPath(segments: readonly string[]): boolean {
  return segments.some((segment) => {
    const name = segment
      .normalize('NFKC')
      .replace(ignoredByFileSystems, '')
      .replace(/[. ]+$/, '')
      .toLowerCase()
    return name === '.git' || name === 'git~1' || name.startsWith('.git:')
  })
}

const ignoredByFileSystems = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
