import { defineToolset } from '../../contract/define-toolset.ts'
import { transcriptClean } from './transcript-clean.ts'

export const transcript = defineToolset('transcript-clean', [transcriptClean], {
  description: 'Cleans transcripts of speech without changing what was said.',
})
