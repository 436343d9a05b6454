import type { Contract } from '../contract/contract.ts'

/** Whether a parameter is anything but free text: a number, a flag, or one of several fixed values. */
export function isChoice({ input }: Contract, key: string): boolean {
  const schema = input.properties?.[key]
  return typeof schema !== 'object' || schema.type !== 'string' || 'enum' in schema || 'const' in schema
}
