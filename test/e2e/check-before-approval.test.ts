import { afterAll, expect, test } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import { codeOf, elicitation, pendingIn } from '../helpers/approval-calls.ts'
import { initialize, openMcpStdio } from '../helpers/open-mcp.ts'
import { openRest } from '../helpers/open-rest.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'
import { openCommandFolder } from '../helpers/run-command.ts'

const { run, close } = openCommandFolder()
afterAll(close)

const outside = { path: '../etc/passwd', content: 'x' }
const notJson = { file: 'decisions.jsonl', entry: 'not json' }

test('over REST a call that must fail has the status of its error, and no person is asked', async () => {
  const { post, toolpact } = await openRest({ toolsets: ['workspace', 'practitioner'], asks: true })
  expect(await post('workspace_create_file', outside)).toMatchObject({
    status: 403,
    body: { code: 'path_outside_working_dir', detail: "Path '../etc/passwd' is outside working directory" },
  })
  expect(await post('practitioner_write_memory_entry', notJson)).toMatchObject({
    status: 400,
    body: { code: 'invalid_entry' },
  })
  expect(await pendingIn(toolpact)).toEqual([])
  expect((await post('workspace_create_file', { ...outside, path: 'a' })).body.code).toBe('approval_required')
})

test('over MCP a call that must fail is answered at once, and the client is not asked', async () => {
  const toolpact = await openToolpact({
    workspace: makeFolder(),
    storage: 'memory',
    toolsets: ['workspace', 'practitioner'],
  })
  const mcp = await openMcpStdio({ toolpact })
  const call = (id: number, name: string, input: object) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name, arguments: input },
  })
  mcp.send(initialize('2025-11-25', elicitation), call(1, 'workspace_create_file', outside))
  await mcp.next()
  expect(codeOf(await mcp.next())).toBe('path_outside_working_dir')
  mcp.send(call(2, 'practitioner_write_memory_entry', notJson))
  expect(codeOf(await mcp.next())).toBe('invalid_entry')
  expect(await pendingIn(toolpact)).toEqual([])
  mcp.send(call(3, 'workspace_create_file', { ...outside, path: 'a' }))
  expect(await mcp.next()).toMatchObject({ method: 'elicitation/create' })
})

test('on the command line a call that must fail does so, and nothing waits in the queue', async () => {
  const call = await run(['call', 'create_file', 'path=../etc/passwd', 'content=x'])
  expect(call).toMatchObject({ code: 1, stdout: '' })
  expect(call.stderr).toContain("Path '../etc/passwd' is outside working directory")
  const shown = await run(['ledger', 'show', await lastCall()])
  expect(shown.stdout).toMatch(/✓ +decide .*\n +✗ +check +not so: the call passes the tool's own checks\n +· +approve/)
  const entry = await run(['call', 'practitioner.write_memory_entry', '--json', '--input', JSON.stringify(notJson)])
  expect(JSON.parse(entry.stdout)).toMatchObject({ success: false, error: { code: 'invalid_entry', status: 400 } })
})

async function lastCall(): Promise<string> {
  const { stdout } = await run(['ledger', '--json'])
  return JSON.parse(stdout.trim().split('\n').at(-1)!).callId
}
