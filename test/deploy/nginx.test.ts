import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../helpers/find-free-port.ts'
import { send } from '../helpers/open-http.ts'
import { until, useServeFolders } from '../helpers/open-serve.ts'

const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => {
  try {
    execFileSync(path, ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})
const running: ChildProcess[] = []
afterAll(async () => {
  await Promise.all(
    running.map(async (child) => {
      const ended = once(child, 'close')
      if (child.exitCode === null && child.kill('SIGQUIT')) await ended
    }),
  )
})

describe.skipIf(!nginx)('deploy/nginx.conf in front of two servers (skipped where nginx is absent)', () => {
  const openFolder = useServeFolders()

  test('calls, sessions and streams pass, callers stay on one replica, and another replaces one that is gone', async () => {
    const folder = openFolder()
    const port = await findFreePort()
    const config = join(folder.folder, 'toolpact.json')
    writeFileSync(config, JSON.stringify({ toolsets: ['learning'], http: { hosts: [`127.0.0.1:${port}`] } }))
    const start = () => folder.start(['--config', config])
    const replicas = [await start(), await start()]
    const tokens = ['local', 'ada', 'grace', 'linus', 'barbara', 'edsger', 'alan', 'mary']
    await startNginx(
      port,
      replicas.map((replica) => replica.port),
    )
    const url = `http://127.0.0.1:${port}`

    for (const name of tokens) {
      const token = await folder.findToken(name)
      const client = new Client({ name: 'deploy-test', version: '1.0.0' })
      const headers = { Authorization: `Bearer ${token}` }
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
      onTestFinished(() => client.close())
      for (let calls = 0; calls < 3; calls++)
        expect(await client.callTool({ name: 'hello', arguments: { name } })).toMatchObject({
          structuredContent: { greeting: `Hello, ${name}!` },
        })
    }
    for (const path of ['readyz', 'metrics']) expect((await send(`${url}/${path}`)).status).toBe(404)

    replicas[0]!.kill('SIGKILL')
    await replicas[0]!.exited
    for (const name of tokens) {
      const answer = await send(`${url}/v1/tools/hello`, {
        token: await folder.findToken(name),
        body: JSON.stringify({ name }),
      })
      expect(answer).toMatchObject({ status: 200 })
    }
  })
})

/** The shipped file, with addresses of this test instead of the names of containers. */
async function startNginx(port: number, targets: readonly number[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-nginx-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const shipped = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8')
  const own = shipped
    .replace('events {}', `pid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}`)
    .replace('http {', `http {\n  access_log off;\n${temporaryPaths(folder)}`)
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace(/replica-(\d):7420/g, (_, number) => `127.0.0.1:${targets[Number(number) - 1]}`)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, own)
  const child = spawn(nginx!, ['-c', file, '-p', folder, '-e', join(folder, 'error.log'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  running.push(child)
  await until(() => send(`http://127.0.0.1:${port}/healthz`, { token: null }).then(({ status }) => status === 200, () => false)) // biome-ignore format: one line
}

/** So that it needs no rights on folders of the system. */
function temporaryPaths(folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return kinds.map((kind) => `  ${kind}_temp_path ${folder}/${kind};`).join('\n')
}
