import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openToolpact } from '../../src/app/app.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { defineToolset } from '../../src/contract/define-toolset.ts'
import type { JsonObject, JsonSchema } from '../../src/contract/json.ts'
import { opaqueOutput } from '../../src/contract/opaque-output.ts'
import type { Tool } from '../../src/contract/tool.ts'

const closed = { type: 'object', additionalProperties: false } as const
const text = { type: 'string', maxLength: 2000 } as const

/** A desk with tools of every kind. It remembers what ran, and with what. */
export async function openDesk(returns: { said: unknown }) {
  const ran: { readonly tool: string; readonly input: JsonObject }[] = []

  function define(name: string, more: { risk?: 'safe_write' | 'dangerous'; output?: JsonSchema; status?: 'planned' }) {
    const { risk = 'read_only', output = { ...closed, required: ['text'], properties: { text } } } = more
    const tool = defineTool(
      {
        name,
        description: `The tool ${name} of the desk.`,
        risk,
        status: more.status ?? 'active',
        input: {
          ...closed,
          required: ['path'],
          properties: {
            path: { type: 'string', minLength: 1, maxLength: 200 },
            lines: { type: 'integer', minimum: 1, maximum: 99 },
          },
        },
        output,
      } as const,
      (() => ({})) as never,
    ) as Tool
    const run: Tool['run'] = (input) => {
      ran.push({ tool: name, input })
      return (name === 'odd' || name === 'opaque' ? returns.said : { text: 'The text of the file.' }) as JsonObject
    }
    return { ...tool, run }
  }

  const desk = defineToolset('desk', [
    define('read', {}),
    define('write', { risk: 'safe_write' }),
    define('erase', { risk: 'dangerous' }),
    define('denied', {}),
    define('later', { status: 'planned' }),
    define('others_only', {}),
    define('odd', {}),
    define('opaque', { output: opaqueOutput }),
  ])
  // The opaque output stands for a tool of a server, which no program defines.
  const withheld = [{ name: 'withheld', reasons: ['Its schema is hostile'] }]
  const stateDirectory = mkdtempSync(join(tmpdir(), 'toolpact-desk-'))
  const toolpact = await openToolpact({
    // A second one, which the agent may not use: so functions are named after the desk.
    toolsets: [{ ...desk, withheld, strict: false }, 'learning'],
    storage: 'memory',
    stateDirectory,
    config: { callers: { agent: { tools: ['desk.*d', 'desk.write', 'desk.erase', 'desk.later', 'desk.opaque'] } } },
  })
  await toolpact.rules.add({ tool: 'desk.denied', pattern: '.*', action: 'deny', createdBy: 'a test' })
  const close = async () => {
    await toolpact.close()
    rmSync(stateDirectory, { recursive: true, force: true })
  }
  return { toolpact, ran, close }
}
