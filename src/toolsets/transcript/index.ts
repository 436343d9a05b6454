import { defineToolset } from '../../contract/define-toolset.ts'
import { lazily } from '../../contract/lazily.ts'
import type { RuleCleaned } from './clean-by-rules.ts'
import type { LargeTranscripts } from './clean-transcript.ts'
import { transcriptSettings } from './settings.ts'
import { transcriptClean } from './transcript-clean.ts'

export const transcript = defineToolset('transcript-clean', [transcriptClean], {
  description: 'Cleans transcripts of speech without changing what was said.',
  settings: transcriptSettings,
  // Model answers differ between runs.
  testSettings: { rulesOnly: true },
  open: () => ({ largeTranscripts: openLargeTranscripts() }),
  confined: ['largeTranscripts'],
})

/** Threads are loaded when a large transcript needs one. */
function openLargeTranscripts(): LargeTranscripts {
  const load = lazily(async () =>
    (await import('./capability/large-transcripts.ts')).openLargeTranscripts<RuleCleaned>(),
  )
  return { run: async (text, options) => (await load()).run(text, options) }
}
