import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Capabilities } from '../../src/capabilities/capabilities.ts'
import type { Toolset } from '../../src/contract/tool.ts'
import { oddToolset } from '../data/odd-toolset.ts'
import { openRest } from '../helpers/open-rest.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'
import { makeWorkflowFolder, step } from '../helpers/workflow-folder.ts'

const project = fileURLToPath(new URL('../openapi-client', import.meta.url))
const modules = join(project, 'node_modules')

test('a client that openapi-typescript makes from the served document type-checks and calls the tools', async () => {
  const contracts = [makeWorkflowFolder({ slow: { steps: [step('one', 'note', 'slow 60000')] } })]
  const toolsets = ['learning', 'workspace', 'flow', oddToolset as Toolset<Capabilities>]
  const { url, get } = await openRest({ toolsets, contracts })
  const folder = makeFolder()
  for (const file of ['client.ts', 'tsconfig.json']) copyFileSync(join(project, file), join(folder, file))
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify((await get('/openapi.json')).body))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')

  const generator = join(modules, 'openapi-typescript/bin/cli.js')
  const options = ['openapi.json', '-o', 'schema.ts', '--default-non-nullable', 'false']
  expect(await run(folder, [generator, ...options])).toMatchObject({ status: 0 })
  // The compiler of the project, which is the faster one.
  expect(await run(folder, [join(folder, 'node_modules/typescript/bin/tsc'), '-p', '.'])).toEqual({
    status: 0,
    output: '',
    errors: '',
  })

  const { status, output, errors } = await run(folder, ['client.ts', url, 'of-client'])
  expect({ status, errors }).toEqual({ status: 0, errors: '' })
  expect(JSON.parse(output)).toEqual({
    risks: expect.arrayContaining(['read_only', 'safe_write', 'dangerous']),
    greeting: 'Hello, Ada!',
    created: 200,
    repeated: { same: true, replayed: 'true' },
    read: expect.stringContaining('two'),
    absent: 'file_not_found',
    never: false,
    run: { begun: 202, state: 'cancelled', listed: [true] },
    tree: [3, 'top'],
    dotted: 200,
    problems: ['/name'],
    unknown: 404,
    incomplete: 'invalid_input',
  })
})

async function run(cwd: string, parameters: string[]) {
  const child = spawn(process.execPath, parameters, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 })
  const [output, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { status, output, errors }
}
