import { describe, expect, test } from 'vitest'
import { findSecrets } from './secrets.ts'

/** Made up by repetition, so that nobody takes them for real ones, here or in a scan of this repository. */
const alphanumeric = (length: number) => 'a1B2c3D4e5'.repeat(Math.ceil(length / 10)).slice(0, length)
const hex = (length: number) => '0a1b2c3d4e'.repeat(Math.ceil(length / 10)).slice(0, length)
const upper = (length: number) => 'A1B2C3D4E5'.repeat(Math.ceil(length / 10)).slice(0, length)
const jwt = `eyJ${alphanumeric(30)}.eyJ${alphanumeric(60)}.${alphanumeric(43)}`
const keyBody = `${alphanumeric(64)}\n`.repeat(4)

const tokens: [kind: string, token: string][] = [
  ['openai key', `sk-${alphanumeric(48)}`],
  ['openai key', `sk-proj-${alphanumeric(40)}_${alphanumeric(40)}-${alphanumeric(20)}`],
  ['openai key', `sk-or-v1-${hex(64)}`],
  ['anthropic key', `sk-ant-api03-${alphanumeric(93)}AA`],
  ['stripe key', `sk_live_${alphanumeric(24)}`],
  ['stripe key', `rk_test_${alphanumeric(24)}`],
  ['webhook secret', `whsec_${alphanumeric(32)}`],
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => pair('github token', prefix + alphanumeric(36))),
  ['github token', `github_pat_${alphanumeric(22)}_${alphanumeric(59)}`],
  ['gitlab token', `glpat-${alphanumeric(20)}`],
  ['slack token', `xoxb-123456789012-123456789012-${alphanumeric(24)}`],
  ['slack token', `xoxe.xoxp-1-${alphanumeric(60)}`],
  ['slack token', `xapp-1-${upper(11)}-123456789012-${hex(64)}`],
  ['slack webhook', `hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${alphanumeric(24)}`],
  ['aws access key', `AKIA${upper(16)}`],
  ['aws access key', `ASIA${upper(16)}`],
  ['google api key', `AIza${alphanumeric(35)}`],
  ['google token', `ya29.${alphanumeric(80)}`],
  ['google token', `GOCSPX-${alphanumeric(28)}`],
  ['npm token', `npm_${alphanumeric(36)}`],
  ['pypi token', `pypi-${alphanumeric(120)}`],
  ['hugging face token', `hf_${alphanumeric(34)}`],
  ['sendgrid key', `SG.${alphanumeric(22)}.${alphanumeric(43)}`],
  ['digitalocean token', `dop_v1_${hex(64)}`],
  ['shopify token', `shpat_${hex(32)}`],
  ['databricks token', `dapi${hex(32)}`],
  ['vault token', `hvs.${alphanumeric(90)}`],
  ['toolpact token', `toolpact_${alphanumeric(43)}`],
  ['groq key', `gsk_${alphanumeric(52)}`],
  ['xai key', `xai-${alphanumeric(80)}`],
  ['perplexity key', `pplx-${alphanumeric(48)}`],
  ['replicate token', `r8_${alphanumeric(37)}`],
  ['docker token', `dckr_pat_${alphanumeric(27)}`],
  ['linear key', `lin_api_${alphanumeric(40)}`],
  ['notion token', `ntn_${alphanumeric(46)}`],
  ['supabase token', `sbp_${hex(40)}`],
  ['figma token', `figd_${alphanumeric(40)}`],
  ['atlassian token', `ATATT3xFfGF0${alphanumeric(180)}=${upper(8)}`],
  ['grafana token', `glsa_${alphanumeric(32)}_${hex(8)}`],
  ['planetscale token', `pscale_tkn_${alphanumeric(43)}`],
  ['tailscale key', `tskey-auth-${alphanumeric(17)}-${alphanumeric(32)}`],
  ['age key', `AGE-SECRET-KEY-1${upper(58)}`],
  ['jwt', jwt],
  ['private key', `-----BEGIN PRIVATE KEY-----\n${keyBody}-----END PRIVATE KEY-----`],
  ['private key', `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${keyBody}-----END RSA PRIVATE KEY-----`],
  ['private key', `-----BEGIN OPENSSH PRIVATE KEY-----\\n${alphanumeric(64)}\\n-----END OPENSSH PRIVATE KEY-----`],
  ['private key', `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${keyBody}=abcd\n-----END PGP PRIVATE KEY BLOCK-----`],
]

function pair(kind: string, token: string): [string, string] {
  return [kind, token]
}

describe('each published shape is found', () => {
  test.each(tokens)('%s, shape %#', (kind, token) => {
    expect(findSecrets(token)).toEqual([{ kind, start: 0, end: token.length }])
    for (const [before, after] of [
      ['the key is ', ', said Ada'],
      ['("', '")'],
      ['\n', '\n'],
      ['first line\\n', ' '],
      ['https://example.com/a%20', '%20b'],
      ['é', '…'],
      ['x/', '"'],
    ] as const) {
      const found = findSecrets(before + token + after)
      expect(found, `${before}…${after}`).toHaveLength(1)
      expect(found[0]).toMatchObject({ kind, start: before.length })
      expect(found[0]!.end).toBeGreaterThanOrEqual(before.length + token.length)
    }
  })
})

describe('a secret is found by what stands around it', () => {
  const secret = 'S3cret/Value+1'
  test.each([
    ['authorization', `curl -H "authorization: bearer ${alphanumeric(24)}"`, alphanumeric(24)],
    ['bearer token', `fetch(url, bearer ${alphanumeric(24)})`, alphanumeric(24)],
    ['bearer token', `Bearer ${alphanumeric(24)}==`, `${alphanumeric(24)}==`],
    ['authorization', "-H 'Authorization: Basic dXNlcjpwYXNz'", 'dXNlcjpwYXNz'],
    ['authorization', '{"Authorization":"Token abc123def"}', 'abc123def'],
    ['cookie', 'Cookie: session=abcdef; theme=dark', 'session=abcdef; theme=dark'],
    ['cookie', "-H 'Set-Cookie: id=abcdef; Secure'", 'id=abcdef; Secure'],
    ['password in a url', 'git clone https://ada:hunter2@example.com/x.git', 'hunter2'],
    ['password in a url', 'postgres://ada:p@ss:word@db:5432/app', 'p@ss:word'],
    ['password in a url', 'redis://:hunter2@cache', 'hunter2'],
    ['named secret', `DB_PASSWORD=${secret} psql`, secret],
    ['named secret', 'PGPASSWORD=correcthorse psql', 'correcthorse'],
    ['named secret', 'PGPASSWORD=correct=horse== psql', 'correct=horse=='],
    ['named secret', `TOKEN=${alphanumeric(3000)}`, alphanumeric(3000)],
    ['named secret', `{"token":"${alphanumeric(3000)}"}`, alphanumeric(3000)],
    ['named secret', `{"token":"${alphanumeric(3000)}`, alphanumeric(3000)],
    ['password in a url', `https://ada:${alphanumeric(600)}@example.com`, alphanumeric(600)],
    ['named secret', `export GITHUB_TOKEN='${secret}'`, secret],
    ['named secret', `https://example.com/?a=1&api_key=${secret}&b=2`, secret],
    ['named secret', `mysql --password=${secret}`, secret],
    ['named secret', `AUTHORIZATION=${secret}`, secret],
    ['named secret', `?authorization=${secret}`, secret],
    ['named secret', `{"password": "${secret}"}`, secret],
    ['named secret', `{\\"clientSecret\\":\\"${secret}\\"}`, secret],
    ['named secret', `curl -H "X-Api-Key: ${secret}"`, secret],
    ['named secret', `AccountName=a;AccountKey=${alphanumeric(40)}==;`, `${alphanumeric(40)}==`],
  ])('%s, case %#', (kind, text, expected) => {
    const start = text.indexOf(expected)
    expect(findSecrets(text).filter((found) => found.kind === kind)).toContainEqual({
      kind,
      start,
      end: start + expected.length,
    })
  })
})

test('a private key whose end is missing is found up to where it stops looking like one', () => {
  const text = `-----BEGIN EC PRIVATE KEY-----\n${keyBody}`
  expect(findSecrets(text)).toEqual([{ kind: 'private key', start: 0, end: text.length }])
})

test('text after a private key is not taken for a part of it', () => {
  const key = `-----BEGIN PRIVATE KEY-----\n${keyBody}-----END PRIVATE KEY-----`
  const found = findSecrets(`${key} is the key of Ada\n${key}`)
  expect(found).toEqual([
    { kind: 'private key', start: 0, end: key.length },
    { kind: 'private key', start: key.length + 19, end: 2 * key.length + 19 },
  ])
})

test('a jwt that the end of a cut text interrupts is found if the text goes on', () => {
  for (const end of [20, 50, 90, 110]) {
    const cut = jwt.slice(0, end)
    expect(findSecrets(cut, { isTruncated: true })).toEqual([{ kind: 'jwt', start: 0, end: cut.length }])
  }
  expect(findSecrets(jwt.slice(0, 50))).toEqual([])
})

test('several secrets are found in order', () => {
  const text = tokens.map(([, token]) => token).join(' , ')
  const found = findSecrets(text)
  expect(found.map(({ kind }) => kind)).toEqual(tokens.map(([kind]) => kind))
  expect(found.every(({ start }, index) => index === 0 || start >= found[index - 1]!.end)).toBe(true)
})

describe('ordinary text is not taken for a secret', () => {
  test.each([
    'The bearer of this letter, and the bearer authentication-scheme-described-above, need no token.',
    'Password: must be at least 8 characters. Your token is shown once; keep the secret.',
    'task-force-on-something-rather-long risk-assessment-2024-summary disk-usage-statistics-2024',
    'sk-learn-contrib-2024-py-earth-and-more sk-something-that-is-only-words',
    hex(40),
    hex(64),
    `sha256:${hex(64)}`,
    'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
    '123e4567-e89b-12d3-a456-426614174000',
    `data:image/png;base64,iVBORw0KGgo${alphanumeric(800)}=`,
    'eyJpZCI6MTIzNDU2Nzg5MCwibmV4dCI6dHJ1ZX0=',
    'const token = await readToken(request.headers)\nif (!token) throw new Error("token missing")',
    'function login(password: string, apiKey: string): Promise<Token>',
    'login(token=token, password=password, secret=settings.secret)',
    `token=readToken1(request) secret={secret} api_key=os.environ["API_KEY"] password=$PASSWORD PASSWORD=\${PASSWORD}`,
    '{"max_tokens": 4096, "token_count": "1024", "next_page_token": "CAUQAA1234"}',
    `{"token": "\${TOKEN}", "password": "<password>", "secret": "****"}`,
    `https://\${USER}:\${PASSWORD}@example.com and http://localhost:3000/@scope/package and https://example.com:8443/a@b`,
    'Authorization: Bearer YOUR_TOKEN_GOES_HERE',
    'npm_config_registry npm_package_version npm_lifecycle_event hf_hub_download',
    'AKIA is a prefix, and so are AIza, ghp_, xoxb- and eyJ',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----',
    'look for -----BEGIN PRIVATE KEY----- in it',
    'src/components/xapp-shell/index.tsx and gloas-and-glrt-x',
    'ssh git@github.com:owner/repo.git',
    'cookie: string; Cookie: the cookie header; const cookies = parse(cookie)',
    '100% of tokens, 50%',
    '',
    '=',
    ':',
    '%',
    '\\',
    '://',
  ])('%s', (text) => {
    expect(findSecrets(text)).toEqual([])
  })
})

describe('text made to be slow is read about as fast as any other', () => {
  test.each([
    'sk-sk-',
    'eyJ-',
    'eyJ.',
    'eyJaaaaaaaaaa',
    'Bearer ',
    'xoxb-',
    '://a:',
    '-----BEGIN PRIVATE KEY-----',
    'token=',
    'token="',
    "token='x",
    'token=a=',
    '://a:@',
    'Cookie:a=',
    '"token":"',
    'x-token: ',
    'Cookie:a',
    'Authorization: Basic ',
    'SG.aaaaaaaaaaaaaaaa',
    '%',
    '\\',
    '=',
    'a_',
  ])('%s …', (part) => {
    // A quadratic pattern would need hours for this, so it is the test's time limit that finds it.
    const text = part.repeat(Math.ceil(500_000 / part.length))
    expect(findSecrets(text, { isTruncated: true }).length).toBeLessThan(text.length)
  })
})
