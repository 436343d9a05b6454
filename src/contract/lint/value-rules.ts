import { canonicalJson } from '../canonical-json.ts'
import { isObject, type JsonObject, type JsonValue } from '../json.ts'
import { assertedFormats } from '../schema/load-formats.ts'
import { findTarget } from '../schema/local-reference.ts'
import { type Finding, pointTo } from './lint-problem.ts'
import { isUnder, type SchemaNode, type SchemaObject, typesOf, walkSchema } from './walk-schema.ts'

/** Enum and const values must match the type beside them. */
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
      message: `${JSON.stringify(value)} is not of type ${types.join(' or ')}, so it can never match.`,
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
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

/** Enum values must be unique, and an enum beside a const is redundant. */
export function checkEnumDuplicates({ schema, pointer }: SchemaNode): Finding[] {
  if (!Array.isArray(schema.enum)) return []
  const texts = new Set<string>()
  const findings: Finding[] = []
  for (const [index, value] of schema.enum.entries()) {
    const text = toText(value)
    if (texts.has(text)) {
      const message = `${text} is listed twice in this enum.`
      findings.push({ pointer: pointTo(pointer, 'enum', index), message, fix: 'Remove one.' })
    }
    texts.add(text)
  }
  if (!('const' in schema)) return findings
  const only = toText(schema.const)
  const message = texts.has(only)
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

/** A default must be one of the enum values beside it. */
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

const branches = ['anyOf', 'oneOf', 'not', 'if']

/** In a branch, a default is not set, or is set although another branch matches. */
export function checkDefaultInBranch(node: SchemaNode): Finding[] {
  const { schema, pointer, path, root } = node
  if (!('default' in schema)) return []
  const targets = isUnder(node, branches) ? [path] : branchTargets(root)
  if (!targets.some((target) => isWithin(path, target))) return []
  return [
    {
      pointer: pointTo(pointer, 'default'),
      message:
        'This default is inside anyOf, oneOf, not or if: it is ignored, or set although the branch does not match.',
      fix: 'Declare the property with its default outside the branches, or remove the default.',
    },
  ]
}

/** The schemas reachable through references inside branches. */
function branchTargets(root: SchemaObject): string[] {
  const targets = new Set<string>()
  const referring = walkSchema(root, '').filter(({ schema }) => typeof schema.$ref === 'string')
  for (let before = -1; before < targets.size; ) {
    before = targets.size
    for (const node of referring) {
      if (!isUnder(node, branches) && ![...targets].some((target) => isWithin(node.path, target))) continue
      const target = findTarget(root as JsonObject, node.schema.$ref as string)
      if (target.found) targets.add(target.pointer)
    }
  }
  return [...targets]
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}/`)
}

/** An unanchored pattern matches anywhere in the text. */
export function checkPatternAnchored({ schema, pointer }: SchemaNode): Finding[] {
  const { pattern } = schema
  if (typeof pattern !== 'string') return []
  const place = pointTo(pointer, 'pattern')
  if (!/[\^$]/.test(pattern)) {
    return [
      {
        pointer: place,
        message: `The pattern ${pattern} has no anchors, so it matches any text that contains it.`,
        fix: `Write ^(?:${pattern})$ to match the whole text, or ^.*(?:${pattern}) to match it anywhere.`,
      },
    ]
  }
  if (/^\^.*\$$/.test(pattern) && hasOuterChoice(pattern)) {
    return [
      {
        pointer: place,
        message: `In ${pattern} the anchors apply only to the first and the last alternative.`,
        fix: `Write ^(?:${pattern.slice(1, -1)})$.`,
      },
    ]
  }
  return []
}

/** Whether there is a `|` outside groups and classes. */
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

/** Unknown formats are ignored silently. */
export function checkFormatKnown({ schema, pointer }: SchemaNode): Finding[] {
  if (typeof schema.format !== 'string' || assertedFormats.has(schema.format)) return []
  return [
    {
      pointer: pointTo(pointer, 'format'),
      message: `The format '${schema.format}' is unknown and has no effect.`,
      fix: `Use one of ${[...assertedFormats].join(', ')}, or a pattern.`,
    },
  ]
}
