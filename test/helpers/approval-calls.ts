import { expect } from 'vitest'
import type { Toolpact } from '../../src/app/app.ts'
import { modernMeta } from './open-mcp.ts'

export const elicitation = { elicitation: {} }
export const accept = { action: 'accept', content: { decision: 'approve' } }
export const acceptTool = { action: 'accept', content: { decision: 'approve_tool' } }
export const refusals = [
  { action: 'decline' },
  { action: 'cancel' },
  { action: 'accept', content: { decision: 'deny' } },
]

/** A 2026-07-28 call of a tool that needs approval. */
export const note = (id: number, params: object = {}, capabilities: object = elicitation) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'note', arguments: { text: 'hi' }, _meta: modernMeta(capabilities as never), ...params },
})

/** The same for older clients. */
export const legacyNote = (id: number, params: object = {}) => ({
  ...note(id),
  params: { name: 'note', arguments: { text: 'hi' }, ...params },
})

export async function pendingIn({ approvals }: Toolpact) {
  return (await approvals.questions(Date.now())).filter(({ state }) => state === 'pending')
}

export async function waitForQuestion(toolpact: Toolpact) {
  await expect.poll(() => pendingIn(toolpact), { timeout: 60_000 }).toHaveLength(1)
  return (await pendingIn(toolpact))[0]!
}

export async function approveInQueue(toolpact: Toolpact, forTool = false) {
  const { id } = await waitForQuestion(toolpact)
  return toolpact.approvals.answer(id, { answer: 'yes', by: 'grace', forTool }, Date.now())
}

export const lastOf = async ({ ledger }: Toolpact) => (await ledger.read({ last: 1 }))[0]!.record

/** The approval record of the last call that ran. */
export const intentOf = async ({ ledger }: Toolpact) => (await ledger.read({ last: 2 }))[0]!.record

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
export const codeOf = ({ result }: any): string | undefined => result._meta?.['toolpact/error']?.code
