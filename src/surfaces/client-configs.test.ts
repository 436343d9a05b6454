import { parse as parseToml } from 'smol-toml'
import { expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { toClientConfigs } from './client-configs.ts'
import { connectable } from './clients/clients.ts'

test('what is to be pasted is well-formed for every client, whatever the paths hold', () => {
  const stdio = ['/usr/bin/node', '/home/o\'neil/my "tools"/toolpact.js', 'serve', '--stdio']
  const options = { name: 'toolpact', url: 'http://127.0.0.1:7420', token: 'abc', stdio }
  const configs = toClientConfigs({ ...options, example: { name: 'learning.hello', input: { name: "O'Neil" } } })
  const of = (client: string) => configs.find((config) => config.client.startsWith(client))!.text
  expect(of('Any of these')).toBe('toolpact connect CLIENT --http')
  expect(of('Claude Code')).toBe(`claude mcp add --transport http toolpact http://127.0.0.1:7420/mcp --header 'Authorization: Bearer abc'`) // biome-ignore format: one line
  expect(JSON.parse(of('Cursor')).mcpServers.toolpact.headers).toEqual({ Authorization: 'Bearer abc' })
  expect(JSON.parse(of('VS Code')).servers.toolpact).toMatchObject({ type: 'http', url: 'http://127.0.0.1:7420/mcp' })
  expect(JSON.parse(of('Claude Desktop')).mcpServers.toolpact).toEqual({ command: stdio[0], args: stdio.slice(1) })
  expect(parseToml(of('Codex')).mcp_servers).toMatchObject({
    toolpact: { http_headers: { Authorization: 'Bearer abc' }, required: true },
  })
  expect(parseYaml(of('Goose')).extensions.toolpact).toMatchObject({ uri: 'http://127.0.0.1:7420/mcp', enabled: true })
  expect(parseYaml(of('Continue')).mcpServers).toEqual([{ name: 'toolpact', type: 'streamable-http', url: 'http://127.0.0.1:7420/mcp', requestOptions: { headers: { Authorization: 'Bearer abc' } } }]) // biome-ignore format: one line
  expect(JSON.parse(of('opencode')).mcp.toolpact).toMatchObject({
    oauth: false,
    headers: { Authorization: 'Bearer abc' },
  })
  // Every client is on the page, with the token or with the command.
  for (const { title } of connectable) expect(of(title)).toMatch(/Bearer abc|my \\"tools/)
  expect(of('curl')).toContain(`-d '{"name":"O'\\''Neil"}' http://127.0.0.1:7420/v1/tools/learning.hello`)
  const open = toClientConfigs({ ...options, url: 'http://192.0.2.1:8000', token: undefined })
  expect(JSON.stringify(open)).not.toMatch(/Authorization|Bearer/)
  expect(open[0]!.text).toBe('toolpact connect CLIENT --http --port 8000 --host 192.0.2.1')
})
