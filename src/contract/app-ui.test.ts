import { expect, test } from 'vitest'
import { declaresApps, describeGrants, limitPageUi, mergeGrants, readPageUi, readToolUi } from './app-ui.ts'
import type { JsonValue } from './json.ts'

const html = 'text/html;profile=mcp-app'

test.each<[string, JsonValue, boolean]>([
  ['the type of apps', { mimeTypes: [html] }, true],
  ['no types', {}, true],
  ['other types', { mimeTypes: ['text/html'] }, false],
  ['no object', true, false],
])('a client that declares %s', (_, ui, expected) => {
  expect(declaresApps({ extensions: { 'io.modelcontextprotocol/ui': ui } })).toBe(expected)
  expect(declaresApps({ extensions: { other: ui } })).toBe(false)
  expect(declaresApps({})).toBe(false)
})

test('of a tool its page and its visibility are read, in both spellings', () => {
  const ui = { resourceUri: 'ui://shop/cart.html', visibility: ['app'] }
  const known = { resourceUri: 'ui://shop/cart.html', visibility: ['app'] }
  expect(readToolUi({ ui: { ...ui, csp: { connectDomains: ['https://evil.example'] }, more: 1 } })).toEqual(known)
  expect(readToolUi({ 'ui/resourceUri': ui.resourceUri, 'ui/visibility': ui.visibility })).toEqual(known)
  expect(readToolUi({ ui: { visibility: ['app', 'model', 'admin', 'app'] } })).toEqual({ visibility: ['model', 'app'] })
})

test.each<[JsonValue]>([
  ['https://shop.example/cart.html'],
  ['ui://'],
  ['ui://shop/a b'],
  ['ui://shop/\u202ehtml'],
  [`ui://shop/${'x'.repeat(2100)}`],
  [7],
  [null],
])('a page at %j is not read', (resourceUri) => {
  expect(readToolUi({ ui: { resourceUri, visibility: 'app' } })).toEqual({})
})

test('a tool without metadata has no page', () => {
  for (const meta of [undefined, null, [], 'ui', { ui: [] }, { ui: { visibility: ['admin'] } }])
    expect(readToolUi(meta)).toEqual({})
})

test.each([
  'https://api.example.com',
  'wss://live.example.com',
  'https://*.example.com',
  'https://example.com:8443',
  'https://xn--bcher-kva.example',
  'http://localhost:3000',
  'ws://127.0.0.1',
])('%s is a domain that a page may reach', (origin) => {
  expect(readPageUi({ csp: { connectDomains: [origin.toUpperCase()] } })).toEqual({ csp: { connectDomains: [origin] } })
})

test.each<[JsonValue]>([
  ['*'],
  ['https://*'],
  ['https://*.com'],
  ['https:'],
  ['data:'],
  ["'unsafe-eval'"],
  ['http://example.com'],
  ['https://a.example https://b.example'],
  ["https://a.example; script-src 'unsafe-inline'"],
  ['https://a.example/path'],
  ['https://a.example?x'],
  ['https://user@a.example'],
  ['javascript:alert(1)'],
  ['https://a.example\nx'],
  [`https://${'a'.repeat(60)}.${'b'.repeat(300)}.example`],
  [{ host: 'a.example' }],
])('%j is not', (origin) => {
  expect(readPageUi({ csp: { connectDomains: [origin, 'https://ok.example'] } })).toEqual({
    csp: { connectDomains: ['https://ok.example'] },
  })
  expect(readPageUi({ csp: { connectDomains: [origin] } })).toBeUndefined()
})

test('lists of domains are sorted, without duplicates, and limited', () => {
  const many = Array.from({ length: 500 }, (_, index) => `https://h${index}.example`)
  expect(readPageUi({ csp: { frameDomains: many } })?.csp?.frameDomains).toHaveLength(32)
  const { csp } = readPageUi({ csp: { resourceDomains: ['https://b.example/', 'https://a.example', 'https://b.example'] } })! // biome-ignore format: one line
  expect(csp).toEqual({ resourceDomains: ['https://a.example', 'https://b.example'] })
})

test('only known members of a page are kept', () => {
  const known = { permissions: { camera: {} }, domain: 'abc.apps.example', prefersBorder: false }
  const more = { allow: '*', permissions: { camera: { all: true }, usb: {}, microphone: true } }
  expect(readPageUi({ ...known, ...more })).toEqual(known)
  expect(readPageUi({ domain: 'a b', prefersBorder: 'yes', permissions: [], csp: 'none' })).toBeUndefined()
  expect(readPageUi('ui')).toBeUndefined()
})

test('a page gets what was granted and what it asks for, and nothing else', () => {
  const ui = readPageUi({
    csp: { connectDomains: ['https://a.example', 'https://b.example'], frameDomains: ['https://c.example'] },
    permissions: { camera: {}, geolocation: {} },
    domain: 'x.example',
    prefersBorder: true,
  })!
  expect(limitPageUi(ui)).toEqual({ prefersBorder: true })
  const granted = { csp: { connectDomains: ['https://b.example', 'https://z.example'] }, permissions: { camera: {} } }
  expect(limitPageUi(ui, granted)).toEqual({
    csp: { connectDomains: ['https://b.example'] },
    permissions: { camera: {} },
    prefersBorder: true,
  })
  expect(limitPageUi(ui, ui)).toEqual(ui)
  expect(limitPageUi({}, ui)).toBeUndefined()
})

test('what tools with the same page were granted is merged, and described for people', () => {
  const one = { csp: { connectDomains: ['https://a.example'] }, permissions: { camera: {} } }
  const other = { csp: { connectDomains: ['https://b.example'], frameDomains: ['https://c.example'] }, domain: 'x.y' }
  const merged = mergeGrants(one, other)
  expect(merged).toMatchObject({ csp: { connectDomains: ['https://a.example', 'https://b.example'] }, domain: 'x.y' })
  expect(describeGrants(merged)).toEqual([
    'sends to and receives from https://a.example, https://b.example',
    'embeds pages of https://c.example',
    'asks for camera',
    'wants the origin x.y',
  ])
  expect(describeGrants({})).toEqual([])
})
