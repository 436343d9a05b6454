import { name } from './name-schema.ts'

/** Neither a quote nor a backslash: they are sent in `WWW-Authenticate`. */
const word = { ...name, pattern: '^[!#-\\[\\]-~]+$' } as const

const issuer = {
  type: 'object',
  description: 'An issuer of tokens (JWT).',
  additionalProperties: false,
  required: ['issuer', 'audience'],
  properties: {
    issuer: { ...name, description: 'The required value of the claim iss, as the issuer writes it.' },
    jwks: {
      ...name,
      description:
        "The issuer's public keys (a JWK set): an https address, or a file, relative to this one. Default: where the metadata of the issuer says.",
    },
    audience: { ...name, description: 'The value that the claim aud must be or contain.' },
    name: {
      ...name,
      pattern: '^[a-z][a-z0-9-]{0,31}$',
      description:
        'A short name. Callers, groups and claims of this issuer are then NAME/…, as in corp/ada and group:corp/ops. With several issuers, all but one need a name.',
    },
    caller: {
      ...word,
      description: 'The claim that names the caller, for limits, rules, callers and the ledger. Default: sub.',
    },
    groups: {
      ...word,
      description:
        'The claim that lists the groups of the caller; a path such as realm_access.roles reaches into an object. Default: groups.',
    },
    skewSeconds: {
      type: 'integer',
      minimum: 0,
      maximum: 600,
      description: 'How many seconds the clock of the issuer may differ. Default: 60.',
    },
    scopes: {
      type: 'object',
      description: 'The scopes that its tokens need. Default: none.',
      additionalProperties: false,
      minProperties: 1,
      properties: {
        any: { ...word, description: 'The scope that any request needs.' },
        safe_write: { ...word, description: 'The scope for calls of tools whose risk is safe_write.' },
        dangerous: { ...word, description: 'The scope for calls of tools whose risk is dangerous.' },
      },
    },
  },
} as const

export const auth = {
  description: 'Accept signed tokens (JWT) of an issuer, or of several, instead of the tokens that Toolpact creates.',
  anyOf: [issuer, { type: 'array', description: 'Several issuers.', minItems: 1, maxItems: 20, items: issuer }],
} as const
