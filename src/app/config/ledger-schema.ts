import { keepPattern } from '../../runtime/storage/ledger-keep.ts'
import { name } from './name-schema.ts'

const environmentName = { ...name, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } as const
const address = { ...name, pattern: '^https?://[^\\s]+$' } as const
const verifierKey = { ...name, pattern: '^[^\\s+]+\\+[0-9a-f]{8}\\+[A-Za-z0-9+/=]+$' } as const

const signing = {
  type: 'object',
  description:
    'Who signs the checkpoints of the ledger: a key in a file, or a program. Without it, a key in the state directory (with Postgres, in the database) does, which proves nothing against someone who can write there.',
  additionalProperties: false,
  properties: {
    key: {
      ...name,
      description:
        'A file with an Ed25519 private key (PEM, PKCS #8), relative to this one and outside the state directory.',
    },
    command: {
      type: 'array',
      items: { type: 'string', description: 'The program, or one of its arguments.' },
      minItems: 1,
      maxItems: 100,
      description:
        'A program and its arguments, run without a shell. It reads the text to sign from stdin and prints the Ed25519 signature in base64 within 10 s. Needs publicKey.',
    },
    publicKey: {
      ...verifierKey,
      description: 'The public key that belongs to the command, in the form name+id+key of a C2SP signed note.',
    },
    origin: {
      ...name,
      pattern: '^[^\\s+]{1,255}$',
      description:
        'The name of this ledger in its checkpoints, such as example.com/ledger. Default: toolpact/ledger/ and an id of the ledger; with a command, the name of its key.',
    },
    formerKeys: {
      type: 'array',
      items: { ...verifierKey, description: 'A public key, as toolpact ledger key prints it.' },
      maxItems: 100,
      description: 'Public keys that signed older checkpoints of this ledger.',
    },
  },
} as const

const checkpoints = {
  type: 'array',
  description:
    'Where checkpoints are sent after they are signed, so that later changes of the whole ledger are noticed. Each entry has one of file, webhook, toolpact and witness.',
  maxItems: 20,
  items: {
    type: 'object',
    description: 'One place that keeps checkpoints.',
    additionalProperties: false,
    minProperties: 1,
    properties: {
      file: {
        ...name,
        description: 'A file, relative to this one. Best on another machine or a disk that only appends.',
      },
      write: {
        enum: ['append', 'replace'],
        description: 'Whether the file keeps every checkpoint or the newest. Default: append.',
      },
      webhook: { ...address, description: 'An address to post to. A private one must be in policy.allowHosts.' },
      secretEnv: {
        ...environmentName,
        description: 'Of a webhook: name of the environment variable with the secret that signs each request.',
      },
      toolpact: {
        ...address,
        description: 'The address of another Toolpact server, which checks and keeps the checkpoints.',
      },
      tokenEnv: {
        ...environmentName,
        description: 'Of another Toolpact: name of the environment variable with a token for it.',
      },
      witness: { ...address, description: 'The address of a witness that speaks C2SP tlog-witness.' },
      publicKey: { ...verifierKey, description: 'Of a witness: its public key, which its cosignatures must fit.' },
    },
  },
} as const

export const ledger = {
  type: 'object',
  description: 'How the record of every call is kept.',
  additionalProperties: false,
  properties: {
    fsync: {
      enum: ['writes', 'all'],
      default: 'writes',
      description: 'Which calls wait for fsync: those that change something, or all.',
    },
    keep: {
      type: 'string',
      pattern: keepPattern,
      description:
        'How much of the ledger stays in the database, in days (90d) or bytes (500MB, 10GB). Older entries are moved into archive files, which can be verified. Default: everything.',
    },
    archiveFolder: {
      ...name,
      description:
        'Where archives are written, relative to this file. Servers that share Postgres need it for keep: a folder that all of them reach. Default: archive in the state directory.',
    },
    whenUnavailable: {
      enum: ['refuse', 'journal'],
      default: 'refuse',
      description:
        'What calls that only read do while Postgres is unavailable: end with ledger_unavailable, or continue, recorded in a journal in the state directory that is merged later. Other calls always end.',
    },
    signing,
    checkpoints,
  },
} as const
