export interface SecretShape {
  readonly kind: string
  /** Literal prefix: the pattern is tried only there. */
  readonly prefix: string
  /** Sticky. If it has a group, the group is the secret, and it needs the flag `d`. */
  readonly pattern: RegExp
  /** For truncated text: matches up to its end. */
  readonly cutPattern?: RegExp
  /** Final check, to exclude lookalikes. */
  readonly check?: (secret: string) => boolean
}

/** Not within a longer run of token characters; otherwise `sk-sk-sk-…` would be scanned again at each `sk-`. */
const start = '(?:(?<![\\w-])|(?<=\\\\[nrt])|(?<=%[0-9A-Fa-f]{2}))'
const schemes = '(?:basic|bearer|token|digest|negotiate|apikey|Basic|Bearer|Token|Digest|Negotiate|ApiKey)'

/** Published token formats. No nested quantifiers, so each matches in linear time. */
export const toSecretShapes = (): SecretShape[] => [
  ...tokens('anthropic key', ['sk-ant-'], '[\\w-]{20,}'),
  ...tokens('openai key', ['sk-'], '[\\w-]{20,}', hasRandomRun),
  ...tokens('stripe key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], '[A-Za-z0-9]{16,}'),
  ...tokens('webhook secret', ['whsec_'], '[A-Za-z0-9+/=]{24,}'),
  ...tokens('github token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], '[A-Za-z0-9_]{36,}'),
  ...tokens('github token', ['github_pat_'], '[A-Za-z0-9_]{36,}'),
  ...tokens('gitlab token', ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-', 'glsoat-', 'gloas-'], '[\\w.-]{20,}'),
  ...tokens('slack token', ['xox'], '[a-eo-s][-.][A-Za-z0-9%-]{10,}', hasDigit),
  ...tokens('slack token', ['xapp-'], '[A-Za-z0-9-]{20,}', hasDigit),
  ...tokens('slack webhook', ['hooks.slack.com/services/'], '[A-Za-z0-9/]{20,}'),
  ...tokens('aws access key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], '[A-Z0-9]{16}(?![A-Za-z0-9])'),
  ...tokens('google api key', ['AIza'], '[\\w-]{35}(?![\\w-])'),
  ...tokens('google token', ['ya29.', 'GOCSPX-'], '[\\w-]{20,}'),
  ...tokens('npm token', ['npm_'], '[A-Za-z0-9]{36,}'),
  ...tokens('pypi token', ['pypi-'], '[\\w-]{50,}'),
  ...tokens('hugging face token', ['hf_'], '[A-Za-z0-9]{30,}'),
  ...tokens('sendgrid key', ['SG.'], '[\\w-]{16,64}\\.[\\w-]{16,}'),
  ...tokens('digitalocean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], '[a-f0-9]{64}'),
  ...tokens('shopify token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], '[A-Fa-f0-9]{32}'),
  ...tokens('databricks token', ['dapi'], '[a-f0-9]{32}(?![a-z0-9])'),
  ...tokens('vault token', ['hvs.', 'hvb.'], '[\\w-]{24,}'),
  ...tokens('toolpact token', ['toolpact_'], '[\\w-]{43,}'),
  ...tokens('groq key', ['gsk_'], '[A-Za-z0-9]{40,}'),
  ...tokens('xai key', ['xai-'], '[A-Za-z0-9]{60,}'),
  ...tokens('perplexity key', ['pplx-'], '[A-Za-z0-9]{40,}'),
  ...tokens('replicate token', ['r8_'], '[A-Za-z0-9]{37}'),
  ...tokens('docker token', ['dckr_pat_', 'dckr_oat_'], '[\\w-]{20,}'),
  ...tokens('linear key', ['lin_api_'], '[A-Za-z0-9]{32,}'),
  ...tokens('notion token', ['ntn_'], '[A-Za-z0-9]{40,}'),
  ...tokens('supabase token', ['sbp_'], '[a-f0-9]{40}'),
  ...tokens('figma token', ['figd_'], '[\\w-]{30,}'),
  ...tokens('atlassian token', ['ATATT3'], '[\\w=-]{100,}'),
  ...tokens('grafana token', ['glsa_'], '[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}'),
  ...tokens('planetscale token', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], '[\\w.-]{30,}'),
  ...tokens('tailscale key', ['tskey-'], '[a-z]{2,16}-[\\w-]{20,}'),
  ...tokens('age key', ['AGE-SECRET-KEY-1'], '[0-9A-Z]{50,}'),
  {
    kind: 'jwt',
    prefix: 'eyJ',
    pattern: new RegExp(`${start}eyJ[\\w-]{8,}\\.[\\w-]{2,}\\.[\\w-]*(?:\\.[\\w-]+\\.[\\w-]+)?`, 'y'),
    cutPattern: new RegExp(`${start}eyJ[\\w-]*(?:\\.[\\w-]*)?$`, 'y'),
  },
  {
    kind: 'private key',
    prefix: '-----BEGIN ',
    // Up to the end marker; without one, as far as it looks like a key.
    pattern: new RegExp(
      '-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----' +
        '(?:[\\w+/=\\s\\\\:,.()-]{16,16384}?-----END [A-Z0-9 ]{1,64}-----|[\\w+/=\\s\\\\:,-]{16,})',
      'y',
    ),
  },
  ...['Bearer', 'bearer', 'BEARER'].map((prefix) => ({
    kind: 'bearer token',
    prefix,
    pattern: new RegExp(`${prefix}(?:\\s{1,4}|%20)([\\w.~+/-]{16,}=*)`, 'dy'),
    check: hasDigit,
  })),
  ...['Authorization', 'authorization', 'AUTHORIZATION'].map((prefix) => ({
    kind: 'authorization',
    prefix,
    pattern: new RegExp(
      `${prefix}\\\\?["']?\\s{0,4}[:=]\\s{0,4}\\\\?["'\`]?${schemes}\\s{1,4}([\\w.~+/=:-]{6,})`,
      'dy',
    ),
    check: looksMade,
  })),
  ...['Cookie', 'cookie', 'COOKIE'].map((prefix) => ({
    kind: 'cookie',
    prefix,
    pattern: new RegExp(`${prefix}:\\s{0,4}([^\\s=;:"'\`]{1,128}=[^\\r\\n"'\`\\\\]{4,})`, 'dy'),
  })),
  {
    kind: 'password in a url',
    prefix: '://',
    pattern: /:\/\/[^\s/:@"'`<>\\]*:([^\s/"'`<>\\]+)@/dy,
    check: (secret: string) => !/^[${*[]/.test(secret),
  },
]

function tokens(kind: string, prefixes: string[], body: string, check?: (secret: string) => boolean): SecretShape[] {
  return prefixes.map((prefix) => {
    const pattern = new RegExp(`${check ? start : ''}${prefix.replaceAll('.', '\\.')}${body}`, 'y')
    return check ? { kind, prefix, pattern, check } : { kind, prefix, pattern }
  })
}

function hasDigit(text: string): boolean {
  return /\d/.test(text)
}

/** Hyphenated words are a name (`sk-learn-contrib-…`); a key has a long run of letters and digits. */
function hasRandomRun(text: string): boolean {
  return text.split(/[-_]/).some((run) => run.length >= 12 && /\d/.test(run) && /[A-Za-z]/.test(run))
}

/** Excludes words and placeholders such as `YOUR_TOKEN`. */
export function looksMade(text: string): boolean {
  return /\d|[a-z][A-Z]/.test(text)
}
