import { setTimeout as sleep } from 'node:timers/promises'
import { openToolpact, type Toolpact, type ToolpactOptions } from '../../src/app/app.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { defineToolset } from '../../src/contract/define-toolset.ts'

const text = { type: 'string', maxLength: 100_000 } as const
const closed = { type: 'object', additionalProperties: false } as const

const echo = defineTool(
  {
    name: 'echo',
    description: 'Says a text again.',
    risk: 'read_only',
    input: { ...closed, required: ['text'], properties: { text } },
    output: { ...closed, required: ['said', 'caller'], properties: { said: text, caller: text } },
    errors: [{ code: 'too_quiet', status: 422, when: 'There is nothing to say.', suggestion: 'Speak up.' }],
  },
  ({ text }, { fail, caller }) =>
    text === '' ? fail('too_quiet', 'Nothing can be heard.') : { said: text, caller: caller.name },
)

/** Counts up to `steps` with progress, and stops at once when cancelled. */
const count = defineTool(
  {
    name: 'count',
    description: 'Counts to a number.',
    risk: 'read_only',
    input: {
      ...closed,
      required: ['steps'],
      properties: { steps: { type: 'integer', minimum: 0 }, pauseMs: { type: 'integer', minimum: 0, default: 0 } },
    },
    output: { ...closed, required: ['counted'], properties: { counted: { type: 'integer' } } },
  },
  async ({ steps, pauseMs }, { progress, signal }) => {
    for (let step = 1; step <= steps; step++) {
      progress({ progress: step, total: steps, message: `step ${step}` })
      if (pauseMs) await sleep(pauseMs, undefined, { signal })
    }
    return { counted: steps }
  },
)

/** Asks for approval and returns the given note. Writes nothing. */
const note = defineTool(
  {
    name: 'note',
    description: 'Notes a text.',
    risk: 'safe_write',
    input: {
      ...closed,
      required: ['text'],
      properties: { text, path: { ...text, default: 'notes.txt' } },
    },
    output: { ...closed, required: ['noted'], properties: { noted: text } },
    effects: { writes: ['path'] },
  },
  ({ text, path }, { progress }) => {
    progress({ progress: 0, total: 1 })
    progress({ progress: 1, total: 1 })
    return { noted: `${text} in ${path}` }
  },
)

const picture = defineTool(
  {
    name: 'picture',
    description: 'Draws one dot.',
    risk: 'read_only',
    input: closed,
    output: {
      ...closed,
      required: ['image', 'width'],
      properties: {
        image: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
        width: { type: 'integer' },
      },
    },
  },
  () => ({ image: dot, width: 1 }),
)

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Clients repeat `region` in a header. */
const region = defineTool(
  {
    name: 'region',
    description: 'Says which region was asked for.',
    risk: 'read_only',
    input: {
      ...closed,
      properties: { region: { ...text, 'x-mcp-header': 'Region' }, size: { type: 'integer', 'x-mcp-header': 'Size' } },
    },
    output: { ...closed, required: ['region'], properties: { region: text } },
  },
  ({ region = 'none' }) => ({ region }),
)

const mcpToolset = defineToolset('test', [echo, count, note, picture, region])

/** The tools above, served from memory. */
export function openMcpTools(options: ToolpactOptions = {}): Promise<Toolpact> {
  return openToolpact({ toolsets: [mcpToolset], storage: 'memory', ...options })
}

export const mcpInfo = { name: 'toolpact-test', version: '1.2.3', instructions: 'Use them well.' }
