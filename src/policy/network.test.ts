import { expect, test } from 'vitest'
import { decideAddress, decideUrl } from './network.ts'

const refusedHosts = [
  ...['127.0.0.1', '127.1', '127.255.255.255', '2130706433', '0x7f000001', '0x7f.1', '017700000001', '0177.0.0.1'],
  ...[
    '127.0.0.1%2e',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '127。0。0。1',
    '0',
    '0.0.0.0',
    '0x0',
    '00000000',
    '0.1.2.3',
  ],
  ...[
    '10.0.0.1',
    '10.255.255.255',
    '167772161',
    '172.16.0.1',
    '172.31.255.255',
    '0xac100001',
    '192.168.0.1',
    '192.168.1',
  ],
  ...['3232235521', '100.64.0.1', '100.127.255.255', '169.254.169.254', '169.254.0.1', '2852039166', '0xa9fea9fe'],
  ...['0251.0376.0251.0376', '168.63.129.16', '192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1'],
  ...['198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['4294967295', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:8.8.8.8]'],
  ...['[::ffff:a9fe:a9fe]', '[0:0:0:0:0:ffff:10.0.0.1]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:0:127.0.0.1]'],
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]'],
  ...['[2001::1]', '[2001:0:7f00:1::]', '[2001:10::1]', '[2001:20::1]', '[2001:db8::1]', '[3fff::1]', '[fe80::1]'],
  ...[
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[ff0e::1]',
    '[100::1]',
    '[5f00::1]',
    '[4000::1]',
  ],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'x.y.localhost',
    'printer.local',
    'metadata.google.internal',
  ],
  ...[
    'router.home.arpa',
    'intranet',
    'metadata',
    'example.com.',
    '127.0.0.1.',
    'host.docker.internal',
    'kubernetes.default.svc.cluster.local',
  ],
  ...['ｌｏｃａｌｈｏｓｔ', 'loca%6chost', 'localhost.localdomain'],
]

test(`the table has at least 80 forms`, () => {
  expect(new Set(refusedHosts).size).toBeGreaterThanOrEqual(80)
})

test.each(refusedHosts)('http://%s/ is refused', (host) => {
  for (const text of [`http://${host}/`, `https://${host}:8443/path?query#part`])
    expect(decideUrl(text), text).toMatchObject({ allow: false, reason: expect.any(String) })
})

test.each([
  'file:///etc/passwd',
  'ftp://example.com/',
  'gopher://example.com/',
  'data:text/html,x',
  'javascript:alert(1)',
  'ws://example.com/',
  'blob:https://example.com/x',
  'http://user@example.com/',
  'http://user:pass@example.com/',
  'http://:pass@example.com/',
  'http://example.com@127.0.0.1/',
  'http://example.com\\@evil.example/',
  'http:\\\\example.com/',
  'http://exa mple.com/',
  ' http://example.com/',
  'http://example.com/\n',
  'ht\ntp://example.com/',
  'http://exam\tple.com/',
  'http://exam\u0000ple.com/',
  'http://',
  'http:///',
  'http://[::1',
  'http://[fe80::1%25eth0]/',
  'http://256.256.256.256/',
  'http://1.2.3.4.5.6/',
  'http://example.com:99999/',
  '//example.com/',
  'example.com',
  '/etc/passwd',
  '',
  `http://example.com/${'x'.repeat(9000)}`,
])('%j is no URL to fetch', (text) => {
  expect(decideUrl(text)).toMatchObject({ allow: false, fault: 'form' })
})

test.each([
  ['http://example.com', 'http://example.com/'],
  ['HTTPS://Example.COM:443/a?b#c', 'https://example.com/a?b#c'],
  ['http://8.8.8.8/', 'http://8.8.8.8/'],
  ['http://134744072/', 'http://8.8.8.8/'],
  ['http://[2606:4700:4700::1111]/', 'http://[2606:4700:4700::1111]/'],
  ['http://172.32.0.1/', 'http://172.32.0.1/'],
  ['http://100.128.0.1/', 'http://100.128.0.1/'],
  ['http://local.example/', 'http://local.example/'],
  ['http://münchen.example/', 'http://xn--mnchen-3ya.example/'],
])('%s is public', (text, href) => {
  const decision = decideUrl(text)
  expect(decision).toMatchObject({ allow: true, trusted: false })
  expect(decision.allow && decision.url.href).toBe(href)
})

test('the operator can allow a host, or one of its ports', () => {
  const allowHosts = ['intranet', '127.0.0.1:8080', '[::1]:80', 'wiki.internal:443']
  for (const text of [
    'http://intranet/',
    'https://intranet:9/',
    'http://127.1:8080/',
    'http://[::1]/',
    'https://wiki.internal/',
  ])
    expect(decideUrl(text, allowHosts), text).toMatchObject({ allow: true, trusted: true })
  for (const text of [
    'http://127.0.0.1/',
    'http://127.0.0.1:8081/',
    'http://127.0.0.2:8080/',
    'http://[::1]:81/',
    'http://wiki.internal/',
    'http://x.intranet.local/',
  ])
    expect(decideUrl(text, allowHosts), text).toMatchObject({ allow: false })
  expect(decideUrl('http://user@intranet/', allowHosts)).toMatchObject({ allow: false })
  expect(decideUrl('ftp://intranet/', allowHosts)).toMatchObject({ allow: false })
  expect(decideUrl('http://localhost/', ['', '*', '/', 'http://localhost', 'x@localhost'])).toMatchObject({
    allow: false,
  })
})

test('addresses are decided as the system writes them', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700::1', '2a00:1450::1'])
    expect(decideAddress(address)).toEqual({ allow: true })
  for (const address of [
    '127.0.0.1',
    '::1',
    '::ffff:8.8.8.8',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    'localhost',
    '',
    '8.8.8.8:80',
  ])
    expect(decideAddress(address), address).toMatchObject({ allow: false })
  expect(decideAddress('169.254.169.254')).toMatchObject({
    reason: '169.254.169.254 is a link-local or metadata address',
  })
})
