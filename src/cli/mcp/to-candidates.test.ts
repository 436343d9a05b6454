import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isServerName, toServerName } from './to-candidates.ts'

test.each([
  ['files', 'files'],
  ['My Server', 'My-Server'],
  ['@scope/server-x', 'scope-server-x'],
  ['github.com/x', 'github-com-x'],
  ['Übersicht', 'Ubersicht'],
  ['1mcp', 'server-1mcp'],
  ['_x', 'server-x'],
  ['工具', 'server'],
  ['', 'server'],
])('%j becomes %j', (given, name) => {
  expect(toServerName(given, () => false)).toBe(name)
})

test('whatever is given, the name fits and is not taken', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), fc.nat(12), (given, count) => {
      const taken = new Set<string>()
      for (let index = 0; index <= count; index++) {
        const name = toServerName(given, (name) => taken.has(name))
        expect(isServerName(name)).toBe(true)
        expect(taken.has(name)).toBe(false)
        taken.add(name)
      }
    }),
  )
})
