import type { Contract } from '../../src/contract/contract.ts'
import { isSchemaObject, type SchemaObject, walkSchema } from '../../src/contract/lint/walk-schema.ts'

export interface Mutant {
  /** The mutation and its location. */
  readonly name: string
  readonly contract: Contract
}

type Plain = Record<string, unknown>
type Change = (schema: Plain) => void

const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] // biome-ignore format: one list

/** The contract with one mistake, as caused by drift between contract and code. */
export function mutantsOf(contract: Contract): Mutant[] {
  return [
    ...(['input', 'output'] as const).flatMap((side) => schemaMutants(contract, side)),
    ...contract.errors.map(({ code }, index) => mutant(contract, `drop the error ${code}`, ({ errors }) => {
      ;(errors as unknown[]).splice(index, 1)
    })),
    ...contract.errors.map(({ code }, index) => mutant(contract, `change the status of ${code}`, ({ errors }) => {
      const error = (errors as Plain[])[index]!
      error.status = error.status === 418 ? 422 : 418
    })),
    ...(contract.limits.calls ? [mutant(contract, 'allow one call more', ({ limits }) => {
      ;((limits as Plain).calls as { count: number }).count++
    })] : []),
    mutant(contract, 'allow one byte more of input', ({ limits }) => {
      ;(limits as { inputBytes: number }).inputBytes++
    }),
  ] // biome-ignore format: one change a line
}

function schemaMutants(contract: Contract, side: 'input' | 'output'): Mutant[] {
  return walkSchema(contract[side] as SchemaObject, '').flatMap(({ schema, path }) =>
    changesOf(schema).map(([what, change]) =>
      mutant(contract, `${what} at ${side}${path}`, (copy) => change(schemaAt(copy[side] as Plain, path))),
    ),
  )
}

function changesOf(schema: SchemaObject): [string, Change][] {
  const required = Array.isArray(schema.required) ? (schema.required as string[]) : []
  return [
    ...required.map((name): [string, Change] => [`drop the required ${name}`, (copy) => {
      copy.required = (copy.required as string[]).filter((other) => other !== name)
    }]),
    ...(Array.isArray(schema.enum) ? [['widen an enum', (copy) => (copy.enum as unknown[]).push('another')] as [string, Change]] : []),
    ...(schema.additionalProperties === false ? [['open an object', (copy) => delete copy.additionalProperties] as [string, Change]] : []),
    ...bounds.filter((bound) => typeof schema[bound] === 'number').flatMap((bound): [string, Change][] => [
      [`raise ${bound}`, (copy) => (copy[bound] = Number(copy[bound]) + 1)],
      ...(Number(schema[bound]) > 0 ? [[`lower ${bound}`, (copy) => (copy[bound] = Number(copy[bound]) - 1)] as [string, Change]] : []),
    ]),
  ] // biome-ignore format: one change a line
}

function schemaAt(root: Plain, path: string): Plain {
  return path.split('/').slice(1).reduce((place, key) => {
    const next = place[key.replaceAll('~1', '/').replaceAll('~0', '~')]
    return (isSchemaObject(next) || Array.isArray(next) ? next : {}) as Plain
  }, root) // biome-ignore format: one expression
}

function mutant(contract: Contract, name: string, change: (copy: Plain) => void): Mutant {
  const copy = structuredClone(contract)
  change(copy as unknown as Plain)
  return { name, contract: copy }
}
