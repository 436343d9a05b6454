import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { compareWithLock } from './compare-with-lock.ts'
import { diffLocks } from './diff-locks.ts'
import type { Lock } from './lock.ts'
import { readLock, writeLock } from './read-lock.ts'
import { toLock } from './to-lock.ts'

const definition = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }
const acceptance = { by: 'ada', at: '2026-11-16T00:00:00.000Z' }

function lockOf(definitions: readonly JsonObject[], name = 'notes'): Lock {
  return toLock([serverOf(definitions, name)], acceptance)
}

function serverOf(definitions: readonly JsonObject[], name = 'notes') {
  return {
    name,
    identity: { kind: 'stdio', command: 'notes' } as const,
    settings: {},
    definitions,
    conforming: new Map(definitions.map((definition) => [String(definition.name), definition])),
    flagsOf: () => ['do-not-tell: x'],
  }
}

test('a lock is read back as it was written, and the same lock has the same text', () => {
  const lock = lockOf([definition, { inputSchema: {}, name: 'constructor', description: 'Odd' }])
  const text = writeLock(lock)
  const read = readLock(Buffer.from(text))
  expect(read).toEqual(lock)
  expect(writeLock(read)).toBe(text)
  const { name, ...rest } = definition
  expect(
    writeLock(
      lockOf([
        { inputSchema: {}, name: 'constructor', description: 'Odd' },
        { ...rest, name },
      ]),
    ),
  ).toBe(text)
})

test('a lock reads well in a review', () => {
  expect(writeLock(lockOf([definition])).replaceAll(/[0-9a-f]{64}/g, 'HEX')).toBe(`{
  "lockVersion": 1,
  "servers": {
    "notes": {
      "identity": {
        "command": "notes",
        "kind": "stdio"
      },
      "tools": {
        "read": {
          "acceptedBy": "ada",
          "acceptedAt": "2026-11-16T00:00:00.000Z",
          "policy": {
            "risk": "dangerous",
            "approval": "ask"
          },
          "digests": {
            "definition": "sha256:HEX",
            "description": "sha256:HEX",
            "input": "sha256:HEX",
            "output": "sha256:HEX",
            "annotations": "sha256:HEX",
            "policy": "sha256:HEX"
          },
          "flags": [
            "do-not-tell: x"
          ],
          "definition": {
            "description": "Reads.",
            "inputSchema": {
              "type": "object"
            },
            "name": "read"
          }
        }
      }
    }
  }
}
`)
})

test('characters that a reviewer could not see are written as escapes, and read back', () => {
  const lock = lockOf([{ ...definition, description: 'a\u202eb\u200bc\x1b' }])
  const text = writeLock(lock)
  expect(text).not.toMatch(/[\u202e\u200b\x1b]/)
  expect(readLock(Buffer.from(text))).toEqual(lock)
})

const text = writeLock(lockOf([definition]))
// biome-ignore lint/suspicious/noExplicitAny: what is changed here is not to be valid
type JsonAny = any
const changed = (change: (lock: JsonAny) => void) => {
  const lock = JSON.parse(text)
  change(lock)
  return JSON.stringify(lock)
}

test.each<[what: string, text: string, words: string]>([
  ['text', 'lock', 'is not valid: Not valid JSON'],
  ['half of it', text.slice(0, 200), 'is not valid: Not valid JSON'],
  ['a key twice', text.replace('"servers": {', '"servers": {}, "servers": {'), 'is not valid'],
  ['conflicts', text.replace('"tools"', '\n<<<<<<< HEAD\n"tools"'), 'is not valid: it contains merge conflicts'],
  ['a list', '[]', 'has no object in the file'],
  ['another version', '{"lockVersion":2,"servers":{}}', 'has the lockVersion 2, and this Toolpact knows version 1'],
  ['no servers', '{"lockVersion":1}', 'has no object in servers'],
  ['a key that no lock has', '{"lockVersion":1,"servers":{},"skip":true}', "has 'skip' in the file, which no lock has"],
  ['an odd server', '{"lockVersion":1,"servers":{"../x":{}}}', 'which no server can be called'],
  ['an odd kind', changed((lock) => (lock.servers.notes.identity.kind = 'ftp')), "no valid 'kind' in notes.identity"],
  [
    'another description',
    changed((lock) => (lock.servers.notes.tools.read.definition.description = 'Evil')),
    "was changed by hand: the digest of 'definition' in notes.read",
  ],
  [
    'no varying places',
    changed((lock) => (lock.servers.notes.tools.read.varying = [])),
    "has 'varying' in notes.read that does not name defaults of its input",
  ],
  [
    'a varying place that is not a default',
    changed((lock) => (lock.servers.notes.tools.read.varying = ['/description'])),
    "has 'varying' in notes.read that does not name defaults of its input",
  ],
  [
    'another digest',
    changed((lock) => (lock.servers.notes.tools.read.digests.input = `sha256:${'0'.repeat(64)}`)),
    "the digest of 'input' in notes.read",
  ],
  [
    'no digest',
    changed((lock) => delete lock.servers.notes.tools.read.digests.policy),
    "the digest of 'policy' in notes.read",
  ],
  [
    'another policy',
    changed((lock) => (lock.servers.notes.tools.read.policy.approval = 'never')),
    "the digest of 'policy' in notes.read",
  ],
  [
    'an odd policy',
    changed((lock) => (lock.servers.notes.tools.read.policy.risk = 'none')),
    "no valid 'risk' and 'approval' in notes.read",
  ],
  [
    'an overlay without digest',
    changed((lock) => (lock.servers.notes.tools.read.overlay = { output: {} })),
    "the digest of 'overlay' in notes.read",
  ],
  [
    'another tool',
    changed((lock) => (lock.servers.notes.tools.write = lock.servers.notes.tools.read)),
    'the definition of another tool in notes.write',
  ],
  ['no reviewer', changed((lock) => delete lock.servers.notes.tools.read.acceptedBy), 'who accepted notes.read'],
  ['no time', changed((lock) => (lock.servers.notes.tools.read.acceptedAt = 'today')), 'when notes.read was accepted'],
  [
    'a misspelt key',
    changed((lock) => (lock.servers.notes.tools.read.overlays = {})),
    "has 'overlays' in notes.read, which no lock has",
  ],
])('a lock with %s is refused', (_what, content, words) => {
  expect(() => readLock(Buffer.from(content))).toThrow(words)
})

test('two locks are compared by server and tool', () => {
  const next = lockOf([
    { ...definition, description: 'Reads more.' },
    { ...definition, name: 'write' },
  ])
  expect(diffLocks(readLock(Buffer.from(text)), next)).toMatchObject([
    { tool: 'notes.read', pointer: '/description', category: 'words', breaking: false },
    { tool: 'notes.write', message: 'The tool was added.', breaking: false },
  ])
  expect(diffLocks(next, lockOf([definition], 'other')).map(({ tool, message }) => `${tool}: ${message}`)).toEqual([
    'notes.read: The tool was removed.',
    'notes.write: The tool was removed.',
    'other.read: The tool was added.',
  ])
})

const data = fileURLToPath(new URL('../../../../shared/data/definitions', import.meta.url))

test.skipIf(!existsSync(data))(
  'every real definition survives the lock, and is the same afterwards (needs ../shared/data)',
  () => {
    const servers = readdirSync(data)
      .filter((file) => file.endsWith('.json'))
      .map((file, index) => serverOf(JSON.parse(readFileSync(`${data}/${file}`, 'utf8')).tools, `s${index}`))
    const lock = readLock(Buffer.from(writeLock(toLock(servers, acceptance))))
    let tools = 0
    for (const server of servers) {
      const { tools: compared, gone } = compareWithLock(lock, server, { demand: 'required' })
      expect(compared.filter(({ state }) => state !== 'same')).toEqual([])
      expect(gone).toEqual([])
      tools += compared.length
    }
    expect(tools).toBeGreaterThan(1000)
  },
)
