import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeFolder } from '../../../../test/helpers/open-test-pipeline.ts'
import { openProcess, type ProcessOptions } from '../../process.ts'
import { readReport } from './report.ts'

/** A home directory with a workspace in it. */
let home: string
let cwd: string

beforeEach(() => {
  home = realpathSync(makeFolder())
  cwd = join(home, 'work')
  mkdirSync(cwd)
})

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

function open(options: Partial<ProcessOptions> = {}, path = systemPath) {
  const environment = { PATH: path, HOME: home, SHELL: '/bin/sh' }
  return openProcess({ cwd, environment, sandbox: 'required', graceMs: 300, ...options })
}

async function run(command: string, options?: Partial<ProcessOptions>) {
  return open(options).run(command, { timeoutMs: 60_000 })
}

/** The interpreter that calls the kernel directly: not a shim. */
const python = '/usr/bin/python3'
const works =
  (await openProcess({ cwd: tmpdir(), environment: { PATH: systemPath }, sandbox: 'auto' }).sandbox()).name ===
  'bubblewrap'
const calls = existsSync(python) && process.arch === 'x64'

describe.skipIf(!works)('Unix sockets (skipped where bubblewrap does not work)', () => {
  async function listen(path: string) {
    const server = createServer((socket) => socket.end('reached the service')).listen(path)
    await once(server, 'listening')
    return server
  }

  const connect = (path: string) => `'${process.execPath}' -e "
    require('node:net').connect('${path}').on('data', (text) => console.log(String(text))).on('error', (error) => console.log(error.code))
  "`

  test('of a service in the home directory, in the workspace and in a folder that may be read cannot be reached', async () => {
    mkdirSync(join(home, '.docker/run'), { recursive: true })
    const places = [join(home, '.docker/run/docker.sock'), join(cwd, 'own.sock'), join(home, 'shown.sock')]
    const servers = await Promise.all(places.map(listen))
    const readable = [join(home, 'shown.sock'), process.execPath]
    try {
      for (const path of places) {
        // Without a sandbox it responds.
        expect((await run(connect(path), { sandbox: 'off' })).stdout.text).toBe('reached the service\n')
        const { stdout } = await run(connect(path), { readable })
        expect(stdout.text).toBe('EPERM\n')
      }
      expect((await run(connect(places[1]!), { readable, unixSockets: true })).stdout.text).toBe(
        'reached the service\n',
      )
      expect((await run(connect(places[0]!), { readable, unixSockets: true })).stdout.text).toBe('ENOENT\n')
    } finally {
      for (const server of servers) server.close()
    }
  })

  test.skipIf(!calls)(
    'a pair that could be connected to a service is refused, one that serves as a pipe is not',
    async () => {
      const { stdout } = await run(`${python} -c '
import socket
a, b = socket.socketpair()
a.send(b"pair"); print(b.recv(9).decode())
for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW):
    try: socket.socketpair(socket.AF_UNIX, kind); print("made")
    except PermissionError: print("refused")
'`)
      expect(stdout.text).toBe('pair\nrefused\nrefused\n')
    },
  )

  test('a command that fails without one gets the setting that allows them', async () => {
    const { hints } = await run('echo "Error: listen EPERM: operation not permitted /tmp/x.sock" >&2; exit 1')
    expect(hints.join()).toContain('"policy": { "sandboxUnixSockets": true }')
  })
})

describe.skipIf(!works || !calls)('system calls (skipped where bubblewrap or Python is missing)', () => {
  const attempt = (lines: string) => `${python} -c '
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *words):
    ctypes.set_errno(0)
    result = libc.syscall(*[ctypes.c_long(word) for word in words])
    print(name, "ok" if result >= 0 else os.strerror(ctypes.get_errno()))
${lines}
'`

  test('that lead out of the sandbox or into the kernel are refused without ending the program', async () => {
    const { stdout, ended } = await run(
      attempt(`
call("ptrace", 101, 0, 0, 0, 0)
call("process_vm_readv", 310, os.getpid(), 0, 0, 0, 0, 0)
call("keyctl", 250, 0, -3, 0)
call("add_key", 248, 0, 0, 0, 0, -3)
call("request_key", 249, 0, 0, 0, 0)
call("bpf", 321, 0, 0, 0)
call("perf_event_open", 298, 0, 0, -1, -1, 0)
call("userfaultfd", 323, 0)
call("mount", 165, 0, 0, 0, 0, 0)
call("fsopen", 430, 0, 0)
call("unshare user", 272, 0x10000000)
call("clone user", 56, 0x10000011, 0, 0, 0, 0)
call("setns", 308, 0, 0)
call("kexec_load", 246, 0, 0, 0, 0)
call("ioctl TIOCSTI", 16, 0, 0x5412, 0)
call("socket vsock", 41, 40, 1, 0)
call("io_uring_setup", 425, 1, 0)
call("clone3", 435, 0, 0)
call("x32 getpid", 0x40000000 + 39)
call("getpid", 39)`),
    )
    const lines = stdout.text.trim().split('\n')
    const denied = lines.filter((line) => line.endsWith('Operation not permitted')).map((line) => line.slice(0, -24))
    expect(denied).toEqual([
      ...['ptrace', 'process_vm_readv', 'keyctl', 'add_key', 'request_key', 'bpf', 'perf_event_open', 'userfaultfd'],
      ...['mount', 'fsopen', 'unshare user', 'clone user', 'setns', 'kexec_load', 'ioctl TIOCSTI', 'socket vsock'],
    ])
    expect(lines.slice(denied.length)).toEqual([
      'io_uring_setup Function not implemented',
      'clone3 Function not implemented',
      'x32 getpid Function not implemented',
      'getpid ok',
    ])
    expect(ended).toBe('exit')
  })
})

describe.skipIf(!works)('files (skipped where bubblewrap does not work)', () => {
  test('of the home directory are not there, except toolchains on the PATH and what the operator names', async () => {
    const files = {
      '.ssh/id_ed25519': 'private',
      'other/secret.txt': 'private',
      'notes/a.txt': 'named',
      '.gitconfig': '[user]\n\tname = Ada\n',
      '.git-credentials': 'private',
      '.cargo/credentials.toml': 'private',
      'sdk/lib/words.txt': 'from the toolchain',
      'scripts/shout': '#!/bin/sh\nprintf "from a link, "\n',
      'scripts/beside': 'private',
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(home, path, '..'), { recursive: true })
      writeFileSync(join(home, path), text)
    }
    mkdirSync(join(home, 'sdk/bin'))
    mkdirSync(join(home, '.local/bin'), { recursive: true })
    writeFileSync(join(home, 'sdk/bin/say'), '#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/../lib/words.txt"\n')
    for (const path of ['sdk/bin/say', 'scripts/shout']) chmodSync(join(home, path), 0o755)
    symlinkSync('../../scripts/shout', join(home, '.local/bin/shout'))
    symlinkSync('../../sdk/bin/say', join(home, '.local/bin/speak'))
    const shown = open({ readable: ['~/notes', '/no/such'] }, `${home}/.local/bin:${systemPath}`)
    const { stdout } = await shown.run(`shout; speak; echo; cat ../notes/a.txt; echo; git config user.name
      cat ~/.ssh/id_ed25519 ~/other/secret.txt ~/.git-credentials ~/.cargo/credentials.toml; grep -rs private ~`)
    expect(stdout.text).toBe('from a link, from the toolchain\nnamed\nAda\n')
    expect((await shown.run('cat ~/other/secret.txt')).hints.join()).toContain('"policy": { "sandboxRead"')
  })

  test('of a toolchain that is removed meanwhile are left out', async () => {
    mkdirSync(join(home, 'sdk/bin'), { recursive: true })
    const shown = open({}, `${home}/sdk/bin:${systemPath}`)
    expect((await shown.run('ls ~')).stdout.text).toContain('sdk')
    rmSync(join(home, 'sdk'), { recursive: true })
    expect(await shown.run('echo ok')).toMatchObject({ exitCode: 0, stdout: { text: 'ok\n' } })
  })

  test('that the network needs are there with it: certificates and where names are looked up', async () => {
    const bundle = join(home, 'company.pem')
    writeFileSync(bundle, 'a certificate')
    const environment = { PATH: systemPath, HOME: home, SHELL: '/bin/sh', SSL_CERT_FILE: bundle }
    const resolver = existsSync('/etc/resolv.conf') ? readFileSync('/etc/resolv.conf', 'utf8') : ''
    const command = 'cat "$SSL_CERT_FILE" /etc/resolv.conf 2>/dev/null; true'
    expect((await run(command, { network: true, environment })).stdout.text).toBe(`a certificate${resolver}`)
    expect((await run('cat "$SSL_CERT_FILE"', { environment })).stdout.text).toBe('')
  })

  test('outside the working directory cannot be written, and caches start empty', async () => {
    mkdirSync(join(home, 'sibling'))
    const { stdout } = await run(`for path in ~/a ../b ../sibling/c /d /usr/e /etc/f; do
      (echo x > $path) 2>/dev/null && echo wrote $path; done
      echo x > ~/.cache/x && echo x > ~/.npm/x && echo cached`)
    expect(stdout.text).toBe('cached\n')
    expect(existsSync(join(home, '.cache'))).toBe(false)
  })

  test('are there as before where the home directory is the working directory', async () => {
    writeFileSync(join(home, 'a.txt'), 'mine')
    expect((await run('cat a.txt; echo x > b.txt', { cwd: home })).stdout.text).toBe('mine')
    expect(readFileSync(join(home, 'b.txt'), 'utf8')).toBe('x\n')
  })
})

describe.skipIf(!works)('limits (skipped where bubblewrap does not work)', () => {
  test('that are too low for any command do not switch the sandbox off', async () => {
    expect(await open({ sandbox: 'auto', limits: { memoryBytes: 1 } }).sandbox()).toMatchObject({ state: 'active' })
  })

  test('on processes end a command that starts too many, and say so', async () => {
    const result = await run('for n in $(seq 300); do sleep 20 & done; wait', { limits: { processes: 100 } })
    // For users other than root the kernel refuses further processes.
    if (process.getuid?.() === 0) expect(result).toMatchObject({ ended: 'limit', limit: 'processes' })
    expect(result.hints.join()).toContain('limit on processes')
    expect(result.hints.join()).toContain('"sandboxLimits": { "processes": … }')
  })

  test.skipIf(!calls)('on memory hold for one process, and for all together', async () => {
    const limits = { memoryBytes: 300_000_000 }
    const one = await run(`${python} -c 'x = bytearray(400_000_000)'`, { limits })
    expect(one.exitCode).toBe(1)
    expect(one.hints.join()).toContain('limit on memory')
    const take = `${python} -c 'import time; x = bytearray(b"x") * 200_000_000; time.sleep(60)'`
    const several = await run(`${take} & ${take} & wait`, { limits })
    expect(several).toMatchObject({ ended: 'limit', limit: 'memory' })
  })

  test.skipIf(!calls)('on memory count shared memory, and each page once', async () => {
    const limits = { memoryBytes: 300_000_000 }
    const script = (mapping: string, megabytes: number, more: string) => `${python} -c '
import mmap, os, time
m = ${mapping}
for n in range(${megabytes}): m[n * 1_000_000:(n + 1) * 1_000_000] = b"x" * 1_000_000
${more}'`
    const fill = await run(script('mmap.mmap(-1, 400_000_000)', 400, 'time.sleep(60)'), { limits })
    expect(fill).toMatchObject({ ended: 'limit', limit: 'memory' })
    const touch = 'for n in range(3): os.fork()\nx = sum(m[::4096])\ntime.sleep(1)'
    expect(await run(script('mmap.mmap(-1, 150_000_000)', 150, touch), { limits })).toMatchObject({ ended: 'exit', exitCode: 0 }) // biome-ignore format: one line
    const file = 'mmap.mmap(os.open("/dev/shm/x", os.O_RDWR), 140_000_000)'
    const kept = 'x = bytearray(b"x") * 100_000_000\ntime.sleep(1)'
    expect(await run(`truncate -s 140000000 /dev/shm/x && ${script(file, 140, kept)}`, { limits })).toMatchObject({ ended: 'exit', exitCode: 0 }) // biome-ignore format: one line
  })

  test('on memory count the temporary folders together', async () => {
    const fill = (folder: string) => `head -c 120000000 /dev/zero > ${folder}/x`
    const command = [...['/tmp', '/var/tmp', '/dev/shm'].map(fill), 'sleep 60'].join(' && ')
    expect(await run(command, { limits: { memoryBytes: 300_000_000 } })).toMatchObject({ ended: 'limit', limit: 'memory' }) // biome-ignore format: one line
    expect(await run(fill('/dev'))).toMatchObject({ exitCode: expect.toSatisfy((code) => code !== 0) })
  })

  test('on the size of a file', async () => {
    const result = await run('head -c 2000000 /dev/zero > big', { limits: { fileBytes: 1_000_000 } })
    expect(result.exitCode).not.toBe(0)
    expect(result.hints.join()).toContain('limit on file size')
    expect(readFileSync(join(cwd, 'big')).length).toBeLessThanOrEqual(1_000_448)
  })
})

describe.skipIf(!works)('ordinary work is possible (skipped where bubblewrap does not work)', () => {
  test('git, pipes, background jobs, scripts, child processes and threads', async () => {
    execFileSync('git', ['init', '-q', cwd])
    writeFileSync(join(cwd, 'package.json'), '{ "scripts": { "say": "echo from npm" } }')
    writeFileSync(
      join(cwd, 'child.js'),
      `const { execFileSync, fork } = require('node:child_process')
       const { Worker } = require('node:worker_threads')
       if (process.send) process.send('by ipc')
       else {
         console.log(execFileSync('cat', { input: 'by pipe', encoding: 'utf8' }))
         fork(__filename).on('message', (text) => {
           console.log(text)
           new Worker('console.log("by worker")', { eval: true })
         })
       }`,
    )
    const node = realpathSync(process.execPath)
    const inside = open({ readable: [node] })
    const output = async (command: string) => (await inside.run(command, { timeoutMs: 60_000 })).stdout.text
    expect(await output('git status --short | sort')).toBe('?? child.js\n?? package.json\n')
    expect(await output('(sleep 0.1; echo later) & echo now; wait')).toBe('now\nlater\n')
    expect(await output(`'${node}' child.js`)).toBe('by pipe\nby ipc\nby worker\n')
    expect(await output('mkdir -p a/b && echo x > a/b/c && mv a d && cat d/b/c && rm -r d')).toBe('x\n')
    if (existsSync('/usr/bin/npm')) expect(await output('npm run --silent say')).toBe('from npm\n')
    if (existsSync(python)) {
      const pool = 'import multiprocessing as m; print(m.get_context("fork").Pool(2).map(abs, [-1, -2]))'
      expect(await output(`${python} -c '${pool}'`)).toBe('[1, 2]\n')
    }
  })

  test('a bubblewrap that is too old to limit temporary folders is used without that', async () => {
    const bin = join(home, 'bin')
    mkdirSync(bin)
    const real = systemPath.split(':').find((folder) => existsSync(join(folder, 'bwrap')))
    const old = `case " $* " in *" --size "*) echo "bwrap: Unknown option --size" >&2; exit 1;; esac`
    writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\n${old}\nexec ${real}/bwrap "$@"\n`)
    chmodSync(join(bin, 'bwrap'), 0o755)
    const { stdout, sandbox } = await open({}, `${bin}:${systemPath}`).run('echo x > /tmp/x && cat /tmp/x')
    expect({ sandbox, text: stdout.text }).toEqual({ sandbox: 'bubblewrap', text: 'x\n' })
  })

  test('no descriptor of the program that started Toolpact is handed on', async () => {
    writeFileSync(join(home, 'private'), 'private')
    const code = `
      import { openProcess } from ${JSON.stringify(new URL('../../process.ts', import.meta.url).href)}
      const options = ${JSON.stringify({ cwd, environment: { PATH: systemPath, SHELL: '/bin/sh' }, sandbox: 'required' })}
      const { stdout } = await openProcess(options).run('ls -l /proc/self/fd')
      console.log(stdout.text)
    `
    const words = ['-c', 'exec 70<"$1" 250<"$1" && exec "$2" --input-type=module -e "$3"', 'sh', join(home, 'private')]
    const child = spawn('/bin/bash', [...words, process.execPath, code])
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    await once(child, 'close')
    expect(text).toMatch(/ 1 -> /)
    expect(text).not.toContain('private')
  })
})

test.each([
  ['what is new is reported', '/tmp/old\0\0/tmp/old\0/tmp/new\0/run/.new\0\0', ['/tmp/new', '/run/.new']],
  ['what was there before is not', '/tmp/old\0\0/tmp/old\0\0', []],
  ['a command that was ended before it could report left nothing known', '/tmp/old\0\0', []],
  ['nothing was reported at all', '', []],
])('%s', (_, report, discarded) => {
  expect(readReport(report)).toEqual(discarded)
})
