import { isObject } from '../json.ts'
import type { Shape } from './keywords.ts'

/** The problem with a keyword's value, as the end of a sentence that begins with the keyword; undefined if valid. */
export function checkKeyword(shape: Shape, value: unknown): string | undefined {
  switch (shape) {
    case 'any':
    case 'schema':
    case 'refused':
      return undefined
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'string':
    case 'pattern':
      return typeof value === 'string' ? undefined : 'must be a string'
    case 'number':
      return typeof value === 'number' ? undefined : 'must be a number'
    case 'positive':
      return typeof value === 'number' && value > 0 ? undefined : 'must be a number greater than 0'
    case 'count':
      return Number.isInteger(value) && (value as number) >= 0 ? undefined : 'must be a whole number, 0 or more'
    case 'types':
      return isTypes(value) ? undefined : `must be one of ${typeNames.join(', ')}, or a list of different ones`
    case 'names':
      return isNames(value) ? undefined : 'must be a list of different strings'
    case 'names by key':
      return isObject(value) && Object.values(value).every(isNames)
        ? undefined
        : 'must be an object whose values are lists of different strings'
    case 'values':
    case 'enum':
      return Array.isArray(value) ? undefined : 'must be a list'
    case 'schemas':
      return isFilledList(value) ? undefined : 'must be a list of at least one schema'
    case 'schema or schemas':
      return !Array.isArray(value) || value.length > 0 ? undefined : 'must be a schema or a list of at least one'
    case 'schemas by key':
    case 'schemas by pattern':
      return isObject(value) ? undefined : 'must be an object whose values are schemas'
    case 'schemas or names by key':
      return isObject(value) && Object.values(value).every((entry) => !Array.isArray(entry) || isNames(entry))
        ? undefined
        : 'must be an object whose values are schemas or lists of different strings'
  }
}

const typeNames = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

function isTypes(value: unknown): boolean {
  if (typeof value === 'string') return typeNames.includes(value)
  return isNames(value) && value.length > 0 && value.every((name) => typeNames.includes(name))
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string') && new Set(value).size === value.length
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}
