import { initializeHttp, initializeParams, memoryOf, nextId, stop, toHeaders, toMessage } from '../serve/contender.ts'
import { openHttp } from '../serve/http-client.ts'
import { openStates, startHttp } from '../serve/start-toolpact.ts'
import type { Table } from '../table.ts'
import { measureSizes } from './measure-sizes.ts'

/** A server keeps 1,000 sessions; the next one ends the one that was used least recently. */
const sizes = [1, 100, 1000, 10_000]
const revision = '2025-11-25'

/** Sessions over HTTP that clients opened and did not end. */
export async function measureSessions(): Promise<Table> {
  const states = openStates()
  const servers = await Promise.all(
    sizes.map(async (size) => ({ size, ...(await startHttp(states.make(), ['--toolset', 'learning'])) })),
  )
  try {
    const sized = []
    for (const { size, child, address } of servers) {
      const empty = memoryOf(child)
      const filling = await openHttp(address.url, toHeaders(address, 'none'))
      const initialize = toMessage(revision, 'initialize', initializeParams)
      for (let opened = 0; opened < size - 1; opened++) await filling.send(initialize(nextId()))
      filling.close()
      const connection = await openHttp(address.url, toHeaders(address, await initializeHttp(address)))
      const message = toMessage(revision, 'tools/call', { name: 'hello', arguments: { name: 'Ada' } })
      const memory = memoryOf(child)
      sized.push({
        size,
        operations: [
          async () => {
            const session = await initializeHttp(address)
            return () => end(address, session)
          },
          async () => {
            const answer = await connection.send(message(nextId()))
            if (!answer.includes('Hello, Ada!')) throw new Error(`The server answered: ${answer.slice(0, 500)}`)
          },
        ],
        more: () => [`${Math.round(memory - empty)} MB`, `${Math.round(memory)} MB`],
      })
    }
    const operations = [{ name: 'initialize' }, { name: 'call' }]
    return await measureSizes(
      {
        title: 'MCP sessions over HTTP that were opened (aim: flat)',
        unit: 'sessions',
        operations,
        more: ['memory for them', 'memory'],
        rounds: 10,
        notes: ['A server keeps the 1,000 sessions that were used last.'],
      },
      sized,
    )
  } finally {
    for (const { child } of servers) await stop(child)
    states.remove()
  }
}

async function end({ url, token }: { readonly url: string; readonly token?: string }, session: string): Promise<void> {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), 'mcp-session-id': session, 'mcp-protocol-version': revision } // biome-ignore format: one line
  const { status } = await fetch(url, { method: 'DELETE', headers })
  if (status >= 400) throw new Error(`Ending a session was answered with ${status}.`)
}
