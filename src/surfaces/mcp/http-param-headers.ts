import type { IncomingHttpHeaders } from 'node:http'
import type { Contract } from '../../contract/contract.ts'
import { isObject, type JsonSchema, type JsonValue } from '../../contract/json.ts'
import { decodeHeader, readHeader, toMismatch } from './header-value.ts'

/** A property of the input that clients repeat in a header, since its schema says so with `x-mcp-header`. */
interface Mirrored {
  readonly header: string
  readonly path: readonly string[]
}

/** What is wrong with the headers that repeat parts of the input. */
export function findParamFault(
  headers: IncomingHttpHeaders,
  contract: Contract,
  input: JsonValue | undefined,
): string | undefined {
  for (const { header, path } of mirroredOf(contract)) {
    const value = path.reduce((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), input)
    const raw = readHeader(headers, header.toLowerCase())
    if ((value === undefined || value === null) && raw === undefined) continue
    const said = decodeHeader(raw)
    if (said === undefined || !isSame(said, value)) return toMismatch(header, said, toText(value))
  }
  return undefined
}

function isSame(header: string, value: JsonValue | undefined): boolean {
  return typeof value === 'number' ? header !== '' && Number(header) === value : header === toText(value)
}

function toText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const found = new WeakMap<Contract, readonly Mirrored[]>()

function mirroredOf(contract: Contract): readonly Mirrored[] {
  let mirrored = found.get(contract)
  if (!mirrored) {
    mirrored = findMirrored(contract.input, [])
    found.set(contract, mirrored)
  }
  return mirrored
}

function findMirrored({ properties = {} }: JsonSchema, parents: readonly string[]): Mirrored[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    if (typeof schema === 'boolean') return []
    const path = [...parents, key]
    const name = schema['x-mcp-header']
    return [...(typeof name === 'string' ? [{ header: `Mcp-Param-${name}`, path }] : []), ...findMirrored(schema, path)]
  })
}
