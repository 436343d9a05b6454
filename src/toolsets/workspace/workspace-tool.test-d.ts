// Type tests: checked by tsc, never run.
import type { Tool } from '../../contract/tool.ts'
import { defineWorkspaceTool } from './workspace-tool.ts'

const source = {
  name: 'count',
  description: 'Counts the words of a text.',
  risk: 'read_only',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['text'],
    properties: { text: { type: 'string' }, least: { type: 'integer', default: 1 } },
  },
  metadata: { required: ['words'], properties: { words: { type: 'integer' }, kind: { enum: ['prose', 'verse'] } } },
  errors: [{ code: 'no_text', status: 400, when: 'There is no text.', suggestion: 'Send some.' }],
  examples: [],
} as const

export const count: Tool<
  { words: number },
  { text: string; least?: number },
  {
    success: true
    output: string
    files_affected: string[]
    execution_time_ms: number
    metadata: { words: number; kind?: 'prose' | 'verse' } & { warnings?: string[] }
  }
> = defineWorkspaceTool(
  source,
  async ({ text, least }, { fail }, { words }: { words: number }) => {
    if (text.length < least) return fail('no_text', 'There is no text')
    // @ts-expect-error the contract declares no such code
    if (text === ' ') return fail('no_tekst', 'There is no text')
    return { output: text, metadata: { words, kind: 'prose' }, warnings: ['Few words'] }
  },
  { needs: ['words'] },
)

// @ts-expect-error metadata must have words
export const without = defineWorkspaceTool(source, async () => ({ output: '', metadata: {} }))

// @ts-expect-error metadata has no such kind
export const other = defineWorkspaceTool(source, async () => ({ output: '', metadata: { words: 1, kind: 'song' } }))

// @ts-expect-error there must be an output
export const silent = defineWorkspaceTool(source, async () => ({ metadata: { words: 1 } }))
