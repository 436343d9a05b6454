import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Agent, request as sendRequest } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { join } from 'node:path'
import { connect, type DetailedPeerCertificate } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../../../test/helpers/make-certificate.ts'
import { echo, openHttp, rightToken } from '../../../test/helpers/open-http.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { createHandshakes } from './handshakes.ts'
import { followTlsFiles, readTlsFiles } from './tls-files.ts'

test('a server with a certificate speaks TLS 1.2 and later, tells browsers to stay with it, and only there', async () => {
  const files = makeCertificate()
  const server = await openHttp({ tls: files, mcp: { handle: echo } })
  expect(server.url).toBe(`https://127.0.0.1:${server.port}`)
  const answer = await ask(server.port, { ca: readFileSync(files.cert, 'utf8') })
  expect(answer).toMatchObject({ status: 200, hsts: 'max-age=31536000', name: 'localhost' })
  expect(['TLSv1.2', 'TLSv1.3']).toContain(answer.protocol)
  await expect(shake(server.port, { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' })).rejects.toThrow() // biome-ignore format: one line
  expect(await shake(server.port, { maxVersion: 'TLSv1.2' })).toBe('TLSv1.2')
  expect(await sendPlain(server.port)).not.toContain('200 OK')
  expect((await ask(server.port, { ca: readFileSync(files.cert, 'utf8') })).status).toBe(200)
  const plain = await openHttp()
  expect((await plain.send('/healthz')).headers['strict-transport-security']).toBeUndefined()
})

test('a page of the own origin over TLS may send requests, one over http may not', async () => {
  const files = makeCertificate()
  const { port } = await openHttp({ tls: files, host: '127.0.0.1' })
  const from = async (origin: string) => (await ask(port, { headers: { Origin: origin } })).status
  expect(await from(`https://localhost:${port}`)).toBe(200)
  expect(await from(`https://127.0.0.1:${port}`)).toBe(200)
  expect(await from(`http://localhost:${port}`)).toBe(403)
  expect(await from('https://evil.example')).toBe(403)
})

test('a renewed certificate is used for new connections, and those that are open go on', async () => {
  const folder = makeFolder()
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const put = (pair: typeof files) => {
    copyFileSync(pair.key, files.key)
    copyFileSync(pair.cert, files.cert)
  }
  put(makeCertificate('first'))
  const failures: string[] = []
  const { port } = await openHttp({ tls: files, onFailure: (cause) => failures.push((cause as Error).message) })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const before = await ask(port, { agent })
  expect(before).toMatchObject({ name: 'first', status: 200 })
  put(makeCertificate('second'))
  await expect.poll(async () => (await ask(port)).name, { timeout: 8000 }).toBe('second')
  const after = await ask(port, { agent })
  expect(after).toMatchObject({ name: 'first', status: 200, localPort: before.localPort })
  copyFileSync(makeCertificate('third').key, files.key)
  await expect.poll(() => failures, { timeout: 8000 }).toHaveLength(1)
  expect(failures[0]).toMatch(/does not belong to the certificate .* stays in use/)
  expect((await ask(port)).name).toBe('second')
})

test.each<[string, () => { cert: string; key: string }, RegExp]>([
  ['a file that does not exist', () => ({ ...makeCertificate(), cert: '/nowhere/cert.pem' }), /http.tls.cert names \/nowhere\/cert.pem, which does not exist/], // biome-ignore format: one line
  [
    'a folder',
    () => ({ ...makeCertificate(), key: makeFolder() }),
    /http.tls.key names .*, which cannot be read \(EISDIR\)/,
  ],
  [
    'a key of another pair',
    () => ({ ...makeCertificate(), key: makeCertificate().key }),
    /does not belong to the certificate/,
  ],
  ['no certificate', () => ({ ...makeCertificate(), cert: write('x') }), /contains no certificate in PEM/],
  ['no key', () => ({ ...makeCertificate(), key: write('x') }), /contains no private key in PEM/],
  ['a key with a passphrase', () => ({ ...makeCertificate(), key: write('-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----') }), /has a passphrase/], // biome-ignore format: one line
])('files that cannot be used are refused: %s', async (_, toFiles, words) => {
  expect(() => readTlsFiles(toFiles())).toThrow(words)
})

test('a certificate is refused before and after the time that it is valid', () => {
  const files = makeCertificate()
  expect(() => readTlsFiles(files, Date.now() + 31 * 86_400_000)).toThrow(/expired on/)
  expect(() => readTlsFiles(files, Date.now() - 86_400_000)).toThrow(/only valid from/)
  expect(readTlsFiles(files).cert).toContain('BEGIN CERTIFICATE')
})

test('a file that is replaced as a whole is noticed, and one that is half written is not reported', async () => {
  const [files, next] = [makeCertificate('one'), makeCertificate('two')]
  const [changes, failures]: [string[], unknown[]] = [[], []]
  const stop = followTlsFiles({ files, everyMs: 300, onChange: ({ cert }) => changes.push(cert), onFailure: (cause) => failures.push(cause) }) // biome-ignore format: one line
  onTestFinished(stop)
  renameSync(next.key, files.key)
  renameSync(next.cert, files.cert)
  await expect.poll(() => changes).toHaveLength(1)
  expect(failures).toEqual([])
})

test('of handshakes that do not end, the oldest is closed', () => {
  const closed: number[] = []
  const handshakes = createHandshakes(2)
  const toSocket = (remotePort: number) => ({ remoteAddress: '::1', remotePort, once: () => {}, destroy: () => closed.push(remotePort) }) as never // biome-ignore format: one line
  for (const port of [1, 2]) handshakes.begin(toSocket(port))
  handshakes.end(toSocket(1))
  handshakes.begin(toSocket(3))
  expect(closed).toEqual([])
  handshakes.begin(toSocket(4))
  expect(closed).toEqual([2])
})

function write(text: string): string {
  const path = join(makeFolder(), 'file.pem')
  writeFileSync(path, text)
  return path
}

interface AskOptions {
  readonly ca?: string
  readonly agent?: Agent
  readonly headers?: { readonly [name: string]: string }
}

function ask(port: number, { ca, agent, headers }: AskOptions = {}) {
  return new Promise<{ status: number; hsts: unknown; name: unknown; protocol: unknown; localPort: number }>(
    (resolve, reject) => {
      const sent = sendRequest(
        { port, host: '127.0.0.1', path: '/healthz', agent: agent ?? false, headers: { Authorization: `Bearer ${rightToken}`, ...headers }, ...(ca ? { ca } : { rejectUnauthorized: false }) }, // biome-ignore format: one line
        (response) => {
          const socket = response.socket as unknown as { getPeerCertificate(): DetailedPeerCertificate; getProtocol(): string; localPort: number } // biome-ignore format: one line
          const { localPort } = socket
          const found = { status: response.statusCode!, hsts: response.headers['strict-transport-security'], name: socket.getPeerCertificate().subject.CN, protocol: socket.getProtocol(), localPort } // biome-ignore format: one line
          response.resume().on('end', () => resolve(found))
        },
      )
      sent.on('error', reject).end()
    },
  )
}

function shake(port: number, options: object): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve(socket.getProtocol())
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

function sendPlain(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectPlain(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {}).on('close', () => resolve(text))
    socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  })
}
