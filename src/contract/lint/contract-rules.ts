import { type Contract, fieldEffects } from '../contract.ts'
import { callableNameForm, placePattern, versionForm } from '../forms.ts'
import { findHidden } from '../text/hidden-characters.ts'
import { toTransports } from '../transport.ts'
import { type Finding, pointTo } from './lint-problem.ts'
import { isSchemaObject, type SchemaObject, typesOf } from './walk-schema.ts'

export function checkName({ name }: Contract): Finding[] {
  if (callableNameForm.test(name)) return []
  return [
    {
      pointer: '/name',
      message: `${JSON.stringify(name)} cannot be the name of a tool.`,
      fix: 'Use a letter, then up to 63 letters, digits, _ . or -.',
    },
  ]
}

/** Models choose a tool by its description. */
export function checkDescription({ name, description }: Contract): Finding[] {
  const message = isEmptyTalk(name, description)
  if (!message) return []
  return [{ pointer: '/description', message, fix: 'Describe in a sentence what the tool does and when to use it.' }]
}

function isEmptyTalk(name: string, description: string): string | undefined {
  const words = description.trim().split(/\s+/).filter(Boolean)
  if (words.length === 0) return 'The description is empty.'
  if (/\b(TODO|TBD|FIXME)\b/.test(description) || /^(todo|tbd)\W*$/i.test(description))
    return 'The description is still to be written.'
  if (fold(description) === fold(name)) return 'The description only repeats the name.'
  if (words.length < 3) return 'The description is too short to say what the tool does.'
  return undefined
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

export function checkDescriptionEnds({ description }: Contract): Finding[] {
  if (description.trim() === '' || /[.!?…。]['")\]]*$/.test(description.trim())) return []
  return [
    {
      pointer: '/description',
      message: 'The description does not end as a sentence; it may have been cut off.',
      fix: 'End it with a full stop.',
    },
  ]
}

export function checkVersion({ version }: Contract): Finding[] {
  if (versionForm.test(version)) return []
  return [
    {
      pointer: '/version',
      message: `${JSON.stringify(version)} is not a semantic version.`,
      fix: 'Write three numbers, such as 1.0.0.',
    },
  ]
}

function isPlace(text: string): boolean {
  return new RegExp(placePattern, 'u').test(text) && findHidden(text, 'exact') === undefined
}

/** Transport and endpoint appear in lists and documents: one line each. */
export function checkPlace(contract: Contract): Finding[] {
  return (['transport', 'endpoint'] as const)
    .filter((field) => contract[field] !== undefined && !isPlace(contract[field]))
    .map((field) => ({
      pointer: `/${field}`,
      message: `The ${field} is not one line of visible text with up to 200 characters.`,
      fix: field === 'transport' ? 'Write it like mcp (stdio), or leave it out.' : 'Write a name or an address, or leave it out.', // biome-ignore format: one line
    }))
}

/** An unknown transport is of no use to callers. */
export function checkTransport({ transport }: Contract): Finding[] {
  if (transport === undefined || toTransports(transport).size > 0) return []
  return [
    {
      pointer: '/transport',
      message: `The transport ${JSON.stringify(transport)} does not name a known transport.`,
      fix: 'Name mcp, stdio, http or rest, as in mcp (stdio).',
    },
  ]
}

/** Limits are integers that allow at least one call. */
export function checkLimits({ limits }: Contract): Finding[] {
  const bounds: [value: number | undefined, min: number, ...path: string[]][] = [
    [limits.timeoutMs, 1, 'timeoutMs'],
    [limits.inputBytes, 2, 'inputBytes'],
    [limits.outputBytes, 2, 'outputBytes'],
    [limits.concurrency, 1, 'concurrency'],
    [limits.calls?.count, 1, 'calls', 'count'],
    [limits.calls?.windowMs, 1, 'calls', 'windowMs'],
  ]
  return bounds
    .filter(([value, min]) => value !== undefined && !(Number.isSafeInteger(value) && value >= min))
    .map(([value, min, ...path]) => ({
      pointer: pointTo('/limits', ...path),
      message: `The limit ${path.join('.')} is ${value}, so no call could succeed, or nothing is limited.`,
      fix: `Use an integer of at least ${min}, or omit it.`,
    }))
}

const maxTimeoutMs = 3_600_000

export function checkTimeout({ limits }: Contract): Finding[] {
  if (!(limits.timeoutMs > maxTimeoutMs)) return []
  return [
    {
      pointer: '/limits/timeoutMs',
      message: 'The timeout is longer than an hour; callers give up long before that.',
      fix: 'Split the work into shorter calls, or use one call to start it and another to get the result.',
    },
  ]
}

/** Policy and approval read these input fields, so each must exist and be a string or a list of strings. */
export function checkEffects({ effects, input }: Contract): Finding[] {
  const properties: SchemaObject = isSchemaObject(input?.properties) ? input.properties : {}
  return fieldEffects.flatMap((effect) => {
    const names: unknown = effects[effect]
    return (Array.isArray(names) ? names : []).flatMap((name: string, index) => {
      const pointer = pointTo('/effects', effect, index)
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (!isSchemaObject(property)) {
        const message = `The effect ${effect} names '${name}', which the input does not declare.`
        return [{ pointer, message, fix: `Name a property of the input, or declare '${name}' there.` }]
      }
      if (isText(property) || (isSchemaObject(property.items) && isText(property.items))) return []
      const message = `The effect ${effect} names '${name}', which is neither a string nor a list of strings.`
      return [{ pointer, message, fix: `Give '${name}' the type string, or name another property.` }]
    })
  })
}

/** The data flow decides which later calls need approval, so a mistake here would go unnoticed. */
export function checkDataFlow({ effects }: Contract): Finding[] {
  const { returns = [], sendsTo = [], askPerHost, fetches = [], sends = [] } = effects
  const kinds: readonly string[] = ['private', 'untrusted']
  return [
    ...returns.flatMap((kind, index) => {
      if (kinds.includes(kind)) return []
      const message = `${JSON.stringify(kind)} is not a kind of data that an output carries.`
      return [{ pointer: pointTo('/effects/returns', index), message, fix: 'Write private or untrusted.' }]
    }),
    ...sendsTo.flatMap((receiver, index) => {
      if (isPlace(receiver)) return []
      const message = `The receiver ${JSON.stringify(receiver)} is not one line of visible text.`
      return [{ pointer: pointTo('/effects/sendsTo', index), message, fix: 'Write a host such as api.example.com.' }]
    }),
    ...(askPerHost && fetches.length + sends.length === 0
      ? [
          {
            pointer: '/effects/askPerHost',
            message: 'The tool asks once per host, but no input property names a host.',
            fix: 'Name the property under fetches or sends, or leave askPerHost out.',
          },
        ]
      : []),
  ]
}

function isText(schema: SchemaObject): boolean {
  const types = typesOf(schema)
  if (types) return types.includes('string')
  return [schema.const, ...(Array.isArray(schema.enum) ? schema.enum : [])].some((value) => typeof value === 'string')
}

/** The effects of a tool set the minimum risk that it must declare. */
export function checkRisk({ risk, effects }: Contract): Finding[] {
  if (risk !== 'read_only') return []
  return (['writes', 'runs'] as const)
    .filter((effect) => (effects[effect]?.length ?? 0) > 0)
    .map((effect) => ({
      pointer: '/risk',
      message: `The tool ${effect} something, so it is not read_only.`,
      fix:
        effect === 'runs' ? "Write risk: 'dangerous'." : "Write risk: 'safe_write', or 'dangerous' if it can destroy.",
    }))
}

export function checkApproval({ risk, approval }: Contract): Finding[] {
  if (risk !== 'dangerous' || approval !== 'never') return []
  return [
    {
      pointer: '/approval',
      message: 'The tool is dangerous but runs without approval.',
      fix: "Write approval: 'ask', or leave it out.",
    },
  ]
}
