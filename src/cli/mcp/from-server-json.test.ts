// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so variables are written in a config
import { expect, test } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { fromServerJson } from './from-server-json.ts'

const take = (more: JsonObject) => fromServerJson({ name: 'io.github.ada/x', version: '2.0.0', ...more })?.x

test.each<[kind: string, source: JsonObject, entry: JsonObject]>([
  [
    'npm',
    { registryType: 'npm', identifier: '@ada/x', version: '1.0.0' },
    { command: 'npx', args: ['-y', '@ada/x@1.0.0'] },
  ],
  [
    'npm by another runtime',
    { registryType: 'npm', identifier: 'x', version: '1.0.0', runtimeHint: 'bunx' },
    { command: 'bunx', args: ['x@1.0.0'] },
  ],
  ['PyPI', { registryType: 'pypi', identifier: 'x', version: '1.0.0' }, { command: 'uvx', args: ['x@1.0.0'] }],
  [
    'NuGet',
    { registryType: 'nuget', identifier: 'X', version: '1.0.0' },
    { command: 'dnx', args: ['X@1.0.0', '--yes'] },
  ],
  [
    'an image',
    { registryType: 'oci', identifier: 'ghcr.io/ada/x:1.0.0', environmentVariables: [{ name: 'A', value: 'b' }] },
    { command: 'docker', args: ['run', '-i', '--rm', '-e', 'A', 'ghcr.io/ada/x:1.0.0'], env: { A: 'b' } },
  ],
  [
    'an image with its version apart',
    { registryType: 'oci', identifier: 'localhost:5000/x', version: '1.0.0' },
    { command: 'docker', args: ['run', '-i', '--rm', 'localhost:5000/x:1.0.0'] },
  ],
  [
    'the older names of keys',
    {
      registry_type: 'npm',
      identifier: 'x',
      version: '1.0.0',
      package_arguments: [{ type: 'positional', value: 'a' }],
    },
    { command: 'npx', args: ['-y', 'x@1.0.0', 'a'] },
  ],
])('a package of %s is run with its version pinned', (_, source, entry) => {
  expect(take({ packages: [source] })).toEqual({ ...entry, inputs: [] })
})

test('a remote is reached by its address, with what a person must give', () => {
  const remote: JsonObject = {
    type: 'streamable-http',
    url: 'https://{tenant}.example/mcp',
    variables: { tenant: { description: 'Your tenant', default: 'main' } },
    headers: [
      { name: 'Authorization', value: 'Bearer {token}', variables: { token: { isSecret: true } } },
      { name: 'X' },
    ],
  }
  expect(take({ remotes: [remote] })).toEqual({
    url: 'https://${input:tenant}.example/mcp',
    type: 'streamable-http',
    headers: { Authorization: 'Bearer ${input:token}' },
    inputs: [{ id: 'token' }, { id: 'tenant', default: 'main', description: 'Your tenant' }],
  })
})

test('the first package that can be run is chosen, else the remote', () => {
  const mcpb = { registryType: 'mcpb', identifier: 'https://x.example/x.mcpb' }
  expect(take({ packages: [mcpb, { registryType: 'pypi', identifier: 'x', version: '1' }] })).toMatchObject({
    command: 'uvx',
  })
  expect(take({ packages: [mcpb], remotes: [{ url: 'https://x.example' }] })).toMatchObject({
    url: 'https://x.example',
  })
  expect(take({ packages: [mcpb] })).toEqual({ packages: [mcpb], inputs: [] })
})

test('answers of the registry hold the same, one or many', () => {
  const server = { name: 'a/x', remotes: [{ url: 'https://x.example' }] }
  const entry = { url: 'https://x.example', inputs: [] }
  expect(fromServerJson({ server, _meta: {} })).toEqual({ x: entry })
  expect(fromServerJson({ servers: [{ server }, { server: { ...server, name: 'a/y' } }] })).toEqual({
    x: entry,
    y: entry,
  })
  expect(fromServerJson({ servers: { x: { command: 'y' } } })).toBeUndefined()
})
