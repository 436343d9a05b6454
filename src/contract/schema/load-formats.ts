import type { Format } from 'ajv'
import { spendSteps } from './step-budget.ts'
import type { Survey } from './survey-schema.ts'

/** The standard formats that ajv-formats implements. Others are annotations. */
export const assertedFormats: ReadonlySet<string> = new Set([
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
  'regex',
])

/** The formats that a schema asserts. */
export function formatsIn({ places }: Survey): string[] {
  const names = new Set(places.map(({ schema }) => schema.format))
  return [...names].filter((name): name is string => typeof name === 'string' && assertedFormats.has(name))
}

/** Loaded only for schemas that use a format. */
export async function loadFormats(names: readonly string[]): Promise<Map<string, Format>> {
  const formats = new Map<string, Format>()
  if (names.length === 0) return formats
  const { fullFormats } = await import('./formats.ts')
  for (const name of names) formats.set(name, metered(fullFormats[name as keyof typeof fullFormats] as Format))
  return formats
}

/** All of them run in linear time. */
function metered(format: Format): Format {
  const definition = typeof format === 'object' && 'validate' in format ? format.validate : format
  const isValid =
    definition instanceof RegExp ? (text: string) => definition.test(text) : (definition as (text: string) => boolean)
  return (text: string) => {
    spendSteps(1 + text.length / 8)
    return isValid(text)
  }
}
