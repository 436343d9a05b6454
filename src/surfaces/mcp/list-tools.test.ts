import { expect, onTestFinished, test } from 'vitest'
import { initialize, openMcpStdio } from '../../../test/open-mcp.ts'
import { defineEcho } from '../../../test/open-test-pipeline.ts'
import { openToolpact } from '../../app.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import type { Tool } from '../../contract/tool.ts'

async function openTools(tools: readonly Tool[]) {
  const toolpact = await openToolpact({ toolsets: [defineToolset('many', tools)], storage: 'memory' })
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

test('ten thousand tools are listed page by page, each once and in order', async () => {
  const { list } = await openTools(names(10_000).map((name) => defineEcho({ name })))
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { result } = await list(cursor)
    expect(result.tools.length).toBeLessThanOrEqual(200)
    seen.push(...result.tools.map(({ name }: { name: string }) => name))
    cursor = result.nextCursor
  } while (cursor !== undefined)
  expect(seen).toEqual(names(10_000))
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
