import { expect, test } from 'vitest'
import { decideHost, hostPattern, isGrantedName, listPorts, type NetworkGrant } from './granted-hosts.ts'

test.each<[NetworkGrant, string, number, boolean]>([
  [['api.notion.com'], 'api.notion.com', 443, true],
  [['api.notion.com'], 'API.Notion.com', 80, true],
  [['api.notion.com'], 'api.notion.com', 22, false],
  [['api.notion.com'], 'x.api.notion.com', 443, false],
  [['api.notion.com'], 'api.notion.com.evil.example', 443, false],
  [['*.notion.com'], 'api.notion.com', 443, true],
  [['*.notion.com'], 'notion.com', 443, false],
  [['*.notion.com'], '.notion.com', 443, false],
  [['*.notion.com'], 'evilnotion.com', 443, false],
  [['db.example:5432'], 'db.example', 5432, true],
  [['db.example:5432'], 'db.example', 443, false],
  ['none', 'api.notion.com', 443, false],
  ['any', 'api.notion.com', 443, false],
  [[], 'api.notion.com', 443, false],
])('%j to %s:%i is granted: %s', (network, host, port, allow) => {
  expect(decideHost(network, host, port).allow).toBe(allow)
})

test.each([
  ['api.notion.com', false],
  ['localhost:5432', true],
  ['10.0.0.5', true],
  ['db.internal', true],
  ['93.184.216.34', false],
])('a private address is meant by %s: %s', (entry, isPrivate) => {
  const [host, port = '443'] = entry.split(':') as [string, string?]
  expect(decideHost([entry], host, Number(port))).toEqual({ allow: true, isPrivate })
  expect(decideHost([`*.${entry}`], `a.${host}`, Number(port)).isPrivate).toBe(false)
})

test('ports and names of grants', () => {
  expect(listPorts(['a.example', 'b.example', 'c.example:5432'])).toEqual([80, 443, 5432])
  expect([listPorts('any'), listPorts('none')]).toEqual([[], []])
  expect(isGrantedName(['c.example:5432'], 'C.example')).toBe(true)
  expect(isGrantedName(['c.example'], 'd.example')).toBe(false)
  expect(isGrantedName('any', 'd.example')).toBe(false)
})

test.each([
  ['api.notion.com', true],
  ['*.notion.com', true],
  ['db_1.example:5432', true],
  ['10.0.0.5', true],
  ['https://api.notion.com', false],
  ['api.notion.com/path', false],
  ['*', false],
  ['a.*.example', false],
  ['', false],
])('an entry %j is valid: %s', (entry, isValid) => {
  expect(new RegExp(hostPattern).test(entry)).toBe(isValid)
})
