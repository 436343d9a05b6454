import type { JsonObject, JsonValue } from '../../../../contract/json.ts'

const examples: Record<string, string> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1DT2H',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
}

/** The bounds and the format of a schema, in words. */
export function toHints(schema: JsonObject): string[] {
  const { format, pattern, multipleOf, uniqueItems } = schema
  return [
    ...toRange(schema.minimum, schema.maximum, ''),
    ...(isNumber(schema.exclusiveMinimum) ? [`more than ${schema.exclusiveMinimum}`] : []),
    ...(isNumber(schema.exclusiveMaximum) ? [`less than ${schema.exclusiveMaximum}`] : []),
    ...(isNumber(multipleOf) ? [`multiple of ${multipleOf}`] : []),
    ...toRange(positive(schema.minLength), schema.maxLength, 'character'),
    ...toRange(positive(schema.minItems), schema.maxItems, 'item'),
    ...toRange(positive(schema.minProperties), schema.maxProperties, 'entry'),
    ...(uniqueItems === true ? ['all different'] : []),
    ...(typeof format === 'string' ? [toFormatHint(format)] : []),
    ...(typeof pattern === 'string' ? [`matches ${pattern}`] : []),
  ]
}

function toFormatHint(format: string): string {
  return Object.hasOwn(examples, format) ? `${format}, such as ${examples[format]}` : format
}

function toRange(min: JsonValue | undefined, max: JsonValue | undefined, unit: string): string[] {
  const of = (count: number) =>
    unit === '' ? '' : ` ${count === 1 ? unit : unit === 'entry' ? 'entries' : `${unit}s`}`
  if (isNumber(min) && isNumber(max)) return [min === max ? `exactly ${min}${of(min)}` : `${min} to ${max}${of(max)}`]
  if (isNumber(min)) return [`at least ${min}${of(min)}`]
  return isNumber(max) ? [`at most ${max}${of(max)}`] : []
}

/** A minimum of zero is no bound. */
function positive(value: JsonValue | undefined): JsonValue | undefined {
  return value === 0 ? undefined : value
}

function isNumber(value: JsonValue | undefined): value is number {
  return typeof value === 'number'
}
