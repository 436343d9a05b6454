import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { makeFolder } from './open-test-pipeline.ts'

/** Paths of a new self-signed certificate for localhost and 127.0.0.1, and of its key. */
export function makeCertificate(name = 'localhost', more: readonly string[] = ['-days', '30']) {
  const folder = makeFolder()
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', cert] // biome-ignore format: one line
  execFileSync('openssl', [...made, ...subject, ...more], { stdio: 'ignore' })
  return { cert, key }
}
