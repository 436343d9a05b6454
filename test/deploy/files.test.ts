import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validate as validateContainerfile } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { configSchema } from '../../src/app/config/config-schema.ts'
import type { JsonSchema } from '../../src/contract/json.ts'
import { compileSchema } from '../../src/contract/schema/compile-schema.ts'

const folder = fileURLToPath(new URL('../../deploy', import.meta.url))
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const manifests = parseAllDocuments(read('kubernetes.yaml')).map((one) => one.toJS() as Manifest)

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly data?: { readonly [file: string]: string }
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the kind, which its model validates.
  readonly spec?: any
}

interface Compose {
  readonly services: {
    readonly [name: string]: {
      readonly image: string
      readonly environment?: { readonly [name: string]: string }
      readonly volumes?: readonly string[]
      readonly command?: readonly string[]
    }
  }
}

const { services } = parse(read('compose.yaml'), { merge: true }) as Compose
const replicas = Object.keys(services).filter((name) => services[name]!.image === 'toolpact')

test('the container file is valid, copies what exists and starts a command of the package', () => {
  const text = read('Containerfile')
  expect(validateContainerfile(text)).toEqual([])
  const { bin } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8')) as { bin: object }
  const [command] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(text)![1]!) as string[]
  expect(Object.keys(bin)).toContain(command)
  expect(text).toContain(`EXPOSE ${configSchema.properties.http.properties.port.default}`)
})

test.each(manifests.map((manifest) => [manifest.kind, manifest] as const))(
  'the %s is valid for Kubernetes',
  async (kind, manifest) => {
    const models = (await import(/* @vite-ignore */ `kubernetes-models/${manifest.apiVersion}/${kind}`)) as {
      [kind: string]: new (manifest: Manifest) => { validate(): void }
    }
    new models[kind]!(manifest).validate()
  },
)

test('configs are valid', async () => {
  const inCluster = manifests.find(({ kind }) => kind === 'ConfigMap')!.data!['toolpact.json']!
  const { validate } = await compileSchema(configSchema as unknown as JsonSchema)
  for (const text of [read('toolpact.json'), inCluster]) expect(validate(JSON.parse(text))).toEqual([])
})

test('the composed services mount files that exist, and nginx sends requests to each replica', () => {
  for (const { volumes = [] } of Object.values(services))
    for (const [source] of volumes.map((volume) => volume.split(':')))
      if (source!.startsWith('.')) expect(existsSync(join(folder, source!)), source).toBe(true)
  const targets = [...read('nginx.conf').matchAll(/^\s+server ([\w-]+):7420/gm)].map(([, name]) => name)
  expect(targets).toEqual(replicas)
})

test('probes and scrapes ask for routes of the server', () => {
  const { template } = manifests.find(({ kind }) => kind === 'Deployment')!.spec
  const [container] = template.spec.containers
  const paths = ['livenessProbe', 'readinessProbe', 'startupProbe'].map((probe) => container[probe].httpGet.path)
  const serving = readFileSync(join(folder, '../docs/serving.md'), 'utf8')
  for (const path of paths) expect(serving).toContain(`\`GET ${path}\``)
  // Probes come from another address, and have no token; what is scraped must be served.
  const { http, telemetry } = JSON.parse(manifests.find(({ kind }) => kind === 'ConfigMap')!.data!['toolpact.json']!)
  expect([http.probes, telemetry.metrics]).toEqual(['all', {}])
  expect(serving).toContain(`\`${template.metadata.annotations['prometheus.io/path']}\``)
})
