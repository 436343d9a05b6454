import type { ErrorObject } from 'ajv'
import type { JsonObject } from '../json.ts'
import { nearest } from '../text/nearest.ts'
import { showText, showValue } from '../text/show-value.ts'
import type { Problem } from '../tool-error.ts'
import { describeProperty, describeSchema, listValues, typeOf } from './describe-schema.ts'
import { expectationOf } from './expectation.ts'
import { pointerTo } from './json-pointer.ts'
import type { AjvSchema } from './to-ajv-schema.ts'

/** One ajv error as a problem with a message that says how to fix it. */
export function wordProblem(error: ErrorObject, root: AjvSchema): Problem {
  const schema = (error.parentSchema ?? {}) as JsonObject
  switch (error.keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return missing(error, schema, root)
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknownKey(error, schema)
    case 'unevaluatedItems':
      return unwantedItem(error)
    case 'propertyNames':
      return badName(error, schema, root)
    default:
      return wrongValue(error, schema, root)
  }
}

function wrongValue(error: ErrorObject, schema: JsonObject, root: AjvSchema): Problem {
  const { instancePath: pointer, keyword, data } = error
  const { expected, but, hint = '' } = expectationOf(error, schema, root)
  const found = showValue(data)
  const fact = but ?? `is ${found}${data === null ? '' : ` (${typeOf(data)})`}`
  const message = `${subject(pointer)} must ${expected}, but ${fact}. ${hint}`.trimEnd()
  return { pointer, keyword, expected: expected.replace(/^(?:be|have) /, ''), found, message }
}

function subject(pointer: string): string {
  return pointer === '' ? 'The value' : showValue(pointer, 200)
}

function inside(pointer: string): string {
  return pointer === '' ? '' : ` in ${subject(pointer)}`
}

function missing({ params, instancePath, keyword }: ErrorObject, schema: JsonObject, root: AjvSchema): Problem {
  const name = String(params.missingProperty)
  const properties = (schema.properties ?? {}) as Record<string, AjvSchema>
  const known = Object.hasOwn(properties, name) ? describeProperty(properties[name], root) : ''
  const because = keyword === 'required' ? '' : `, as ${showValue(String(params.property), 60)} is present`
  const about = `${showValue(name, 100)}${known && ` (${known})`}`
  const message = `Missing required ${about}${inside(instancePath)}${because}. Add it.`
  return { pointer: pointerTo(instancePath, name), keyword, expected: known || 'a value', message }
}

function unknownKey({ params, instancePath, keyword, data }: ErrorObject, schema: JsonObject): Problem {
  const key = String(params.additionalProperty ?? params.unevaluatedProperty)
  const allowed = Object.keys((schema.properties ?? {}) as JsonObject)
  const meant = nearest(key, allowed)
  const question = meant === undefined ? '' : ` Did you mean ${showValue(meant, 100)}?`
  const advice = allowed.length > 0 ? `Allowed keys: ${listValues(allowed)}.` : 'Leave it out.'
  return {
    pointer: pointerTo(instancePath, key),
    keyword,
    expected: allowed.length > 0 ? `one of the keys ${listValues(allowed)}` : 'no such key',
    found: showValue((data as JsonObject | undefined)?.[key]),
    message: `Unknown key ${showValue(key, 100)}${inside(instancePath)}.${question} ${advice}`,
  }
}

function unwantedItem({ params, instancePath, keyword, data }: ErrorObject): Problem {
  const index = Number(params.unevaluatedProperty)
  const pointer = pointerTo(instancePath, index)
  const message = `${subject(pointer)} is an item that is not allowed there. Leave it out.`
  return {
    pointer,
    keyword,
    expected: 'no such item',
    found: showValue((data as unknown[] | undefined)?.[index]),
    message,
  }
}

function badName({ params, instancePath, keyword }: ErrorObject, schema: JsonObject, root: AjvSchema): Problem {
  const key = String(params.propertyName)
  const names = schema.propertyNames as AjvSchema
  const pattern = typeof names === 'object' && typeof names.pattern === 'string' ? names.pattern : undefined
  const expected = pattern === undefined ? nameWords(names, root) : `a name that matches ${showText(pattern, 200)}`
  const message = `The key ${showValue(key, 100)}${inside(instancePath)} must be ${expected}. Rename it.`
  return { pointer: pointerTo(instancePath, key), keyword, expected, found: showValue(key), message }
}

function nameWords(names: AjvSchema, root: AjvSchema): string {
  const words = describeSchema(names, root)
  return words === 'another form' || words === 'nothing' ? 'another name' : words
}
