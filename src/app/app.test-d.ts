import { expectTypeOf } from 'vitest'
import type { CallResult } from '../contract/call-result.ts'
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
