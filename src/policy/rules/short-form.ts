import type { Contract } from '../../contract/contract.ts'
import type { JsonSchema, JsonValue } from '../../contract/json.ts'
import type { RuleAction } from '../../contract/rule.ts'
import { anyStringSource } from './compile-rule.ts'
import { escapePattern, isChoice, toCommand } from './to-rule-pattern.ts'

/**
 * Rules as people think of them: `command: git status`, `path: notes/**` or `host: docs.python.org`. They are compiled to the
 * strict form, which is what is saved and matched.
 */
export type ShortForm = { readonly pattern: string } | { readonly problem: string }

/** Compiles a short form for a tool; undefined if the text is not one. */
export function fromShort(text: string, contract: Contract, action: RuleAction): ShortForm | undefined {
  const [, kind, written] = /^\s*(command|path|host)\s*:\s*(.*?)\s*$/s.exec(text) ?? []
  if (kind === undefined) return undefined
  const { fields, missing, compile } = kinds[kind as Kind]
  const keys = fields(contract.effects)
  if (keys.length === 0) return { problem: `The tool '${contract.name}' ${missing}.` }
  if (written === '') return { problem: `Write something after '${kind}:'.` }
  const value = compile(written!, action)
  if (typeof value !== 'string') return value
  return { pattern: action === 'allow' ? toAllow(keys, value, contract) : toStop(keys, value) }
}

type Kind = 'command' | 'path' | 'host'

interface KindOptions {
  readonly fields: (effects: Contract['effects']) => readonly string[]
  /** Completes the sentence "The tool …" if it has no such field. */
  readonly missing: string
  /** The pattern of the value, or what is wrong. */
  readonly compile: (written: string, action: RuleAction) => string | { readonly problem: string }
}

const kinds: { readonly [kind in Kind]: KindOptions } = {
  command: { fields: ({ runs = [] }) => runs, missing: 'runs no command', compile: compileCommand },
  path: {
    fields: ({ reads = [], writes = [] }) => [...new Set([...reads, ...writes])],
    missing: 'takes no path',
    compile: compilePath,
  },
  host: { fields: ({ fetches = [] }) => fetches, missing: 'fetches nothing', compile: compileHost },
}

/** A command as written, or with ` *` at its end followed by plain arguments. A stop also applies to longer commands. */
function compileCommand(written: string, action: RuleAction): ReturnType<KindOptions['compile']> {
  const open = / \*$/.test(written)
  const command = open ? written.slice(0, -2) : written
  if (action !== 'allow') return `"${escapeText(command)}(?:[ ;&|]${restOfString})?"`
  if (!open) return `"${escapeText(command)}"`
  const opened = toCommand(command, command.split(' ').length)
  if (opened !== undefined) return opened
  const problem = `'${command}' can run other programs, so its arguments cannot be left open. Write out the whole command.`
  return { problem }
}

/** A path with `*` and `?` within a name, and `**` for folders of any depth. Wildcards do not match hidden names. */
function compilePath(written: string): ReturnType<KindOptions['compile']> {
  if (written.includes('\\')) return { problem: 'Write the path with / between its folders.' }
  const names = written.replace(/^\.\//, '').split('/')
  if (names.includes('..')) return { problem: "A path with '..' never matches. Write it from the workspace." }
  const last = names.length - 1
  const parts = names.map((name, index) => {
    if (name !== '**') return `${toNamePattern(name)}${index < last ? '/' : ''}`
    return index < last ? `(?:${visibleName}/)*` : `(?:${visibleName}/)*${visibleName}`
  })
  return `"${parts.join('')}"`
}

/** Not hidden, and without characters that JSON escapes. */
const visibleName = String.raw`[^"/\\.][^"/\\]*`

/** A wildcard at the beginning matches at least one character, and not a dot. */
function toNamePattern(name: string): string {
  const first = /^[*?]/.test(name) ? String.raw`[^"/\\.]` : ''
  const rest = name.startsWith('?') ? name.slice(1) : name
  const pattern = rest.replace(/[*?]|[^*?]+/g, (part) =>
    part === '*' ? String.raw`[^"/\\]*` : part === '?' ? String.raw`[^"/\\]` : escapeText(part),
  )
  return `${first}${pattern}`
}

/** A host, with a port if it is not the usual one, over https; `http://HOST` means http. */
function compileHost(written: string, action: RuleAction): ReturnType<KindOptions['compile']> {
  const [, scheme = 'https', host] = /^(?:(https?):\/\/)?((?:[\w-]+\.)*[\w-]+(?::\d{1,5})?)\/?$/i.exec(written) ?? []
  if (host === undefined)
    return { problem: `'${written}' is not a host. Write it like docs.python.org, without a path.` }
  if (action !== 'allow')
    return `"https?://(?:[^"/?#]*[.@])?${escapeText(host.toLowerCase())}(?:[/?#:]${restOfString})?"`
  return `"${scheme.toLowerCase()}://${escapeText(host.toLowerCase())}/[^"\\\\]*"`
}

const restOfString = String.raw`(?:[^"\\]|\\.)*`

/** Every parameter is named, because a rule that allows must do so. */
function toAllow(keys: readonly string[], value: string, contract: Contract): string {
  const { properties = {}, required = [] } = contract.input
  const parts = Object.keys(properties)
    .sort()
    .map((key) => {
      const isRequired = required.includes(key)
      const own = keys.includes(key) ? toOwn(value, properties[key]) : toOther(key, contract)
      return `${toName(key)}${isRequired ? '' : '?'}:${own}`
    })
  return `{${parts.join(',')}}`
}

/** Every item of a list must match. */
function toOwn(value: string, schema: JsonSchema | boolean | undefined): string {
  const isList = typeof schema === 'object' && schema.type === 'array'
  return isList ? `\\[(?:${value}(?:,${value})*)?\\]` : value
}

/** Free text is left open. A choice may change what a call does, so it keeps its default if there is one. */
function toOther(key: string, contract: Contract): string {
  const schema = contract.input.properties?.[key]
  if (!isChoice(contract, key)) return anyStringSource
  const { default: usual, type } = typeof schema === 'object' ? schema : {}
  if (usual !== undefined && type !== 'number' && type !== 'integer')
    return escapePattern(JSON.stringify(usual as JsonValue))
  if (type === 'number' || type === 'integer') return String.raw`-?[0-9]+(?:\.[0-9]+)?`
  return type === 'boolean' ? '(?:true|false)' : '.+'
}

function toStop(keys: readonly string[], value: string): string {
  const names = keys.map(toName)
  return `${names.length === 1 ? names[0] : `(?:${names.join('|')})`}:${value}`
}

function toName(key: string): string {
  return escapePattern(JSON.stringify(key))
}

/** Text inside a JSON string. */
function escapeText(text: string): string {
  return escapePattern(JSON.stringify(text).slice(1, -1))
}
