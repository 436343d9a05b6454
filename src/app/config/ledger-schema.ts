import { keepPattern } from '../../runtime/storage/ledger-keep.ts'

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
  },
} as const
