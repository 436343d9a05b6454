import type { Infer } from '../../contract/infer.ts'

const name = { type: 'string', minLength: 1 } as const

/** Settings of the toolset transcript-clean. */
export const transcriptSettings = {
  type: 'object',
  description: 'How transcript.clean works.',
  additionalProperties: false,
  properties: {
    model: { ...name, description: 'The model for transcripts. Default: the one in model.' },
    rulesOnly: { type: 'boolean', default: false, description: 'Clean by rules only, without a model.' },
  },
} as const

export type TranscriptSettings = Infer<typeof transcriptSettings>
