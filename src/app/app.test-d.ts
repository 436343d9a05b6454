import { expectTypeOf } from 'vitest'
import type { Capabilities } from '../capabilities/capabilities.ts'
import type { CallResult } from '../contract/call-result.ts'
import { defineTool } from '../contract/define-tool.ts'
import { defineToolset } from '../contract/define-toolset.ts'
import type { JsonObject } from '../contract/json.ts'
import { openToolpact } from './app.ts'

/** As `toolpact export types` writes it. */
interface Tools {
  'learning.hello': { input: { name: string }; output: { greeting: string }; error: never }
}

const typed = await openToolpact<Tools>()
expectTypeOf(typed.call('learning.hello', { name: 'Ada' })).resolves.toEqualTypeOf<CallResult<{ greeting: string }>>()
// @ts-expect-error: the name is not a string
typed.call('learning.hello', { name: 1 })
// @ts-expect-error: there is no such tool
typed.call('learning.bye', { name: 'Ada' })

const untyped = await openToolpact()
expectTypeOf(untyped.call('anything', 1)).resolves.toEqualTypeOf<CallResult<JsonObject>>()

// Toolsets and tools may be written inline.
const closed = { type: 'object', additionalProperties: false } as const
const source = { name: 'hello', description: 'Says hello.', risk: 'read_only', input: closed, output: closed } as const
openToolpact({ toolsets: ['learning', defineToolset('a', [defineTool(source, () => ({}))])] })
openToolpact({
  toolsets: [
    defineToolset('a', [
      defineTool(source, () => ({})),
      defineTool(
        source,
        async (_input, _context, { files }: Pick<Capabilities, 'files'>) => {
          await files.stat('a')
          return {}
        },
        { needs: ['files'] },
      ),
    ]),
  ],
})
const needing = defineToolset('a', [
  defineTool(source, (_input, _context, { oven }: { oven: { bake(): object } }) => oven.bake() as never, {
    needs: ['oven'],
  }),
])
// @ts-expect-error: nothing provides the oven
openToolpact({ toolsets: [needing] })
// @ts-expect-error: that is no tool
defineToolset('a', [{ name: 'hello' }])
