import { expect, onTestFinished, test } from 'vitest'
import { initialize, openMcpHttp, openMcpStdio, readJson } from '../../../test/helpers/open-mcp.ts'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { openToolpact } from '../../app/app.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import type { Tool } from '../../contract/tool.ts'
import { maxPageBytes } from './list-tools.ts'

async function openTools(tools: readonly Tool[]) {
  // Linting thousands of contracts takes long.
  const toolpact = await openToolpact({
    toolsets: [defineToolset('many', tools, { strict: false })],
    storage: 'memory',
  })
  onTestFinished(() => toolpact.close())
  const mcp = await openMcpStdio({ toolpact })
  mcp.send(initialize())
  await mcp.next()
  return {
    async list(cursor?: unknown) {
      mcp.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: cursor === undefined ? {} : { cursor } })
      return mcp.next()
    },
  }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `tool_${index}`)

const listed = (reply: { result: { tools: { name: string }[] } }) => reply.result.tools.map(({ name }) => name)

test('thousands of tools fit into the first page: half of the clients read no other', async () => {
  const { list } = await openTools(names(3000).map((name) => defineEcho({ name })))
  const first = await list()
  expect(listed(first)).toEqual(names(3000))
  expect(first.result).not.toHaveProperty('nextCursor')
})

test('a list that is larger than a page is given page by page, each tool once and in order', async () => {
  const description = 'Echoes a text. '.repeat(2000)
  const { list } = await openTools(names(400).map((name) => defineEcho({ name, description })))
  for (const round of ['made', 'kept']) {
    const seen: string[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const reply = await list(cursor)
      expect(Buffer.byteLength(JSON.stringify(reply.result.tools)), round).toBeLessThanOrEqual(maxPageBytes)
      seen.push(...listed(reply))
      cursor = reply.result.nextCursor
      pages++
    } while (cursor !== undefined)
    expect(seen, round).toEqual(names(400))
    expect(pages, round).toBeGreaterThan(1)
  }
})

test('a cursor may name any tool: the list continues after it', async () => {
  const { list } = await openTools(names(5).map((name) => defineEcho({ name })))
  expect(listed(await list(Buffer.from('tool_2').toString('base64url')))).toEqual(['tool_3', 'tool_4'])
})

test('the same list is given each time, and one page needs no cursor', async () => {
  const { list } = await openTools(names(3).map((name) => defineEcho({ name })))
  const first = await list()
  expect(first.result.tools.map(({ name }: { name: string }) => name)).toEqual(names(3))
  expect(first.result).not.toHaveProperty('nextCursor')
  expect(await list()).toEqual(first)
})

test('a cursor that is not one of the list is refused', async () => {
  const { list } = await openTools(names(300).map((name) => defineEcho({ name })))
  for (const cursor of ['', 'nonsense', Buffer.from('tool_x').toString('base64url'), 5, null])
    expect((await list(cursor)).error, String(cursor)).toMatchObject({ code: -32602 })
})

test('planned tools are not offered', async () => {
  const { list } = await openTools([defineEcho(), defineEcho({ name: 'later', status: 'planned' })])
  expect((await list()).result.tools).toMatchObject([{ name: 'echo', annotations: { readOnlyHint: true } }])
})

test('over HTTP a page that is kept has its length in bytes, is the same each time, and has the id of its request', async () => {
  const description = 'Says “é” 😀.'
  const toolpact = await openToolpact({
    toolsets: [
      defineToolset(
        'many',
        names(50).map((name) => defineEcho({ name, description })),
        { strict: false },
      ),
    ],
    storage: 'memory',
  })
  onTestFinished(() => toolpact.close())
  const { modern } = await openMcpHttp({ served: toolpact })
  const bodies: string[] = []
  for (const _ of ['made', 'kept']) {
    const response = await modern('tools/list', {})
    const text = await response.clone().text()
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    const { id, result } = await readJson(response)
    expect(id).toBe(1)
    expect(result).toMatchObject({ resultType: 'complete', cacheScope: 'private' })
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(names(50))
    expect(result.tools[49].description).toBe(description)
    bodies.push(text)
  }
  expect(bodies[1]).toBe(bodies[0])
})
