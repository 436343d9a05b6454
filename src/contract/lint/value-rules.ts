import { canonicalJson } from '../canonical-json.ts'
import type { JsonValue } from '../json.ts'
import { assertedFormats } from '../schema/to-ajv-schema.ts'
import { type Finding, pointTo } from './lint-problem.ts'
import { isUnder, type SchemaNode, typesOf } from './walk-schema.ts'

/** Every value of an enum, and a const, is of the type beside it. */
export function checkEnumTypes({ schema, pointer }: SchemaNode): Finding[] {
  const types = typesOf(schema)
  if (!types) return []
  const values: [unknown, ...(string | number)[]][] = Array.isArray(schema.enum)
    ? schema.enum.map((value, index) => [value, 'enum', index])
    : []
  if ('const' in schema) values.push([schema.const, 'const'])
  return values
    .filter(([value]) => !types.some((type) => isOfType(value, type)))
    .map(([value, ...steps]) => ({
      pointer: pointTo(pointer, ...steps),
      message: `${JSON.stringify(value)} is not of type ${types.join(' or ')}, so it can never be given.`,
      fix: 'Correct the value or the type.',
    }))
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

/** No value stands twice in an enum, and a const says all that an enum beside it could. */
export function checkEnumDuplicates({ schema, pointer }: SchemaNode): Finding[] {
  if (!Array.isArray(schema.enum)) return []
  const texts = schema.enum.map((value) => toText(value))
  const findings = texts
    .map((text, index) => ({ text, index }))
    .filter(({ text, index }) => texts.indexOf(text) !== index)
    .map(({ text, index }) => ({
      pointer: pointTo(pointer, 'enum', index),
      message: `${text} stands in this enum twice.`,
      fix: 'Take one out.',
    }))
  if (!('const' in schema)) return findings
  const only = toText(schema.const)
  const message = texts.includes(only)
    ? `const ${only} leaves one value of the enum beside it.`
    : `const ${only} is not in the enum beside it, so no value is valid.`
  return [...findings, { pointer: pointTo(pointer, 'const'), message, fix: 'Keep either const or enum.' }]
}

function toText(value: unknown): string {
  try {
    return canonicalJson(value as JsonValue)
  } catch {
    return String(value)
  }
}

/** A default is one of the values that the enum beside it allows. */
export function checkDefaultInEnum({ schema, pointer }: SchemaNode): Finding[] {
  if (!Array.isArray(schema.enum) || !('default' in schema)) return []
  const text = toText(schema.default)
  if (schema.enum.some((value) => toText(value) === text)) return []
  return [
    {
      pointer: pointTo(pointer, 'default'),
      message: `The default ${text} is not one of the values of the enum.`,
      fix: `Add ${text} to the enum, or choose a default from it.`,
    },
  ]
}

/** Validation sets no default in a branch that may not be the one that matches. */
export function checkDefaultIgnored(node: SchemaNode): Finding[] {
  const { schema, pointer } = node
  if (!('default' in schema) || !isUnder(node, ['anyOf', 'oneOf', 'not', 'if'])) return []
  return [
    {
      pointer: pointTo(pointer, 'default'),
      message: 'This default is never set: inside anyOf, oneOf, not and if, defaults are ignored.',
      fix: 'Declare the property with its default outside the branches, or take out the default.',
    },
  ]
}

/** A pattern without anchors matches anywhere in the text. */
export function checkPatternAnchored({ schema, pointer }: SchemaNode): Finding[] {
  const { pattern } = schema
  if (typeof pattern !== 'string') return []
  const place = pointTo(pointer, 'pattern')
  const starts = pattern.startsWith('^')
  const ends = /(?:^|[^\\])(?:\\\\)*\$$/.test(pattern)
  if (!starts && !ends && !/[\^$]/.test(pattern)) {
    return [
      {
        pointer: place,
        message: `The pattern ${pattern} has no anchors, so it matches any text that contains it.`,
        fix: `Write ^${pattern}$ to match the whole text, or .*${pattern}.* between anchors if that is meant.`,
      },
    ]
  }
  if (starts && ends && hasOuterChoice(pattern)) {
    const inner = pattern.slice(1, -1)
    return [
      {
        pointer: place,
        message: `In ${pattern} the anchors belong to the first and last choice alone, not to all of them.`,
        fix: `Write ^(?:${inner})$.`,
      },
    ]
  }
  return []
}

/** Is there a `|` outside every group and class? */
function hasOuterChoice(pattern: string): boolean {
  let depth = 0
  let inClass = false
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index]
    if (character === '\\') index++
    else if (inClass) inClass = character !== ']'
    else if (character === '[') inClass = true
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === '|' && depth === 0) return true
  }
  return false
}

/** An unknown format is silently ignored. */
export function checkFormatKnown({ schema, pointer }: SchemaNode): Finding[] {
  if (typeof schema.format !== 'string' || assertedFormats.has(schema.format)) return []
  return [
    {
      pointer: pointTo(pointer, 'format'),
      message: `The format '${schema.format}' is unknown, so it does nothing.`,
      fix: `Use one of ${[...assertedFormats].join(', ')}, or a pattern.`,
    },
  ]
}
