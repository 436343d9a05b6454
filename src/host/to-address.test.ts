import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type ServerEntry, toAddress } from './to-address.ts'

const folder = resolve('/somewhere/project')
const environment = { TOKEN: 'abcdefgh-12345', EMPTY: '', HOME: '/home/ada', NESTED: `\${TOKEN}`, BROKEN: 'a\r\nb' }

const read = (entry: ServerEntry) => toAddress('files', entry, { environment, folder })

test('a command comes with its arguments, its variables and its folder', () => {
  expect(
    read({ command: 'npx', args: ['-y', 'server', `\${HOME}/docs`], env: { KEY: `\${TOKEN}` }, cwd: 'sub' }),
  ).toEqual({
    address: {
      kind: 'stdio',
      command: 'npx',
      args: ['-y', 'server', '/home/ada/docs'],
      env: { KEY: 'abcdefgh-12345' },
      cwd: join(folder, 'sub'),
    },
  })
  expect(read({ command: 'node' })).toMatchObject({ address: { kind: 'stdio', args: [], env: {} } })
})

test('a url comes with its headers, and sse only where it is asked for', () => {
  const url = 'https://example.test/mcp'
  expect(read({ url, headers: { Authorization: `Bearer \${TOKEN}` } })).toMatchObject({
    address: { kind: 'http', url, headers: { Authorization: 'Bearer abcdefgh-12345' } },
  })
  for (const type of ['http', 'streamable-http', 'streamableHttp', undefined])
    expect(read({ url, ...(type && { type }) })).toMatchObject({ address: { kind: 'http' } })
  expect(read({ url, type: 'sse' })).toMatchObject({ address: { kind: 'sse' } })
})

test('a default stands in for a variable that is not set or is empty, and is taken as it is', () => {
  const expand = (text: string) => {
    const read = toAddress('files', { command: 'x', args: [text] }, { environment, folder })
    return 'address' in read && read.address.kind === 'stdio' ? read.address.args[0] : read
  }
  expect(expand(`a\${MISSING:-b}c`)).toBe('abc')
  expect(expand(`a\${MISSING:-}c`)).toBe('ac')
  expect(expand(`\${EMPTY:-b}`)).toBe('b')
  expect(expand(`\${EMPTY}`)).toBe('')
  expect(expand(`\${TOKEN:-b}\${env:HOME}`)).toBe('abcdefgh-12345/home/ada')
  expect(expand(`\${MISSING:-http://x:1/}`)).toBe('http://x:1/')
  expect(expand(`\${NESTED}`)).toBe(`\${TOKEN}`)
  expect(expand(`$HOME \${} \${a b} \${x%y}`)).toBe(`$HOME \${} \${a b} \${x%y}`)
})

test('a variable that is not set is a fault that names it, its place and the server', () => {
  const fault = 'The MCP server "files" needs the environment variable MISSING (in headers/Authorization), which is not set. Correct it in the config, or set what is missing.' // biome-ignore format: one line
  expect(read({ url: 'https://example.test', headers: { Authorization: `Bearer \${TOKEN}\${MISSING}` } })).toEqual({
    fault,
  })
  expect(read({ command: `\${MISSING}` })).toMatchObject({ fault: expect.stringContaining('MISSING (in command)') })
  expect(read({ command: 'x', env: { A: `\${constructor}` } })).toMatchObject({
    fault: expect.stringContaining('constructor'),
  })
})

test('an invalid server entry is a fault, and faults contain no values', () => {
  const url = 'https://example.test'
  const bad: ServerEntry[] = [
    {},
    { command: 'x', url },
    { command: `\${EMPTY}` },
    { command: 'x', args: [`\${TOKEN}\0`] },
    { command: 'x', env: { 'A=B': `\${TOKEN}` } },
    { command: 'x', env: { A: `\${TOKEN}\0` } },
    { url: `\${TOKEN}` },
    { url: `file:///\${TOKEN}` },
    { url, headers: { 'a b': `\${TOKEN}` } },
    { url, headers: { A: `\${TOKEN}\${BROKEN}` } },
    { url, headers: { A: `\${TOKEN}\${input:key}` } },
  ]
  for (const entry of bad) {
    const read = toAddress('files', entry, { environment, folder })
    expect(read, JSON.stringify(entry)).toMatchObject({ fault: expect.stringContaining('"files"') })
    expect(JSON.stringify(read)).not.toContain('abcdefgh')
  }
})
