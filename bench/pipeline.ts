import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openToolpact } from '../src/app/app.ts'
import { compileSchema } from '../src/contract/schema/compile-schema.ts'
import { hello } from '../src/toolsets/learning/hello.ts'
import { compare } from './compare.ts'
import type { About, Table } from './table.ts'

export const about: About = {
  compares:
    'What the twelve steps of a call cost, beside a function whose input and output are validated and nothing else.',
}

export async function* bench(): AsyncGenerator<Table> {
  const state = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  const memory = await openToolpact({ storage: 'memory' })
  const sqlite = await openToolpact({ stateDirectory: state })
  const input = await compileSchema(hello.contract.input, { useDefaults: true })
  const output = await compileSchema(hello.contract.output)

  function validated() {
    const value = { name: 'Ada' }
    if (input.validate(value).length > 0) throw new Error('invalid input')
    const returned = { greeting: `Hello, ${value.name}!` }
    if (output.validate(returned).length > 0) throw new Error('invalid output')
    return returned
  }

  async function call(toolpact: typeof memory) {
    const result = await toolpact.call('learning.hello', { name: 'Ada' })
    if (!result.success) throw new Error(result.error.message)
  }

  const inFlight = 64
  yield await compare(
    'A call through the pipeline',
    [
      { name: 'validated function', run: validated },
      { name: 'pipeline, ledger in memory', run: () => call(memory) },
      { name: 'pipeline, ledger on disk', run: () => call(sqlite) },
    ],
    { rounds: 20, samples: 50, repeat: 20 },
  )
  yield await compare(
    `A call through the pipeline, ${inFlight} at once`,
    [
      { name: 'validated function', run: () => Promise.all(Array.from({ length: inFlight }, async () => validated())) },
      {
        name: 'pipeline, ledger in memory',
        run: () => Promise.all(Array.from({ length: inFlight }, () => call(memory))),
      },
      {
        name: 'pipeline, ledger on disk',
        run: () => Promise.all(Array.from({ length: inFlight }, () => call(sqlite))),
      },
    ],
    { rounds: 20, samples: 20, operations: inFlight },
  )
  await memory.close()
  await sqlite.close()
  rmSync(state, { recursive: true })
}
