import { expect, test } from 'vitest'
import { toTraceContext } from './trace-context.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('a valid trace context is taken, with its state', () => {
  expect(toTraceContext(traceparent, 'vendor=1,other=2')).toEqual({ traceparent, tracestate: 'vendor=1,other=2' })
  expect(toTraceContext(traceparent, undefined)).toEqual({ traceparent })
})

test.each([
  ['ids of zeros', '00-00000000000000000000000000000000-b7ad6b7169203331-01'],
  ['a span id of zeros', '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01'],
  ['the version ff', 'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ['capital letters', traceparent.toUpperCase()],
  ['a line break at the end', `${traceparent}\n`],
  ['several headers', [traceparent]],
  ['nothing', undefined],
])('%s is not a trace context', (_what, value) => {
  expect(toTraceContext(value, 'vendor=1')).toBeUndefined()
})

test.each([
  ['too long', 'a'.repeat(513)],
  ['with a line break', 'a=1\nb=2'],
  ['not text', 5],
])('a state that is %s is dropped', (_what, state) => {
  expect(toTraceContext(traceparent, state)).toEqual({ traceparent })
})
