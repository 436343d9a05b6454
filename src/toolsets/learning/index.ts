import { defineToolset } from '../../contract/define-toolset.ts'
import { document } from './document-resource.ts'
import { hello } from './hello.ts'
import { memory } from './memory-resource.ts'
import { readRepoFile } from './read-repo-file.ts'
import { writeMemoryEntry } from './write-memory-entry.ts'

export const learning = defineToolset('learning', [hello, readRepoFile, writeMemoryEntry, document, memory], {
  description: 'The repository and memory of a learning system.',
})
