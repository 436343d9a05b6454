import { openToolpact } from '../../src/app/app.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { defineToolset } from '../../src/contract/define-toolset.ts'
import type { ToolContext } from '../../src/contract/tool.ts'
import type { ApprovalAnswer } from '../../src/runtime/approval/approver.ts'

// Calls a tool that misbehaves in every way, and prints the outcomes and any stray errors.

const escaped: string[] = []
for (const event of ['unhandledRejection', 'uncaughtException', 'warning'] as const) {
  process.on(event, (cause: unknown) => escaped.push(`${event}: ${cause}`))
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const failLater = async (ms: number): Promise<never> => {
  await wait(ms)
  throw new Error('late')
}

const runs: { [how: string]: (context: ToolContext) => unknown } = {
  throws: () => {
    throw new Error('now')
  },
  rejects: () => Promise.reject(new Error('now')),
  'rejects late': () => failLater(60),
  'obeys by rejecting': ({ signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  'never settles': () => new Promise(() => {}),
  'reports late': async ({ progress }) => {
    await wait(60)
    progress({ progress: 1 })
  },
  'reports and returns': ({ progress }) => {
    progress({ progress: 1 })
    return {}
  },
  returns: () => ({}),
  'returns nothing': () => undefined,
}

const input = {
  type: 'object',
  additionalProperties: false,
  required: ['how'],
  properties: { how: { type: 'string' } },
} as const
const output = { type: 'object', additionalProperties: false } as const
const shared = { description: 'Misbehaves in a chosen way.', input, output, limits: { timeoutMs: 30 } } as const
const misbehave = ({ how }: { how: string }, context: ToolContext) => runs[how]!(context) as object
const tools = [
  defineTool({ ...shared, name: 'plain', risk: 'read_only' }, misbehave as never),
  defineTool(
    { ...shared, name: 'narrow', risk: 'read_only', limits: { timeoutMs: 30, concurrency: 1 } },
    misbehave as never,
  ),
  defineTool({ ...shared, name: 'asking', risk: 'safe_write' }, misbehave as never),
]

const answers: { [how: string]: () => Promise<ApprovalAnswer> } = {
  throws: () => {
    throw new Error('now')
  },
  rejects: () => Promise.reject(new Error('now')),
  'rejects late': () => failLater(60),
  'never settles': () => new Promise(() => {}),
}

const toolpact = await openToolpact({
  storage: 'memory',
  toolsets: [defineToolset('quiet', tools)],
  approver: ({ input: { how } }) => answers[String(how)]?.() ?? Promise.resolve({ answer: 'yes', by: 'a test' }),
  onViolation: () => Promise.reject(new Error('the listener is broken')) as never,
})

const controller = new AbortController()
setTimeout(() => controller.abort(), 15)
const calls: Promise<string>[] = []
for (const tool of ['plain', 'narrow', 'asking']) {
  for (const how of Object.keys(runs)) {
    for (const signal of [undefined, controller.signal, AbortSignal.abort()]) {
      const asksForever = tool === 'asking' && how === 'never settles' && !signal
      if (asksForever) continue
      const onProgress = () => Promise.reject(new Error('the listener is broken')) as never
      calls.push(
        toolpact.call(`quiet.${tool}`, { how }, { signal, onProgress }).then(
          (result) => (result.success ? 'success' : result.error.code),
          (cause) => `rejected: ${cause}`,
        ),
      )
    }
  }
}
const ends = await Promise.all(calls)
await wait(120)
await toolpact.close()
console.log(JSON.stringify({ ends: [...new Set(ends)].sort(), escaped }))
