import { formerKeys, toolsetSettings } from '../../toolsets/settings.ts'
import { agent } from './agent-schema.ts'
import { approval, approvers, ask, groups } from './approval-schema.ts'
import { http } from './http-schema.ts'
import { ledger } from './ledger-schema.ts'
import { limits } from './limits-schema.ts'
import { model } from './model-schema.ts'
import { name } from './name-schema.ts'
import { policy } from './policy-schema.ts'
import { contractFolder, isolationModes, mcpServer, withoutOutputSchema } from './server-schema.ts'
import { storage } from './storage-schema.ts'
import { tasks } from './tasks-schema.ts'
import { telemetry } from './telemetry-schema.ts'
import { tenants } from './tenants-schema.ts'
import { vault } from './vault-schema.ts'

/** What `toolpact export` writes. */
const formats = [
  'mcp',
  'openapi',
  'openai',
  'anthropic',
  'gemini',
  'markdown',
  'types',
  'validators',
  'contracts',
  'errors',
  'contract-schema',
  'workflow-schema',
  'config-schema',
] as const

export type Format = (typeof formats)[number]

/** The schema of `toolpact.json`, published as schemas/config.schema.json. docs/config.md explains each key. */
export const configSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Toolpact configuration',
  description: 'The settings in a toolpact.json. All are optional.',
  type: 'object',
  // Which keys are allowed here is only known once all toolsets are: see toolset-settings.ts.
  additionalProperties: { type: 'object', description: 'The settings of a toolset of your own, by its name.' },
  properties: {
    $schema: { type: 'string', description: 'Where an editor finds this schema.' },
    workspace: {
      ...name,
      description: 'The folder that tools work in, relative to this file. --workspace overrides it.',
    },
    toolsets: {
      type: 'array',
      items: { ...name, description: 'Name of a toolset.' },
      minItems: 1,
      uniqueItems: true,
      description:
        'The toolsets to use, MCP servers included. Default: all; for toolpact serve, what is configured, else workspace. --toolset overrides it.',
    },
    names: {
      enum: ['plain', 'dotted'],
      description:
        'How tools are named in the lists of MCP and REST: workspace_create_file, which every client and model accepts, or workspace.create_file. Calls accept both. Default: plain.',
    },
    ledger,
    storage,
    tenants,
    vault,
    redact: {
      type: 'array',
      items: { ...name, description: 'Name of an environment variable.' },
      description:
        'Environment variables whose values never reach the ledger, beside those that are named like secrets.',
    },
    policy,
    approval,
    approvers,
    groups,
    limits: {
      type: 'object',
      description:
        'Limits that override those of the contracts, by tool (learning.hello) or for each tool of a toolset (learning.*). A limit of the tool itself overrides that of its toolset.',
      propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_-]*\\.([*]|[A-Za-z][A-Za-z0-9_.:-]*)$' },
      additionalProperties: {
        type: 'object',
        description: 'The limits of one tool, or of each tool of a toolset.',
        additionalProperties: false,
        properties: limits,
      },
    },
    callers: {
      type: 'object',
      description:
        'Which tools each caller may use, and where its calls are asked about, by its name, by a group (group:ops) or by a claim of its token (claim:department=ops); "*" is any caller without such a setting of its own. A name overrides groups and claims, whose tools are united. Other tools are unknown to it. Callers without a list of tools may use every tool if there is no "*"; not so callers of an issuer if there is a list of a group or claim.',
      propertyNames: {
        anyOf: [{ pattern: '^group:.' }, { pattern: '^claim:[^=]+=.' }, { not: { pattern: '^(group|claim):' } }],
      },
      additionalProperties: {
        type: 'object',
        description: 'What one caller may use, and where its calls are asked about.',
        additionalProperties: false,
        minProperties: 1,
        properties: {
          tools: {
            type: 'array',
            items: {
              ...name,
              pattern: '^[A-Za-z*][A-Za-z0-9_.:*-]*$',
              description: 'The full id of a tool; * matches any characters, as in learning.* or *.read_*.',
            },
            description: 'The tools that it may use; an empty list allows none.',
          },
          approval: {
            type: 'object',
            description: 'How its calls that need approval are asked about.',
            additionalProperties: false,
            required: ['ask'],
            properties: { ask },
          },
        },
      },
    },
    generated: {
      type: 'object',
      description:
        'Files that toolpact export wrote: the path relative to this file, and the format. toolpact check reports which are out of date.',
      propertyNames: { pattern: '^(?!/)(?!(.*/)?\\.\\.(/|$))[^\\\\:]+$' },
      additionalProperties: { enum: formats, description: 'The format, as toolpact export names it.' },
    },
    http,
    telemetry,
    model,
    agent,
    ...toolsetSettings,
    ...toFormer(),
    contracts: {
      type: 'array',
      items: {
        description: 'A folder, relative to this file; or an object, to confine its handlers.',
        anyOf: [{ ...name, description: 'A folder, relative to this file.' }, contractFolder],
      },
      minItems: 1,
      uniqueItems: true,
      description: 'Folders of contracts and handlers of your own, each served as a toolset. --contracts adds one.',
    },
    living: {
      type: 'array',
      items: {
        ...name,
        pattern: '^(?!/)(?!(.*/)?\\.\\.(/|$))[^\\\\:]+$',
        description: 'A path, relative to this file.',
      },
      minItems: 1,
      uniqueItems: true,
      description: 'Markdown documents that must match the contracts. toolpact check reports where they do not.',
    },
    mcpServers: {
      type: 'object',
      description: 'MCP servers whose tools are served too, in the format of other clients.',
      propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' },
      additionalProperties: mcpServer,
    },
    listWaitMs: {
      type: 'integer',
      minimum: 0,
      maximum: 600_000,
      description:
        'Milliseconds that the first list of tools waits for MCP servers whose tools are not known from an earlier start. Default: 8000.',
    },
    withoutOutputSchema: {
      enum: withoutOutputSchema,
      description:
        'What to do with tools of MCP servers that declare no output schema, unless the entry of the server sets it: quote their results as data, or leave the tools out. Default: refuse.',
    },
    isolation: {
      enum: isolationModes,
      description:
        'Whether the processes of MCP servers are confined, unless the entry of the server sets it. auto: those to which something was granted (read, write, network), where a sandbox works. required: all, and a server that cannot be confined does not start. Default: auto.',
    },
    catalogue: {
      enum: ['all', 'search'],
      description:
        'What MCP clients list: every tool, or search_tools and what their session has found. Default: all. --catalogue overrides it.',
    },
    tasks,
    lock: {
      enum: ['optional', 'required'],
      description:
        'Whether tools of MCP servers must be accepted into toolpact.lock before they can be used. required: tools that are not accepted, or whose server has changed its identity, are withheld. Default: optional.',
    },
    drift: {
      enum: ['keep', 'strict'],
      description:
        'What happens when an MCP server changes the definition of an accepted tool only in wording or in a call-compatible way. keep: the accepted definition stays in use and a review opens. strict: the tool is withheld until the change is accepted. Default: keep.',
    },
  },
} as const

type Former = {
  readonly [Key in keyof typeof formerKeys]: (typeof toolsetSettings)[(typeof formerKeys)[Key]]
}

function toFormer(): Former {
  const entries = Object.entries(formerKeys).map(([key, toolset]) => {
    const description = `The former name of ${toolset}. Write ${toolset} instead.`
    return [key, { ...toolsetSettings[toolset], description, deprecated: true }]
  })
  return Object.fromEntries(entries)
}
