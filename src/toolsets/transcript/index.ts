import { defineToolset } from '../../contract/define-toolset.ts'
import { transcriptSettings } from './settings.ts'
import { transcriptClean } from './transcript-clean.ts'

export const transcript = defineToolset('transcript-clean', [transcriptClean], {
  description: 'Cleans transcripts of speech without changing what was said.',
  settings: transcriptSettings,
  // Model answers differ between runs.
  testSettings: { rulesOnly: true },
})
