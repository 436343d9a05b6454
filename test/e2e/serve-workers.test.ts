import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findChildren } from '../helpers/find-processes.ts'
import { makeCertificate } from '../helpers/make-certificate.ts'
import { until, useServeFolders } from '../helpers/open-serve.ts'

const openFolder = useServeFolders()

const runs = (command: string) => ({ body: JSON.stringify({ command, timeout_seconds: 60 }) })
const hello = { body: '{"name":"Ada"}' }

test.concurrent('workers share a port, print once that they are ready, and their records are one ledger', async () => {
  const { start, run } = openFolder()
  const { pid, send, kill, exited, output } = await start(['--workers', '3', '--toolset', 'learning'])
  expect(findChildren(pid)).toHaveLength(3)
  const answers = await Promise.all(Array.from({ length: 30 }, () => send('/v1/tools/hello', hello)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const [started, ...more] = output.stdout.trim().split('\n')
  expect(JSON.parse(started!)).toMatchObject({ pid, workers: 3 })
  expect(more).toEqual([])
  kill('SIGTERM')
  expect(await exited).toBe(143)
  expect(findChildren(pid)).toEqual([])
  expect(output.stderr.match(/Stopping/g)).toHaveLength(1)
  const { stdout, code } = await run(['ledger', '--verify'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('intact: 60 entries')])
})

test.concurrent('a worker that is killed is replaced, while the others go on and nothing acknowledged is lost', async () => {
  const { start, run, folder } = openFolder()
  const server = await start(['--workers', '2', '--yes', '--toolset', 'workspace'])
  const [first] = findChildren(server.pid)
  const written: string[] = []
  let isOver = false
  const writing = Array.from({ length: 4 }, async (_, writer) => {
    for (let count = 0; !isOver && count < 400; count++) {
      const path = `${writer}-${count}.txt`
      const answer = await server.send('/v1/tools/create_file', { body: JSON.stringify({ path, content: path }) }).catch(() => undefined) // biome-ignore format: one line
      if (answer?.status === 200) written.push(path)
    }
  })
  await until(() => written.length >= 20)
  process.kill(first!, 'SIGKILL')
  await server.untilTold(/Worker [12] ended \(SIGKILL\)\. Another takes its place in 0\.2 s\./)
  const atKill = written.length
  await until(() => written.length >= atKill + 20)
  await until(() => findChildren(server.pid).filter((pid) => pid !== first).length === 2)
  isOver = true
  await Promise.all(writing)
  for (const path of written) expect(readFileSync(join(folder, path), 'utf8')).toBe(path)
  server.kill('SIGTERM')
  await server.exited
  expect((await run(['ledger', '--verify'])).code).toBe(0)
  const { stdout } = await run(['ledger', '--json'])
  const calls = stdout.trim().split('\n').map((line) => JSON.parse(line)) // biome-ignore format: one line
  const succeeded = calls.filter(({ state }) => state === 'succeeded').length
  // A call whose answer did not arrive may have succeeded as well.
  expect(succeeded).toBeGreaterThanOrEqual(written.length)
})

test.concurrent('on SIGTERM calls in flight end at every worker, also if all processes get the signal', async () => {
  const { start, folder } = openFolder()
  const { pid, send, kill, exited } = await start(['--workers', '2', '--yes', '--toolset', 'workspace'])
  const files = ['a', 'b', 'c', 'd']
  const calls = files.map((name) => send('/v1/tools/run_in_terminal', runs(`touch ${name}; sleep 1.5; echo finished`)))
  await until(() => files.every((name) => existsSync(join(folder, name))))
  // As a terminal and systemd do.
  for (const worker of findChildren(pid)) process.kill(worker, 'SIGTERM')
  kill('SIGTERM')
  for (const call of calls) expect((await call).text).toContain('finished')
  expect(await exited).toBe(143)
})

test.concurrent('asked twice, all of them end at once', async () => {
  const { start } = openFolder()
  const { pid, send, kill, exited, untilTold } = await start(['--workers', '2'], { entry: 'odd' })
  const calls = [1, 2].map(() => send('/v1/tools/odd.stay', { body: '{}' }).catch((error: Error) => error))
  await untilTold(/waiting.*waiting/s)
  kill('SIGTERM')
  await untilTold('Stopping')
  kill('SIGTERM')
  expect(await exited).toBe(143)
  for (const call of calls) expect(await call).toBeInstanceOf(Error)
  await until(() => findChildren(pid).length === 0)
})

test.concurrent('if the primary is killed, no worker is left', async () => {
  const { start } = openFolder()
  const { pid, kill, exited, send } = await start(['--workers', '2', '--toolset', 'learning'])
  const workers = findChildren(pid)
  kill('SIGKILL')
  await exited
  await until(() => workers.every((worker) => !isThere(worker)))
  await expect(send('/healthz')).rejects.toThrow('ECONNREFUSED')
})

test.concurrent('a worker that keeps ending is started later and later, and the port stays even if all end', async () => {
  const { start } = openFolder()
  const server = await start(['--workers', '2', '--yes', '--toolset', 'learning'])
  for (const [round, delay] of ['0.2', '0.4'].entries()) {
    await until(() => findChildren(server.pid).length === 2)
    if (round > 0) await until(async () => (await server.send('/healthz').catch(() => undefined))?.status === 200)
    const workers = findChildren(server.pid)
    for (const worker of workers) process.kill(worker, 'SIGKILL')
    for (const number of [1, 2]) await server.untilTold(`Worker ${number} ended (SIGKILL). Another takes its place in ${delay} s.`) // biome-ignore format: one line
  }
  await until(async () => (await server.send('/v1/tools/hello', hello).catch(() => undefined))?.status === 200)
  // Replacements do not repeat what was printed at the start, but print what concerns all.
  server.kill('SIGTERM')
  await server.exited
  expect(server.output.stderr.match(/--yes approves every call/g)).toHaveLength(1)
  expect(server.output.stderr.match(/Stopping/g)).toHaveLength(1)
})

test.concurrent('if workers cannot start, the exit code and the message say so', async () => {
  const { start, run, folder } = openFolder()
  const { port } = await start(['--toolset', 'learning'])
  const taken = await run(['serve', '--workers', '2', '--port', `${port}`], { alone: true })
  expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining(`Port ${port} of 127.0.0.1 is in use.`) })
  expect(taken.stderr.match(/is in use/g)).toHaveLength(1)
  const wrong = await run(['serve', '--workers', 'many'], { alone: true })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Use a number from 1 to 64, or auto for one per processor core.') }) // biome-ignore format: one line
  const stdio = await run(['serve', '--stdio', '--workers', '2'], { alone: true })
  expect(stdio).toMatchObject({ code: 2, stderr: expect.stringContaining('--stdio and --workers exclude each other') })
  writeFileSync(join(folder, 'own.json'), '{"http":{"workers":0}}')
  const config = await run(['serve', '--config', 'own.json'], { alone: true })
  expect(config).toMatchObject({ code: 2, stderr: expect.stringContaining('/http/workers') })
})

test.concurrent('the config says how many there are, and its changes apply to all, with one message', async () => {
  const { start, folder } = openFolder()
  const path = join(folder, 'own.json')
  const write = (config: object) => writeFileSync(path, JSON.stringify({ toolsets: ['learning'], http: { workers: 2 }, ...config })) // biome-ignore format: one line
  write({})
  const { pid, send, untilTold, output } = await start(['--config', path])
  expect(findChildren(pid)).toHaveLength(2)
  write({ callers: { '*': { tools: [] } } })
  await untilTold('Config: Applied: callers.')
  await until(async () => (await Promise.all([1, 2, 3, 4].map(() => send('/v1/tools/hello', hello)))).every(({ status }) => status === 404)) // biome-ignore format: one line
  expect(output.stderr.match(/Applied/g)).toHaveLength(1)
})

test.concurrent('metrics and health are those of all workers, over TLS as well', async () => {
  const { start, folder, findToken } = openFolder()
  const { cert, key } = makeCertificate()
  const config = { toolsets: ['learning'], http: { workers: 2, tls: { cert, key } }, telemetry: { metrics: {} } } // biome-ignore format: one line
  writeFileSync(join(folder, 'own.json'), JSON.stringify(config))
  const { url } = await start(['--config', 'own.json'], { env: { NODE_EXTRA_CA_CERTS: cert } })
  const get = async (path: string, body?: string) => fetchWithCertificate(`${url}${path}`, { cert, token: await findToken(path === '/metrics' ? 'metrics' : 'local'), body }) // biome-ignore format: one line
  for (let count = 0; count < 6; count++) expect((await get('/v1/tools/hello', hello.body)).status).toBe(200)
  expect((await get('/readyz')).status).toBe(200)
  const { text } = await get('/metrics')
  const counted = [...text.matchAll(/^toolpact_calls_total\{worker="(\d)",tool="learning.hello",outcome="success"\} (\d+)$/gm)] // biome-ignore format: one line
  expect(counted.map(([, worker]) => worker)).toEqual(['1', '2'])
  expect(counted.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(6)
  expect(text.match(/^process_resident_memory_bytes\{worker="\d"\}/gm)).toHaveLength(2)
  expect(text.match(/^# TYPE toolpact_calls_total/gm)).toHaveLength(1)
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

interface Fetched {
  readonly cert: string
  readonly token: string
  readonly body: string | undefined
}

async function fetchWithCertificate(url: string, { cert, token, body }: Fetched) {
  const { request } = await import('node:https')
  const headers = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) }
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const sent = request(url, { ca: readFileSync(cert), agent: false, method: body ? 'POST' : 'GET', headers })
  sent.on('error', reject).on('response', async (response) => {
    resolve({ status: response.statusCode!, text: Buffer.concat(await response.toArray()).toString() })
  })
  sent.end(body)
  return promise
}
