import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until, useServeFolders } from '../helpers/open-serve.ts'

const openFolder = useServeFolders()

test('temporary files of killed processes are swept at start, and no tool shows or opens one', async () => {
  const { folder, start } = openFolder()
  mkdirSync(join(folder, 'deep/er'), { recursive: true })
  const makeTemporary = (directory: string, ageMs: number) => {
    const path = join(directory, `.toolpact-${randomUUID()}.tmp`)
    writeFileSync(join(folder, path), 'half of a needle')
    const at = (Date.now() - ageMs) / 1000
    utimesSync(join(folder, path), at, at)
    return path
  }
  const left = [makeTemporary('.', 3_600_000), makeTemporary('deep/er', 3_600_000)]
  const inUse = makeTemporary('.', 0)
  writeFileSync(join(folder, 'seen.txt'), 'a needle')
  const { send } = await start(['--no-token'])
  await until(() => left.every((path) => !existsSync(join(folder, path))))
  expect(existsSync(join(folder, inUse))).toBe(true)
  const call = async (tool: string, input: object) =>
    send(`/v1/tools/workspace.${tool}`, { body: JSON.stringify(input), token: null })
  for (const [tool, input] of [
    ['list_dir', { path: '.' }],
    ['file_search', { pattern: '**', include_ignored: true }],
    ['grep_search', { pattern: 'needle', include_ignored: true }],
  ] as const) {
    const { status, text } = await call(tool, input)
    expect(status, text).toBe(200)
    expect(text).toContain('seen.txt')
    expect(text).not.toContain('.tmp')
  }
  expect((await call('read_file', { path: inUse })).text).not.toContain('half of a needle')
})

test.skipIf(process.platform === 'win32')(
  'a hangup, as of a terminal that is closed, ends a server in order',
  async () => {
    const { start, run } = openFolder()
    const { kill, exited, send } = await start(['--no-token', '--toolset', 'learning'])
    expect((await send('/v1/tools/learning.hello', { body: '{"name":"Ada"}', token: null })).status).toBe(200)
    kill('SIGHUP')
    expect(await exited).toBe(129)
    expect((await run(['ledger', '--verify'])).stdout).toContain('intact: 2 entries')
  },
)
