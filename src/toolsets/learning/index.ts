import { defineToolset } from '../../contract/define-toolset.ts'
import { hello } from './hello.ts'
import { readRepoFile } from './read-repo-file.ts'
import { writeMemoryEntry } from './write-memory-entry.ts'

export const learning = defineToolset('learning', [hello, readRepoFile, writeMemoryEntry], {
  description: 'The repository and memory of a learning system.',
})
