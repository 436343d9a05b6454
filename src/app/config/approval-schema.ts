import { name } from './name-schema.ts'

export const ask = {
  enum: ['client', 'queue', 'both', 'console'],
  default: 'client',
  description:
    "Where served calls are asked about: in the client's own dialog (clients without one: in the queue), in the queue of toolpact approvals, in both at once, or on a page of the console that clients open (others: in the queue). --ask-in overrides it.",
} as const

const webhook = {
  type: 'object',
  description: 'Posts each new question to an address, without its input.',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: {
      ...name,
      pattern: '^https?://[^\\s]+$',
      description: 'The address. A private one must be in policy.allowHosts.',
    },
    secretEnv: {
      ...name,
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      description: 'Name of the environment variable with the secret that signs each request; never the secret itself.',
    },
  },
} as const

const notify = {
  type: 'object',
  description: 'Notifies people of new questions while serving.',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    webhook,
    command: {
      type: 'array',
      items: { type: 'string', description: 'The program, or one of its arguments.' },
      minItems: 1,
      maxItems: 100,
      description:
        'A program and its arguments, run without a shell for each new question. Environment variables TOOLPACT_QUESTION_* describe it.',
    },
  },
} as const

export const approval = {
  type: 'object',
  description: 'How served calls that need approval are asked about.',
  additionalProperties: false,
  properties: {
    ask,
    waitMs: {
      type: 'integer',
      minimum: 0,
      maximum: 86_400_000,
      default: 45_000,
      description:
        'Milliseconds that a call waits in the queue before it ends with approval_required. Keep it below the time after which clients give up. --wait overrides it for clients that accept progress.',
    },
    keepMs: {
      type: 'integer',
      minimum: 1000,
      maximum: 2_592_000_000,
      default: 600_000,
      description:
        'Milliseconds that a question can be answered after its call has ended, and its answer be used: up to 30 days. Restarts do not end it.',
    },
    notify,
  },
} as const

export const groups = {
  type: 'object',
  description:
    'Groups of people and callers, for "who" in approvers and in rules, and for callers. Groups that tokens name count too.',
  propertyNames: { pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$' },
  additionalProperties: {
    type: 'array',
    items: { ...name, description: 'Name of a person.' },
    description: 'Names of people.',
  },
} as const

export const approvers = {
  type: 'array',
  description:
    'Who may answer questions about calls. The first entry that matches a call applies to it. Without one, any person may answer, and so may the user of the client.',
  items: {
    type: 'object',
    description: 'Applies to calls that match both tools and risk. Without either, to every call.',
    additionalProperties: false,
    properties: {
      tools: {
        type: 'array',
        minItems: 1,
        items: {
          ...name,
          pattern: '^[A-Za-z][A-Za-z0-9_-]*\\.([*]|[A-Za-z][A-Za-z0-9_.:-]*)$',
          description: 'The full id of a tool, or learning.* for each tool of a toolset.',
        },
        description: 'The tools. Default: all.',
      },
      risk: {
        type: 'array',
        minItems: 1,
        items: { enum: ['read_only', 'safe_write', 'dangerous'], description: 'A risk, as contracts declare it.' },
        description: 'The risks of the tools. Default: all.',
      },
      who: {
        type: 'array',
        minItems: 1,
        items: { ...name, description: 'Name of a person, or group:NAME.' },
        description:
          'Who may answer: user names of this machine, callers of tokens, names of people who sign in to the console. Default: any person, but not over REST.',
      },
      people: {
        type: 'integer',
        minimum: 1,
        maximum: 2,
        default: 1,
        description: 'How many different people must say yes. One no is enough to refuse.',
      },
      callerMayAnswer: {
        type: 'boolean',
        default: false,
        description: 'Whether the person who makes the call may answer the question about it.',
      },
      clientMayAnswer: {
        type: 'boolean',
        default: false,
        description:
          "Whether an answer in the client's own dialog counts. It never does where two people must say yes.",
      },
    },
  },
} as const
