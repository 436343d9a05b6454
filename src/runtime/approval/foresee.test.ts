import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defineEcho, makeFolder, openTestPipeline } from '../../../test/helpers/open-test-pipeline.ts'
import type { CallFiles } from '../../contract/approved-files.ts'
import type { Tool } from '../../contract/tool.ts'
import { ToolError } from '../../contract/tool-error.ts'
import type { ApprovalRequest } from './approver.ts'
import { type Foreseen, foresee } from './foresee.ts'

const contract = { risk: 'safe_write', effects: { writes: ['text'] } } as const

test('a person who is asked sees what would change, and where', async () => {
  const preview: Tool['preview'] = (input, capabilities) => ({
    changes: [
      { path: 'a.txt', before: 'old\n', after: `${input.text} ${Object.keys(capabilities as object)}\n` },
      { path: 'b.txt', after: 'b\n' },
      { path: 'c.txt', before: 'c\n' },
    ],
    sandbox: 'none',
  })
  const { changes, sandbox } = await foreseen({ ...defineEcho(contract), needs: ['files'], preview })
  expect(changes).toEqual([
    {
      path: 'a.txt',
      kind: 'edit',
      lines: [
        { kind: 'removed', text: 'old' },
        { kind: 'added', text: 'a.txt files' },
      ],
      added: 1,
      removed: 1,
    },
    { path: 'b.txt', kind: 'new', lines: [{ kind: 'added', text: 'b' }], added: 1, removed: 0 },
    { path: 'c.txt', kind: 'removal', lines: [{ kind: 'removed', text: 'c' }], added: 0, removed: 1 },
  ])
  expect(sandbox).toBe('none')
})

test('a look ahead that fails says why, or that it failed', async () => {
  const failing = (error: Error): Tool => ({
    ...defineEcho(contract),
    preview: () => {
      throw error
    },
  })
  expect(await foreseen(failing(new ToolError('file_not_found', 'There is no a.txt.')))).toMatchObject({
    changes: [],
    problem: 'it would fail: There is no a.txt.',
  })
  expect(await foreseen(failing(new Error('at line 5')))).toMatchObject({ problem: 'the tool cannot tell' })
})

test('a look ahead cannot change the call', async () => {
  const tool = defineEcho(contract)
  const preview: Tool['preview'] = (input) => {
    input.text = 'changed'
    return {}
  }
  const { call, asked, runs } = openTestPipeline([{ ...tool, preview }], {
    approver: async (request) => {
      await request.foresee()
      return { answer: 'yes', by: 'a test' }
    },
  })
  await call('test.echo', { text: 'a.txt' })
  expect(asked[0]!.input.text).toBe('a.txt')
  expect(runs).toMatchObject([{ text: 'a.txt' }])
})

test('nothing is looked up for an approver that shows the call to no one', async () => {
  let looked = false
  const preview: Tool['preview'] = () => {
    looked = true
    return {}
  }
  const { call } = openTestPipeline([{ ...defineEcho(contract), preview }], {
    approver: Object.assign(async () => ({ answer: 'yes', by: 'a test' }) as const, { isBlind: true }),
  })
  await call('test.echo', { text: 'a.txt' })
  expect(looked).toBe(false)
})

test('what a preview reads counts by path, whatever the order of its reads', async () => {
  const contents = new Map([
    ['a.txt', 'one'],
    ['b.txt', 'two'],
  ])
  const digestOf = async (paths: readonly string[]) => {
    const preview: Tool['preview'] = (_input, capabilities) => {
      for (const path of paths) (capabilities as CallFiles).onRead?.(path, contents.get(path)!)
      return {}
    }
    const tool = { ...defineEcho(contract), preview }
    const options = { paths: [], workspace: undefined, capabilities: (files: CallFiles) => files }
    return (await foresee(tool, { text: 'a' }, options)).digest
  }
  const inOrder = await digestOf(['a.txt', 'b.txt'])
  expect(await digestOf(['b.txt', 'a.txt'])).toBe(inOrder)
  expect(await digestOf(['a.txt'])).not.toBe(inOrder)
  contents.set('a.txt', 'changed')
  expect(await digestOf(['a.txt', 'b.txt'])).not.toBe(inOrder)
})

test('paths are told with links resolved, and those that lead out as such', async () => {
  const folder = makeFolder()
  mkdirSync(join(folder, 'real'))
  writeFileSync(join(folder, 'real', 'a.txt'), '')
  symlinkSync(join(folder, 'real'), join(folder, 'link'), 'junction')
  const tool = defineEcho(contract)
  const place = async (text: string) => (await foreseen(tool, text, folder)).places[0]!
  expect(await place('link/a.txt')).toMatchObject({ path: 'link/a.txt', exists: true })
  expect((await place('link/a.txt')).real).toContain(join('real', 'a.txt'))
  expect(await place('link/new.txt')).toMatchObject({ exists: false, real: expect.stringContaining('real') })
  expect(await place('../a.txt')).toEqual({ path: '../a.txt', problem: expect.stringContaining('outside') })
  expect((await foreseen(tool)).places).toEqual([{ path: 'a.txt' }])
})

async function foreseen(tool: Tool, text = 'a.txt', workspace?: string): Promise<Foreseen> {
  const requests: ApprovalRequest[] = []
  const { call } = openTestPipeline([tool], {
    approver: async (request) => {
      requests.push(request)
      return { answer: 'no', by: 'a test' }
    },
    capabilities: () => ({ files: true }),
    ...(workspace !== undefined && { workspace }),
  })
  await call('test.echo', { text })
  return requests[0]!.foresee()
}
