import type { OpenFiles } from '../../tool-parts/repository/read-repo-file.ts'

/** The files of the repository that this toolset may read. */
export const openFiles: OpenFiles = {
  allow: ['docs/**', 'paths/**', 'stacks/**', '.claude/memory/**', 'README.md', 'CLAUDE.md'],
  deny: ['**/.env*', '**/secrets/**', '**/.git/**'],
  refusesDots: 'anywhere',
}
