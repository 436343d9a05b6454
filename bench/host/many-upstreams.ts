import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { quantile, toTime } from '../print-table.ts'
import { memoryOf, stop, toHeaders, toMessage, toRequestHeaders } from '../serve/contender.ts'
import { type HttpConnection, openHttp } from '../serve/http-client.ts'
import { startHttp } from '../serve/start-toolpact.ts'
import type { Table } from '../table.ts'

const peer = fileURLToPath(new URL('../serve/peer-server.ts', import.meta.url))
const tools = 100
const revision = '2026-07-28'

/** Compares one upstream with a hundred, each a process with a hundred tools: start, list and call. */
export async function measureManyUpstreams(folder: string): Promise<Table> {
  const found: Awaited<ReturnType<typeof measureUpstreams>>[] = []
  for (const count of [1, 100]) found.push(await measureUpstreams(folder, count))
  const rows = found.map(({ count, serving, listed, list, page, call, memory }) => [
    `${count} × ${tools}`,
    toTime(serving),
    toTime(listed),
    toTime(list),
    toTime(page),
    toTime(call),
    `${(call / found[0]!.call).toFixed(2)}×`,
    `${Math.round(memory)} MB`,
  ])
  const heading = ['servers × tools', 'serving after', 'all listed after', 'whole list', 'a page', 'call', 'ratio', 'memory'] // biome-ignore format: one line
  const title = 'Many servers behind toolpact, as they are all started at once'
  return { title, heading, rows, notes: ['Started once each, one after the other: how much that varies is not known.'] }
}

async function measureUpstreams(folder: string, count: number) {
  const names = Array.from({ length: count }, (_, index) => `server-${index}`)
  const entry = { command: process.execPath, args: [peer, 'bare', 'stdio'], env: { COUNT: String(tools) }, approval: 'reads', startupMs: 120_000 } // biome-ignore format: one line
  const config = join(folder, `toolpact-${count}.json`)
  const mcpServers = Object.fromEntries(names.map((name) => [name, entry]))
  writeFileSync(config, JSON.stringify({ mcpServers, toolsets: names }))
  const begin = performance.now()
  const { child, address } = await startHttp({ TOOLPACT_STATE_DIR: mkdtempSync(join(folder, 'state-')) }, ['--config', config]) // biome-ignore format: one line
  const serving = performance.now() - begin
  const connection = await openHttp(address.url, toHeaders(address, ''))
  try {
    while ((await listAll(connection)).tools < count * tools) {
      if (performance.now() - begin > 120_000) throw new Error('Not every server was ready in two minutes.')
      await sleep(50)
    }
    const listed = performance.now() - begin
    const lists = await repeat(5, () => listAll(connection))
    const { pages } = await listAll(connection)
    const names = Array.from({ length: 200 }, (_, index) => `${count === 1 ? '' : `server-${(index * 7) % count}.`}hello_${index % tools}`) // biome-ignore format: one line
    for (const name of names) await call(connection, name)
    const calls = await repeat(names.length, (index) => call(connection, names[index]!))
    const list = quantile(lists, 0.5)
    return { count, serving, listed, list, page: list / pages, call: quantile(calls, 0.5), memory: memoryOf(child) }
  } finally {
    connection.close()
    await stop(child)
  }
}

async function repeat(times: number, job: (index: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let index = 0; index < times; index++) {
    const start = performance.now()
    await job(index)
    taken.push(performance.now() - start)
  }
  return taken
}

async function listAll(connection: HttpConnection): Promise<{ tools: number; pages: number }> {
  const found = { tools: 0, pages: 0 }
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const message = toMessage(revision, 'tools/list', cursor ? { cursor } : {})(1)
    const answer = await connection.send(message, toRequestHeaders(revision, 'tools/list'))
    found.tools += answer.split('"inputSchema"').length - 1
    found.pages++
    cursor = /"nextCursor":"([^"]+)"/.exec(answer)?.[1]
  }
  return found
}

async function call(connection: HttpConnection, name: string) {
  const message = toMessage(revision, 'tools/call', { name, arguments: { name: 'Ada' } })(1)
  const answer = await connection.send(message, toRequestHeaders(revision, 'tools/call', name))
  if (!answer.includes('Hello, Ada!')) throw new Error(`The server answered: ${answer.slice(0, 500)}`)
}
