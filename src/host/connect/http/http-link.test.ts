import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { closeServersAfterEach, listen } from '../../../../test/helpers/local-servers.ts'
import { options } from '../../../../test/upstream-servers/open-hostile.ts'
import { openClient } from '../open-client.ts'

closeServersAfterEach()

const hasOpenSsl = spawnSync('openssl', ['version']).status === 0

test.skipIf(!hasOpenSsl)('an untrusted certificate is rejected, regardless of the environment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const form = [
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
  ]
  execFileSync('openssl', ['req', '-x509', ...form, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const host = await listen(
    createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => response.end()),
  )
  rmSync(folder, { recursive: true })
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  try {
    const opening = openClient({ kind: 'http', url: `https://${host}/mcp`, headers: {} }, options())
    await expect(opening).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/SELF_SIGNED.*certificate is not trusted/),
    })
  } finally {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  }
})
