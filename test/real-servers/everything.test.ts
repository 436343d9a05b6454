import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClient, type ToolClient } from '../clients/open-client.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'
import { findProgram, hasRealServers, installRealServers } from './installed.ts'

const canRun = hasRealServers() || process.env.CI !== undefined

describe.skipIf(!canRun)('server-everything through toolpact, beside the same server directly', () => {
  const folder = openCommandFolder()
  let direct: ToolClient
  let through: ToolClient
  beforeAll(async () => {
    installRealServers()
    const program = findProgram('@modelcontextprotocol/server-everything')
    const entry = { command: process.execPath, args: [program], withoutOutputSchema: 'opaque', approval: 'never' }
    const config = join(folder.folder, 'toolpact.json')
    writeFileSync(config, JSON.stringify({ mcpServers: { everything: entry }, toolsets: ['everything'] }))
    const place = { env: folder.env, cwd: folder.folder }
    const args = [entries.toolpact, 'serve', '--stdio', '--config', config]
    ;[direct, through] = await Promise.all([
      openClient('v1', { args: [program], ...place }),
      openClient('v1', { args, ...place }),
    ])
    await through.listTools()
  }, 600_000)
  afterAll(async () => {
    await Promise.all([direct?.close(), through?.close()])
    folder.close()
  })

  test.each([
    ['echo', { message: 'héllo' }],
    ['get-sum', { a: 2, b: 3 }],
    ['get-tiny-image', {}],
    ['get-annotated-message', { messageType: 'error', includeImage: true }],
    ['get-resource-links', { count: 3 }],
    ['get-resource-reference', { resourceType: 'Blob', resourceId: 1 }],
  ])('%s answers with the same content, and no structured content', async (name, input) => {
    const expected = await direct.callTool(name, input)
    const answer = await through.callTool(`everything.${name}`, input)
    // Links can be read through Toolpact, under the name of the server.
    const content = JSON.parse(JSON.stringify(answer.content).replaceAll('toolpact://everything/', ''))
    expect(withoutTimes(content)).toEqual(withoutTimes(expected.content))
    expect(answer.structuredContent).toBeUndefined()
    expect(answer._meta).toMatchObject({ 'toolpact/data': expect.stringContaining(`everything.${name}`) })
  })

  test('what it declares is checked, and the text is that of the output', async () => {
    const input = { location: 'New York' }
    const expected = await direct.callTool('get-structured-content', input)
    const answer = await through.callTool('everything.get-structured-content', input)
    expect(answer.structuredContent).toEqual(expected.structuredContent)
    expect(answer.content).toEqual([{ type: 'text', text: JSON.stringify(expected.structuredContent) }])
  })

  test('its prompts and resources are the same', async () => {
    const prompts = await direct.listPrompts()
    expect(prompts).not.toEqual([])
    expect(await through.listPrompts()).toEqual(prompts)
    const [prompt] = prompts.filter((name) => name.startsWith('simple'))
    expect(await through.getPrompt(prompt!, {})).toEqual(await direct.getPrompt(prompt!, {}))
    const uris = await direct.listResources()
    expect(uris).not.toEqual([])
    expect(await through.listResources()).toEqual(uris.map((uri) => `toolpact://everything/${uri}`))
    const [expected] = (await direct.readResource(uris[0]!)) as [object]
    const [content] = (await through.readResource(`toolpact://everything/${uris[0]}`)) as [object]
    expect(content).toEqual({ ...expected, uri: `toolpact://everything/${uris[0]}` })
  })
})

/** Resources of this server hold the time at which they were made, in the open or in base64. */
function withoutTimes(content: unknown): unknown {
  return JSON.parse(JSON.stringify(content), (key, value) =>
    key === 'blob' || (typeof value === 'string' && /\d{1,2}:\d{2}:\d{2}/.test(value)) ? 'varies' : value,
  )
}
