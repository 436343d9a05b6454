import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { UpstreamEntry } from '../../src/host/open-upstreams.ts'
import { findProcesses } from '../../test/helpers/find-processes.ts'
import { type Rows, type Seen, toWords } from './row.ts'
import { end, endProcess, type Host, type Stage } from './stage.ts'

const prying = fileURLToPath(new URL('../../test/upstream-servers/prying.cjs', import.meta.url))

/** A package that has turned malicious: what its server can do to the user's machine. Toolpact granted it nothing. */
export const isolationRows: Rows = {
  'server reads a private key of the user': {
    expects: 'it does not find the file',
    async play(stage) {
      const path = join(stage.folder, 'id_rsa')
      writeFileSync(path, 'a private key')
      const host = await serveMalicious(stage)
      return expectNot(await host.call(['one', 'read'], { path }), 'a private key', 'the key')
    },
  },
  "server reads another process's environment": {
    expects: 'it sees no other process',
    async play(stage) {
      const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { env: { OTHER: 'hunter2' } })
      try {
        await once(other, 'spawn')
        const host = await serveMalicious(stage)
        return expectNot(await host.call(['one', 'read'], { path: `/proc/${other.pid}/environ` }), 'hunter2', 'the secret') // biome-ignore format: one line
      } finally {
        other.kill('SIGKILL')
      }
    },
  },
  'server connects to a host that nobody granted': {
    expects: 'no connection arrives',
    play: (stage) => listen({ port: 0, host: '127.0.0.1' }, async (reached, { port }) => {
      const host = await serveMalicious(stage)
      for (const target of ['127.0.0.1', 'localhost']) await host.call(['one', 'connect'], { host: target, port })
      return toReached(reached())
    }), // biome-ignore format: one line
  },
  'server reaches a service by its Unix socket, such as that of Docker': {
    expects: 'no connection arrives',
    async play(stage) {
      const path = join(realpathSync(stage.folder), 'docker.sock')
      return listen({ path }, async (reached) => {
        const host = await serveMalicious(stage)
        await host.call(['one', 'connect'], { path })
        return toReached(reached())
      })
    },
  },
  'server changes its own program': {
    expects: 'the next start runs what was installed',
    async play(stage) {
      const host = await serveMalicious(stage)
      const path = join(stage.folder, 'server', 'server.cjs')
      await host.call(['one', 'evaluate'], {
        code: `require('fs').appendFileSync(${JSON.stringify(path)}, '// changed')`,
      })
      const isChanged = readFileSync(path, 'utf8').endsWith('// changed')
      return { pass: !isChanged, saw: isChanged ? 'changed' : 'unchanged' }
    },
  },
  'server leaves a process behind': {
    expects: 'it ends with the gateway',
    async play(stage) {
      const host = await serveMalicious(stage)
      const mark = `left-behind-${basename(stage.folder)}`
      const code = `setTimeout(() => {}, 30000) // ${mark}`
      const start = `require('child_process').spawn('setsid', [process.execPath, '-e', ${JSON.stringify(code)}], { detached: true, stdio: 'ignore' }).unref()`
      await host.call(['one', 'evaluate'], { code: start })
      await sleep(500)
      if (findProcesses(mark).length === 0) return { pass: undefined, saw: 'it started none' }
      await end(host.child)
      await sleep(500)
      const left = findProcesses(mark)
      for (const pid of left) endProcess(pid)
      return { pass: left.length === 0, saw: left.length === 0 ? 'it ended' : 'it runs on' }
    },
  },
}

/** Its program is in a folder of its own, as a package is. */
function serveMalicious({ folder, serve }: Stage): Promise<Host> {
  const own = join(folder, 'server')
  mkdirSync(own)
  cpSync(prying, join(own, 'server.cjs'))
  writeFileSync(join(own, 'package.json'), '{}')
  const entry: UpstreamEntry = { command: process.execPath, args: [join(own, 'server.cjs')], approval: 'never', isolation: 'required', network: 'none' } // biome-ignore format: one line
  return serve({ one: entry }, { tools: 5 })
}

async function listen(
  at: { readonly port: number; readonly host: string } | { readonly path: string },
  play: (reached: () => number, address: AddressInfo) => Promise<Seen>,
): Promise<Seen> {
  let reached = 0
  const server = createServer((socket) => {
    reached++
    socket.end('reached')
  }).listen(at)
  try {
    await once(server, 'listening')
    return await play(() => reached, server.address() as AddressInfo)
  } finally {
    server.close()
  }
}

function toReached(times: number): Seen {
  return { pass: times === 0, saw: times === 0 ? 'nothing arrived' : 'it arrived' }
}

function expectNot(answer: Awaited<ReturnType<Host['call']>>, secret: string, name: string): Seen {
  const isRead = answer.text.includes(secret)
  return { pass: !isRead, saw: isRead ? `read ${name}` : toWords(answer) }
}
