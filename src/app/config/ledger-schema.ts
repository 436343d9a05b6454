import { keepPattern } from '../../runtime/storage/ledger-keep.ts'
import { name } from './name-schema.ts'

const verifierKey = { ...name, pattern: '^[^\\s+]+\\+[0-9a-f]{8}\\+[A-Za-z0-9+/=]+$' } as const

const signing = {
  type: 'object',
  description:
    'Who signs the checkpoints of the ledger: a key in a file, or a program. Without it, a key in the state directory does, which proves nothing against someone who can write there.',
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
    signing,
  },
} as const
