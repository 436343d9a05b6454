import { expect, test } from 'vitest'
import { options } from '../../../test/upstream-servers/open-hostile.ts'
import type { StdioAddress } from './client.ts'
import { openClient } from './open-client.ts'

const run = (script: string): StdioAddress => ({
  kind: 'stdio',
  command: process.execPath,
  args: ['-e', script],
  env: { KEY: 'a-secret-value' },
})

test('a program that prints text on stdout and answers nothing is reported as not speaking MCP', async () => {
  const script = `console.log('Listening on \\u001b[31mport 3000 with a-secret-value'); console.log('{"level":"info"}'); setInterval(() => {}, 1000)`
  const failed = await openClient(run(script), options({ startMs: 1500 })).catch((cause) => cause)
  expect(failed.kind).toBe('protocol')
  expect(failed.message).toMatch(
    /does not speak MCP on stdout.*"stdio"\. It said: Listening on .*port 3000 with \[secret\]/,
  )
  expect(failed.message).not.toContain('\u001b')
  // Callers, some of them models, read nothing that the program printed.
  expect(failed.plain).not.toContain('Listening')
})

test('a program that prints text on stdout and ends is reported likewise', async () => {
  const failed = await openClient(run(`console.log('Usage: tool [options]')`), options()).catch((cause) => cause)
  expect(failed.message).toMatch(
    /ended with code 0\. It does not speak MCP on stdout.*It said: Usage: tool \[options\]/,
  )
})

test('a server that fails for a reason of its own is not reported as speaking something else', async () => {
  const script = `console.error('Error: no key'); process.exit(3)`
  const failed = await openClient(run(script), options()).catch((cause) => cause)
  expect(failed.message).toBe('The server ended with code 3. It said: Error: no key')
})

test('text before the first message is tolerated', async () => {
  const script = `console.log('Welcome'); require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'a', version: '1' } }
    if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })`
  const client = await openClient(run(script), options())
  expect(client.revision).toBe('2025-11-25')
  await client.close()
})
