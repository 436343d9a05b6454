import { expect } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import { modernMeta, type openMcpStdio } from './open-mcp.ts'

export const tasksKey = 'io.modelcontextprotocol/tasks'

/** The capabilities of a client that supports tasks. */
export const withTasks = (more: JsonObject = {}): JsonObject => ({ extensions: { [tasksKey]: {} }, ...more })

/** Sends requests one by one over stdio. Notifications that arrive meanwhile are collected. */
export function toRequester({ send, next }: Awaited<ReturnType<typeof openMcpStdio>>) {
  let id = 100
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
  const seen: any[] = []
  async function request(method: string, params: JsonObject) {
    id++
    send({ jsonrpc: '2.0', id, method, params })
    for (;;) {
      const message = await next()
      if (message.id === id) return message
      seen.push(message)
    }
  }
  const modern = (method: string, params: JsonObject = {}, capabilities: JsonObject = withTasks()) =>
    request(method, { _meta: modernMeta(capabilities), ...params })
  return { request, modern, seen }
}

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
type Get = (taskId: string) => Promise<any>

/** Polls until the task has this status. */
export async function untilStatus(get: Get, taskId: string, status: string) {
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
  let last: any
  await expect
    .poll(
      async () => {
        last = (await get(taskId)).result
        return last?.status
      },
      { timeout: 60_000, interval: 50 },
    )
    .toBe(status)
  return last
}
