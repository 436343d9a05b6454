import { auth } from './auth-schema.ts'
import { name } from './name-schema.ts'
import { signIn } from './sign-in-schema.ts'

export const http = {
  type: 'object',
  description: 'Where toolpact serve listens, and who may call.',
  additionalProperties: false,
  properties: {
    host: { ...name, default: '127.0.0.1', description: 'The address to listen on. --host overrides it.' },
    port: {
      type: 'integer',
      minimum: 0,
      maximum: 65_535,
      default: 7420,
      description: 'The port to listen on; 0 picks a free one. --port overrides it.',
    },
    workers: {
      anyOf: [{ const: 'auto' }, { type: 'integer', minimum: 1, maximum: 64 }],
      default: 1,
      description:
        'Processes that share the port and the storage, to use several processor cores; auto: one for each core. --workers overrides it.',
    },
    hosts: {
      type: 'array',
      items: { ...name, pattern: '^[^\\s/]+$', description: 'A host or host:port.' },
      description: 'Names that requests may address the server by (the Host header), beside the address it listens on.',
    },
    origins: {
      type: 'array',
      items: { ...name, pattern: '^[a-z][a-z0-9+.-]*://[^\\s/]+$', description: 'Such as https://app.example.' },
      description: 'Web origins whose pages may send requests, beside the server itself.',
    },
    publicUrl: {
      ...name,
      pattern: '^https?://[^\\s/?#@]+$',
      description:
        'The address that people reach the server by if a load balancer or proxy is in front of it, such as https://tools.example. Links to the console use it, and requests may address it.',
    },
    tls: {
      type: 'object',
      description:
        'Serve https with a certificate. Both files are read again when they change; open connections stay. TLS 1.2 or later.',
      additionalProperties: false,
      required: ['cert', 'key'],
      properties: {
        cert: { ...name, description: 'A file with the certificate and its chain in PEM, relative to this one.' },
        key: {
          ...name,
          description: 'A file with its private key in PEM, without a passphrase, relative to this one.',
        },
      },
    },
    trustedProxies: {
      type: 'array',
      items: {
        ...name,
        pattern: '^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$',
        description: 'An address, or a network such as 10.0.0.0/8.',
      },
      description:
        'Proxies whose X-Forwarded-Proto, X-Forwarded-For and X-Forwarded-Host are believed. Those of others are ignored.',
    },
    signIn,
    sessionMs: {
      type: 'integer',
      minimum: 60_000,
      maximum: 2_592_000_000,
      default: 43_200_000,
      description: 'Milliseconds after which a person must sign in to the console again.',
    },
    sessionIdleMs: {
      type: 'integer',
      minimum: 60_000,
      maximum: 2_592_000_000,
      default: 14_400_000,
      description: 'The same if their browser has asked for nothing in the meantime.',
    },
    probes: {
      enum: ['local', 'all'],
      default: 'local',
      description:
        'Who may ask /healthz and /readyz without a token: programs on this machine, or all machines, as Kubernetes does. Without a token they report only whether it is well.',
    },
    drainMs: {
      type: 'integer',
      minimum: 0,
      maximum: 300_000,
      default: 0,
      description:
        'Milliseconds that a stopping server still takes requests while /readyz reports draining, so that a load balancer can take it out first.',
    },
    public: {
      type: 'boolean',
      default: false,
      description:
        'Serve tools without a token whose contract declares public access: those that only read, touch nothing and limit their calls.',
    },
    auth,
  },
} as const
