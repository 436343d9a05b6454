import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openHost, until } from '../helpers/open-changeling.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'

const server = `#!/usr/bin/env node
const tools = [{ name: 'echo', description: 'Echoes.', inputSchema: { type: 'object' }, outputSchema: { type: 'object', properties: { said: { type: 'string' } } } }]
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const about = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'slow', version: '1' } }
  const result = { initialize: about, 'tools/list': { tools }, 'tools/call': { content: [], structuredContent: {} } }[method]
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: result ?? {} }))
})
`

/** A registry of one package, which hands the package out only when it is told to. */
async function openRegistry(folder: string) {
  const source = join(folder, 'package')
  mkdirSync(source)
  const manifest = { name: 'slow-server', version: '1.0.0', bin: 'server.cjs' }
  writeFileSync(join(source, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(source, 'server.cjs'), server, { mode: 0o755 })
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder })
  const tarball = readFileSync(join(folder, 'package.tgz'))
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  let fetches = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const http = createServer(async (request, response) => {
    if (request.url !== '/package.tgz') {
      const dist = { tarball: `${url}/package.tgz`, integrity }
      const versions = { '1.0.0': { ...manifest, bin: { 'slow-server': 'server.cjs' }, dist } }
      return response.end(JSON.stringify({ name: manifest.name, 'dist-tags': { latest: '1.0.0' }, versions }))
    }
    fetches++
    await released
    response.end(tarball)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return { url, release, fetches: () => fetches }
}

test('npx with an empty cache installs a server for longer than a start may take', async () => {
  const folder = makeFolder()
  const registry = await openRegistry(folder)
  const env = { npm_config_registry: registry.url, npm_config_cache: join(folder, 'cache'), npm_config_audit: 'false' }
  const entry = { command: 'npx', args: ['-y', 'slow-server'], env, startupMs: 10_000 }
  const { upstreams, call } = openHost({ slow: entry }, { start: 'eager', waitMs: 0 })
  const ready = upstreams.get('slow')!.ready()
  await until(() => registry.fetches() > 0)
  await new Promise((resolve) => setTimeout(resolve, 11_000))
  expect(upstreams.get('slow')!.status()).toMatchObject({ state: 'installing', installing: { by: 'npx' } })
  registry.release()
  expect(await ready).toMatchObject({ state: 'ready' })
  expect(await call('slow.echo', {})).toMatchObject({ success: true })
})
