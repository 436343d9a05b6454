import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../src/contract/json.ts'
import { define } from '../../test/upstream-servers/definitions.ts'
import { playPackage } from './play-package.ts'
import { doesNotApply, initialize, isAnswered, isRefused, type Rows, toWords } from './row.ts'

const hidden = ['a\u200bb', 'a\u202eb', 'a\u{e0041}b', '\u001b[31mred']
const toInput = (text: JsonObject): JsonObject => ({ inputSchema: { type: 'object', properties: { text } } })
const places: readonly ((text: string) => JsonObject)[] = [
  (description) => ({ description }),
  (description) => toInput({ type: 'string', description }),
  (text) => toInput({ enum: [text] }),
  (title) => ({ annotations: { readOnlyHint: true, title } }),
]

/** Incidents that a caller can observe, by the names in test/data/failure-rows.ts. */
export const incidentRows: Rows = {
  'tool poisoning, CVE-2025-54135': {
    expects: 'tools with hidden characters are not served',
    async play({ serve, makeChangeling }) {
      const changes = places.flatMap((place) => hidden.map(place))
      const definitions = changes.map((change, index) => define(`hiding_${index}`, change))
      const host = await serve({ one: makeChangeling([define('sound'), ...definitions]).entry })
      const count = (await host.list()).names.filter((name) => name.includes('hiding_')).length
      return { pass: count === 0, saw: `${count} of ${changes.length} served` }
    },
  },
  'rug pull, CVE-2025-54136': {
    expects: 'what changed after the start is not served',
    async play({ serve, makeChangeling }) {
      const changes: { readonly [name: string]: JsonObject } = {
        input: toInput({ type: 'string', description: 'CHANGED' }),
        output: { outputSchema: { type: 'object', description: 'CHANGED' } },
        annotations: { annotations: { readOnlyHint: true, title: 'CHANGED' } },
      }
      const toDefinitions = (isChanged: boolean) => [define('announce'), ...Object.entries(changes).map(([name, change]) => define(name, isChanged ? change : {}))] // biome-ignore format: one line
      const one = makeChangeling(toDefinitions(false))
      const host = await serve({ one: one.entry }, { tools: 4 })
      one.list(toDefinitions(true))
      await host.call(['one', 'announce'])
      await sleep(2000)
      const { tools } = await host.list()
      const served = Object.keys(changes).filter((name) => tools.some((tool) => String(tool.name).endsWith(name) && JSON.stringify(tool).includes('CHANGED'))) // biome-ignore format: one line
      return { pass: served.length === 0, saw: served.length > 0 ? `served: ${served.join(', ')}` : 'not served' }
    },
  },
  'CVE-2026-42271': {
    expects: 'no request makes a command run',
    async play({ folder, serve, makeChangeling }) {
      const canary = join(folder, 'canary')
      const command = { command: process.execPath, args: ['-e', `require('fs').writeFileSync(${JSON.stringify(canary)}, '')`], env: {} } // biome-ignore format: one line
      const host = await serve({ one: makeChangeling([define('echo')]).entry })
      const body = JSON.stringify({ ...command, name: 'new', server_name: 'new', mcpServers: { new: command }, server: command }) // biome-ignore format: one line
      const paths = ['/mcp', '/v1/servers', '/servers', '/servers/new', '/test/connection', '/api/servers', '/api/servers/start', '/api/servers/info', '/api/config', '/api/refresh'] // biome-ignore format: one line
      for (const path of paths)
        await Promise.all(['POST', 'PUT', 'PATCH'].map((method) => host.send(path, { method, body })))
      await host.client.ask('servers/add', { name: 'new', ...command })
      await sleep(500)
      return existsSync(canary) ? { pass: false, saw: 'it ran' } : { pass: true, saw: 'nothing ran' }
    },
  },
  'CVE-2025-64443, CVE-2025-66414, CVE-2025-49596': {
    expects: 'a web page with a name of its own for this machine calls no tool',
    async play({ serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define('echo')]).entry })
      try {
        const page = await host.open({ Host: 'attacker.example', Origin: 'http://attacker.example' })
        const answer = await host.call(['one', 'echo'], { text: 'hi' }, page)
        return { pass: !isAnswered(answer), saw: isAnswered(answer) ? 'the tool ran' : toWords(answer) }
      } catch (failure) {
        return { pass: true, saw: /\b4\d\d\b/.exec(String(failure))?.[0] ?? 'refused' }
      }
    },
  },
  'CVE-2026-25536': {
    expects: '64 callers with the same ids each get their own answer',
    async play({ serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define('echo')]).entry })
      const callers = (await Promise.allSettled(Array.from({ length: 64 }, () => host.open()))).flatMap((opened) => opened.status === 'fulfilled' ? [opened.value] : []) // biome-ignore format: one line
      const answers = await Promise.all(callers.map((caller, index) => host.call(['one', 'echo'], { text: `caller ${index}` }, caller))) // biome-ignore format: one line
      const own = answers.filter(({ message }, index) => message?.result?.structuredContent?.said === `caller ${index}`).length // biome-ignore format: one line
      const others = answers.filter(isAnswered).length - own
      return { pass: own === 64, saw: `${own} of 64 got theirs${others > 0 ? `, ${others} that of another` : ''}` }
    },
  },
  'CVE-2026-0621': {
    expects: '50 kB against a hostile pattern hold nobody up',
    async play({ serve, makeChangeling }) {
      const said = { type: 'string', pattern: '^(a+)+$|^(a|a)*b$' }
      const definitions = [
        define('echo'),
        define('matched', toInput(said)),
        define('answered', { outputSchema: { type: 'object', properties: { said } } }),
      ]
      const host = await serve({ one: makeChangeling(definitions).entry }, { tools: 3 })
      const other = await host.open()
      const text = `${'a'.repeat(50_000)}!`
      const calls = ['matched', 'answered'].map((tool) => host.call(['one', tool], { text }))
      await sleep(500)
      const answer = await host.call(['one', 'echo'], { text: 'hi' }, other)
      const saw = isAnswered(answer) ? `others are answered; ${(await Promise.all(calls)).map(toWords).join(', ')}` : `others: ${toWords(answer)}` // biome-ignore format: one line
      return { pass: isAnswered(answer), saw }
    },
  },
  'CVE-2026-27896': {
    expects: 'a key that occurs twice, or in another case, is refused',
    async play({ serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define('echo')]).entry })
      const name = JSON.stringify(host.toName('one', 'echo'))
      const params = `{"name":${name},"arguments":{"text":"a"}}`
      const toCall = (id: number) => `"jsonrpc":"2.0","id":${id},"method":"tools/call"`
      const bodies = [
        `{${toCall(101)},"method":"tools/list","params":${params}}`,
        `{${toCall(102)},"Method":"tools/list","params":${params}}`,
        `{${toCall(103)},"params":{"name":${name},"arguments":{"text":"a","text":"b"}}}`,
      ]
      const answers = await Promise.all(bodies.map((body, index) => host.client.post(101 + index, body)))
      const refused = answers.filter(isRefused).length
      return { pass: refused === bodies.length, saw: `${refused} of ${bodies.length} refused` }
    },
  },
  'CVE-2025-6514': {
    expects: 'no address for signing in is visited, nor near a shell',
    async play({ gateway, folder, serve, makeChangeling }) {
      if (!gateway.takesMany) return doesNotApply('takes no server behind a URL')
      const file = join(folder, 'touched')
      const canary = await openSite(() => ({ status: 200, headers: {} }))
      const addresses = [`${canary.url}metadata`, 'file:///etc/passwd', `a:$(touch ${file})`, `http://x"; touch ${file}; "`] // biome-ignore format: one line
      const sites = await Promise.all(addresses.map((address) => openSite(() => ({ status: 401, headers: { 'WWW-Authenticate': `Bearer resource_metadata="${encodeURI(address)}"` } })))) // biome-ignore format: one line
      try {
        const entries = sites.map(({ url }, index) => [`site${index}`, { url: `${url}mcp` }])
        await serve({ one: makeChangeling([define('echo')]).entry, ...Object.fromEntries(entries) })
        await sleep(3000)
        const visited = canary.visits() > 0 || existsSync(file)
        return { pass: !visited, saw: visited ? 'visited' : 'nothing visited' }
      } finally {
        for (const { close } of [canary, ...sites]) close()
      }
    },
  },
  'CVE-2026-26118, CVE-2026-45609': {
    expects: 'no address that a server names is visited',
    async play({ gateway, serve, makeChangeling }) {
      const canary = await openSite(() => ({ status: 200, headers: {} }))
      const redirecting = await openSite(() => ({ status: 307, headers: { Location: `${canary.url}x` } }))
      try {
        const naming = makeChangeling([
          define('sound'),
          define('icon', { icons: [{ src: canary.url }] }),
          define('input', { inputSchema: { type: 'object', properties: { text: { $ref: canary.url } } } }),
          define('output', { outputSchema: { $schema: canary.url, type: 'object' } }),
        ])
        const host = await serve({ one: naming.entry, ...(gateway.takesMany && { two: { url: `${redirecting.url}mcp` } }) }) // biome-ignore format: one line
        for (const name of (await host.list()).names)
          await host.client.ask('tools/call', { name, arguments: { text: 'hi' } })
        await sleep(1000)
        return { pass: canary.visits() === 0, saw: canary.visits() > 0 ? 'visited by a redirect' : 'nothing visited' }
      } finally {
        for (const { close } of [canary, redirecting]) close()
      }
    },
  },
  'CVE-2025-53109, CVE-2025-53110': {
    expects: 'its own tools read no file outside, by a link or a similar name',
    async play({ gateway, makeFolder, serve }) {
      if (!gateway.findToken) return doesNotApply('has no tools for files')
      const [inside, outside] = [makeFolder('work'), makeFolder('work-not')]
      writeFileSync(join(outside, 'secret'), 'evil.example')
      mkdirSync(join(inside, 'folder'))
      symlinkSync(join(outside, 'secret'), join(inside, 'link'))
      symlinkSync(outside, join(inside, 'folder', 'link'))
      const host = await serve({}, { flags: ['--workspace', inside], config: { toolsets: ['workspace'] } })
      const paths = ['link', 'folder/link/secret', '../work-not/secret', join(outside, 'secret')]
      const answers = await Promise.all(paths.map((path) => host.client.ask('tools/call', { name: 'read_file', arguments: { path } }))) // biome-ignore format: one line
      const refused = answers.filter((answer) => isRefused(answer) && !/evil/.test(answer.text)).length
      return { pass: refused === paths.length, saw: `${refused} of ${paths.length} refused` }
    },
  },
  'postmark-mcp': {
    expects: 'a package with other content under the same version is not served',
    play: playPackage,
  },
  '2026-07-28 headers': {
    expects: 'headers that disagree with the body are refused: -32020',
    async play({ serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define('echo'), define('other')]).entry }, { tools: 2 })
      const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: 'matrix', version: '1' }, 'io.modelcontextprotocol/clientCapabilities': {} } // biome-ignore format: one line
      const params = { name: host.toName('one', 'echo'), arguments: { text: 'hi' }, _meta: meta }
      const body = JSON.stringify({ ...JSON.parse(initialize), method: 'tools/call', params })
      const toHeaders = (name: string) => ({ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': name }) // biome-ignore format: one line
      const right = await host.send('/mcp', { body, headers: toHeaders(params.name) })
      if (!isAnswered(right)) return doesNotApply('does not speak 2026-07-28')
      const wrong = await host.send('/mcp', { body, headers: toHeaders(host.toName('one', 'other')) })
      return { pass: wrong.message?.error?.code === -32020, saw: toWords(wrong) }
    },
  },
}

/** A site with a fixed response that counts its visitors. */
async function openSite(
  answer: () => { readonly status: number; readonly headers: { readonly [name: string]: string } },
) {
  // biome-ignore format: one line
  let visits = 0
  const server = createServer((_request, response) => {
    visits++
    const { status, headers } = answer()
    response.writeHead(status, { ...headers }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/`, visits: () => visits, close }
}
