import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { twoToolsets, until, useServeFolders } from '../helpers/open-serve.ts'

const openFolder = useServeFolders()

const ways: readonly (readonly [string, (state: string) => () => void])[] = [
  ['the database is moved', (state) => move(join(state, 'toolpact.db'))],
  ['the write-ahead log is moved', (state) => move(join(state, 'toolpact.db-wal'))],
  ['the state directory is moved', move],
  [
    'another state directory is put in its place',
    (state) => {
      const back = move(state)
      mkdirSync(state, { mode: 0o700 })
      return () => {
        rmSync(state, { recursive: true })
        back()
      }
    },
  ],
]

test.each(ways)(
  'while %s, a server acknowledges neither writes nor reads, says what to do, and goes on once it is back',
  async (_, take) => {
    const { folder, start } = openFolder()
    const state = join(folder, 'state')
    const server = await start(['--yes', '--no-token', ...twoToolsets])
    const write = (path: string) =>
      server.send('/v1/tools/workspace.create_file', { body: JSON.stringify({ path, content: 'x' }), token: null })
    const read = () => server.send('/v1/tools/learning.hello', { body: '{"name":"Ada"}', token: null })
    expect((await write('a.txt')).status).toBe(200)
    const putBack = take(state)
    for (const answer of [await write('b.txt'), await read(), await write('c.txt'), await read()])
      expect(answer).toMatchObject({ status: 503, json: { code: 'ledger_unavailable' } })
    expect(existsSync(join(folder, 'b.txt'))).toBe(false)
    await server.untilTold(/Storage: Calls are refused because they cannot be recorded\..* (Put it back|put it back)/)
    putBack()
    expect((await write('d.txt')).status).toBe(200)
    expect((await read()).status).toBe(200)
    await server.untilTold('Storage: The storage works again')
    expect(server.output.stderr.match(/Calls are refused/g)).toHaveLength(1)
    server.kill('SIGTERM')
    await server.exited
    expect(readdirSync(state).filter((name) => name.startsWith('reads-'))).toEqual([])
  },
)

test.each(ways.slice(2))('while %s, a caller with a token gets 503, and is let in once it is back', async (_, take) => {
  const { folder, start, findToken } = openFolder()
  const server = await start(['--yes', ...twoToolsets])
  const token = await findToken()
  const read = () => server.send('/v1/tools/learning.hello', { body: '{"name":"Ada"}', token })
  expect((await read()).status).toBe(200)
  const putBack = take(join(folder, 'state'))
  await until(async () => {
    const { status, json } = await read()
    expect([200, 503]).toContain(status)
    return json.code === 'tokens_unavailable'
  })
  await server.untilTold(/tokens file .* was moved or deleted\. Put it back/)
  putBack()
  await until(async () => (await read()).status === 200)
})

function move(path: string): () => void {
  renameSync(path, `${path}.elsewhere`)
  return () => renameSync(`${path}.elsewhere`, path)
}
