import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

interface Published {
  readonly manifest: { readonly name: string; readonly version: string }
  readonly tarball: Buffer
  readonly integrity: string
}

/** A registry of npm packages on loopback: documents of packages, and tarballs with their integrity. */
export async function openNpmRegistry() {
  const published: Published[] = []
  const asked: string[] = []
  let beforeTarball: () => unknown = () => {}
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    asked.push(path)
    const [name = '', file] = path.split('/-/')
    const versions = published.filter(({ manifest }) => manifest.name === name)
    const [tarball] = versions.filter(({ manifest }) => file === toFile(manifest))
    if (tarball) {
      await beforeTarball()
      return response.end(tarball.tarball)
    }
    if (versions.length === 0 || file !== undefined) return response.writeHead(404).end('{"error":"not found"}')
    response.setHeader('content-type', 'application/json')
    const toDocument = ({ manifest, tarball, integrity }: Published) => ({
      ...manifest,
      dist: { tarball: `${url}${name}/-/${toFile(manifest)}`, integrity, shasum: createHash('sha1').update(tarball).digest('hex') }, // biome-ignore format: one line
    })
    const documents = versions.map((one) => [one.manifest.version, toDocument(one)] as const)
    const latest = versions.at(-1)!.manifest.version
    // Some package managers do not install what was published in the last days.
    const time = Object.fromEntries(documents.map(([version]) => [version, '2026-01-01T00:00:00.000Z']))
    response.end(JSON.stringify({ name, 'dist-tags': { latest }, time, versions: Object.fromEntries(documents) }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    /** The paths that were requested. */
    asked,
    /** Called before each tarball is sent. */
    onTarball(listener: () => unknown) {
      beforeTarball = listener
    },
    /** Publishes a package, in place of one of the same version. Returns its integrity. */
    publish(
      manifest: Published['manifest'] & { readonly [field: string]: unknown },
      files: { readonly [path: string]: string },
      integrity?: string,
    ): string {
      const tarball = pack({ ...files, 'package.json': JSON.stringify(manifest) })
      const at = published.findIndex((one) => toFile(one.manifest) === toFile(manifest))
      const right = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
      published.splice(at < 0 ? published.length : at, 1, { manifest, tarball, integrity: integrity ?? right })
      return right
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function toFile({ name, version }: Published['manifest']): string {
  return `${name.replace(/^@[^/]+\//, '')}-${version}.tgz`
}

function pack(files: { readonly [path: string]: string }): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-pack-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      const full = join(folder, 'package', path)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, text)
      chmodSync(full, 0o755)
    }
    return execFileSync('tar', ['-czf', '-', '-C', folder, 'package'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
