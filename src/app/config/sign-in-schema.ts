import { name } from './name-schema.ts'

export const signIn = {
  type: 'object',
  description:
    'Lets people sign in to the console by OpenID Connect. The redirect URI of the client is /console/sign-in/callback at publicUrl, else at the address of the server.',
  additionalProperties: false,
  required: ['issuer', 'clientId', 'clientSecret', 'rights'],
  properties: {
    issuer: {
      ...name,
      pattern: '^https?://[^\\s?#]+$',
      description: 'The address of the issuer, such as https://id.example/realms/acme, exactly as its metadata has it.',
    },
    clientId: { ...name, description: 'The client that was created at the issuer, as a confidential web application.' },
    clientSecret: {
      ...name,
      description:
        'Its secret, best as a reference to an environment variable, like in headers of servers. Every replica needs the same.',
    },
    name: {
      ...name,
      maxLength: 60,
      description: 'What the sign-in page calls the issuer: "Sign in with NAME". Default: its host.',
    },
    scopes: {
      type: 'array',
      items: { ...name, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$', description: 'A scope.' },
      default: ['profile', 'email'],
      description: 'Scopes to ask for, besides openid.',
    },
    nameClaim: {
      ...name,
      default: 'preferred_username',
      description:
        'The claim that names people in the ledger, in approvers and in rights. It must not be one that people can choose freely. email counts only if it is verified.',
    },
    groupsClaim: {
      ...name,
      default: 'groups',
      description:
        'The claim with the groups of a person: an array of names. A dot leads into an object: realm_access.roles.',
    },
    rights: {
      type: 'object',
      description:
        'What people may do, by group:NAME (of the issuer, or of "groups"), by name, or "*" for all whom the issuer signs in. No one else can sign in.',
      minProperties: 1,
      propertyNames: { minLength: 1, maxLength: 300 },
      additionalProperties: {
        type: 'array',
        minItems: 1,
        uniqueItems: true,
        items: { enum: ['connect', 'view', 'approve', 'manage'], description: 'A right. The last two include view.' },
        description:
          'connect: log in to MCP servers for their own calls, which every other right includes. view: read everything. approve: answer questions, cancel and resume runs. manage: change rules and servers, call tools, end the sessions of others.',
      },
    },
  },
} as const
