import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { takePort } from '../../helpers/take-port.ts'
import { cliAgent } from '../cli-agent.ts'
import { openStatements } from '../statements.ts'
import { describeTool } from './describe-tool.ts'

const { statement } = openStatements(cliAgent)
const { contract, parameters, required, run, fail } = describeTool('fetch_webpage')
const web = 'https://example.com/'

statement('E1001', () => expect(contract.name).toBe('fetch_webpage'))
statement('E1002', async () => expect((await fetchFrom(page)).output).toContain('How to make tea'))
statement('E1003', () => expect(parameters.url).toMatchObject({ type: 'string' }))
statement('E1004', () => expect(parameters.url?.description).toBe('URL to fetch (must be http or https)'))
statement('E1005', () => expect(required).toContain('url'))
statement('E1006', () => expect(parameters.timeout_seconds).toMatchObject({ type: 'integer' }))
statement('E1007', () => expect(parameters.timeout_seconds?.description).toMatch(/^Request timeout.*\(default: 10\)$/))
statement('E1008', () => expect(required).not.toContain('timeout_seconds'))
statement('E1009', () => expect(parameters.timeout_seconds).toMatchObject({ default: 10 }))
statement('E1010', async () => {
  for (const url of ['ftp://example.com/', 'file:///etc/passwd', 'example.com'])
    expect(await fail({ url })).toMatchObject({ code: 'invalid_url' })
})
statement('E1011', async () => {
  for (const url of ['http://', 'http://a b/']) expect(await fail({ url })).toMatchObject({ code: 'invalid_url' })
})
statement('E1012', async () => {
  for (const timeout_seconds of [0, 61])
    expect(await fail({ url: web, timeout_seconds })).toMatchObject({ code: 'invalid_input' })
  for (const timeout_seconds of [1, 60]) await fetchFrom(page, { timeout_seconds })
})
statement('E1013', async () =>
  expect((await fetchFrom(large)).metadata).toMatchObject({ content_length: 1024 * 1024, truncated: true }),
)
statement('E1014', async () => expect(await fetchFrom(page)).toMatchObject({ success: true }))
statement('E1015', async () => {
  const { output, url } = await fetchFrom(page)
  expect(output.split('\n')[0]).toBe(`Fetched content from ${url} (5.2 KB)`)
})
statement('E1016', async () => expect(await fetchFrom(page)).toMatchObject({ files_affected: [] }))
statement('E1017', async () => expect((await fetchFrom(page)).execution_time_ms).toSatisfy(Number.isInteger))
statement('E1018', async () => {
  const { metadata, url } = await fetchFrom(page)
  expect(metadata).toMatchObject({ url })
})
statement('E1019', async () => expect((await fetchFrom(page)).metadata).toMatchObject({ status_code: 200 }))
statement('E1020', async () => expect((await fetchFrom(page)).metadata).toMatchObject({ content_length: 5324 }))
statement('E1021', async () => expect((await fetchFrom(page)).metadata).toMatchObject({ content_type: 'text/html' }))
statement('E1022', async () => expect(await fail({ url: 'x' })).toMatchObject({ message: 'Invalid URL format' }))
statement('E1023', async () => {
  const host = `127.0.0.1:${await takePort()}`
  expect(await fail({ url: `http://${host}/` }, { web: { allowHosts: [host] } })).toMatchObject({
    message: 'Failed to fetch - connection refused',
  })
})
statement('E1024', async () => {
  const host = await serve(() => {})
  const input = { url: `http://${host}/`, timeout_seconds: 2 }
  expect(await fail(input, { web: { allowHosts: [host] } })).toMatchObject({
    message: 'Request timed out after 2 seconds',
  })
})
statement('E1025', async () =>
  expect((await fetchFrom(large)).output).toContain('Response too large (>1MB), truncating\n'),
)
statement('E1026', async () => expect((await fetchFrom(large)).output).toContain('x'.repeat(1024 * 1024)))
statement('E1027', () => expect(contract.risk).toBe('dangerous'))

function page(_request: IncomingMessage, response: ServerResponse) {
  const text = '<!doctype html><title>Tea</title><h1>How to make tea</h1>'
  response.writeHead(200, { 'content-type': 'text/html' }).end(text.padEnd(5324))
}

function large(_request: IncomingMessage, response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(1024 * 1024 + 1))
}

/** Fetches what a server of the test answers. */
async function fetchFrom(answer: RequestListener, more = {}) {
  const host = await serve(answer)
  const url = `http://${host}/`
  return { ...(await run({ url, ...more }, { web: { allowHosts: [host] } })), url }
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
