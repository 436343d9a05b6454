import { expect, test } from 'vitest'
import { openToolpact } from '../../app/app.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('without a registered SDK calls work, and the trace of the client is passed on as it is', async () => {
  const lines: string[] = []
  const toolpact = await openToolpact({
    storage: 'memory',
    telemetry: { via: 'api', log: (line) => lines.push(line) },
  })
  expect(await toolpact.call('learning.hello', { name: 'Ada' })).toMatchObject({ success: true })
  await toolpact.call('learning.hello', { name: 'Ada' }, { trace: { traceparent } })
  await toolpact.close()
  const [alone, traced] = lines.map((line) => JSON.parse(line))
  // An id of zeros would be an invalid trace for the servers that get it.
  expect(alone).not.toHaveProperty('trace_id')
  expect(traced).toMatchObject({ trace_id: traceparent.slice(3, 35), span_id: 'b7ad6b7169203331' })
})
