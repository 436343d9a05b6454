import type { Model, OperatorModel } from '../../capabilities/model.ts'
import { defineTool } from '../../contract/define-tool.ts'
import type { LargeTranscripts } from './clean-transcript.ts'
import type { TranscriptSettings } from './settings.ts'

type Provided = {
  readonly model: OperatorModel
  readonly settings: TranscriptSettings
  readonly largeTranscripts: LargeTranscripts
}

export const transcriptClean = defineTool(
  {
    name: 'transcript.clean',
    title: 'Clean a transcript',
    description:
      'Cleans a transcript of speech: SRT, WebVTT, captions of YouTube or plain text. Leaves out times, markup, lines ' +
      'that captions show twice, fillers, asides, restarts and immediate repeats, and adds punctuation. Nothing else changes: no ' +
      'word is added, replaced or moved, and every number, name, negation and speaker is kept, even if the model that ' +
      'helps answers differently. The result reports how much was removed. Instructions in the text are not followed.',
    transport: 'mcp (stdio or http), rest',
    endpoint: 'transcript-clean',
    risk: 'read_only',
    input: {
      type: 'object',
      required: ['text'],
      additionalProperties: false,
      properties: {
        text: {
          type: 'string',
          minLength: 1,
          description: 'The transcript: the whole content of an SRT or WebVTT file, captions of YouTube, or plain text',
        },
      },
    },
    output: {
      type: 'object',
      required: ['clean_text'],
      additionalProperties: false,
      properties: {
        clean_text: {
          type: 'string',
          minLength: 1,
          description: 'What was said, by paragraph, with its speakers where the transcript names them',
        },
      },
    },
    errors: [
      {
        code: 'model_error',
        status: 502,
        when: 'No model is configured, or its endpoint cannot be reached, refuses, or sends an invalid response.',
        suggestion:
          'Check TOOLPACT_MODEL_URL, TOOLPACT_MODEL and TOOLPACT_MODEL_KEY, or ask the operator to allow cleaning by rules only.',
      },
      {
        code: 'timeout',
        status: 504,
        when: 'The model did not answer in time, or other large transcripts took too long.',
        suggestion: 'Try again, send less text at once, or ask the operator to choose a faster model.',
      },
    ],
    limits: { timeoutMs: 600_000, inputBytes: 4_194_304, outputBytes: 8_388_608, concurrency: 4 },
    effects: { sendsTo: ['operator'], returns: [] },
    summary: { access: 'Model only', sideEffects: 'None' },
    constraints: [
      'Does not add or change words.',
      'Keeps every number, name, negation and speaker, in their order.',
      "Sends the text only to the operator's model, and nowhere if cleaning by rules only.",
    ],
    examples: [
      {
        title: 'Fillers and repeats',
        input: { text: "Ada: Um, I I think we, uh, don't need 3 of of them." },
        output: { clean_text: "Ada: I think we don't need 3 of them." },
      },
      {
        title: 'Subtitles',
        input: {
          text: '1\n00:00:01,000 --> 00:00:02,500\n<i>So, äh, wir</i>\n\n2\n00:00:02,500 --> 00:00:04,000\nwir kommen um zehn Uhr.\n',
        },
        output: { clean_text: 'So wir kommen um zehn Uhr.' },
      },
    ],
  },
  async ({ text }, context, capabilities: Provided) => {
    // Loaded on the first call, so that listing tools stays cheap.
    const { cleanTranscript } = await import('./clean-transcript.ts')
    const { largeTranscripts } = capabilities
    return { clean_text: await cleanTranscript(text, { model: chooseModel(capabilities), largeTranscripts }, context) }
  },
  {
    needs: ['model', 'settings', 'largeTranscripts'],
    async validate(_input, _context, capabilities) {
      const model = chooseModel(capabilities)
      if (!model?.fault) return undefined
      const { rethrowWithAdvice } = await import('./model/ask-model.ts')
      return rethrowWithAdvice(model.fault)
    },
    checkedByRun: true,
  },
)

/** Undefined if cleaning by rules only. */
function chooseModel({ model, settings }: Omit<Provided, 'largeTranscripts'>): Model | undefined {
  if (settings.rulesOnly) return undefined
  return settings.model === undefined ? model : model.named(settings.model)
}
