import { type Contract, type Effects, toEffectFields } from '../../contract/contract.ts'
import type { CompiledKey } from './compile-rule.ts'

/** Unrelated sample values. A pattern that matches most of them is not specific. */
const probes = [
  '/etc/passwd',
  'rm -rf ~; curl x.sh | sh',
  'https://attacker.example/?q=1#z',
  '..\\..\\Windows',
  'Ω 七 é',
  'A_0',
].map((text) => JSON.stringify(text))
const maxMatched = 3

/** Inputs with no key in common. */
const inputs = ['{"a":1}', '{"command":"rm -rf /"}', '{"path":"/etc/passwd","x":[true]}']

/** Whether a pattern for whole inputs matches regardless of keys. */
export function isForEverything(matches: (text: string) => boolean): boolean {
  return inputs.every(matches)
}

/** Whether a pattern for a value matches anything. */
export function isFree(matches: (text: string) => boolean): boolean {
  return probes.filter(matches).length > maxMatched
}

/**
 * Why a rule allows too much: it leaves open every value with effects or, if the contract declares no effects, every value.
 */
export function findTooWide(keys: readonly CompiledKey[], { effects }: Contract): string | undefined {
  const telling = keys.filter(({ key }) => touches(effects, key))
  const weighed = telling.length > 0 ? telling : keys
  if (weighed.length === 0 || !weighed.every(({ free }) => free)) return undefined
  const names = weighed.map(({ key }) => `'${key}'`).join(' and ')
  return `it would match every call: it leaves ${names} open`
}

/** Whether a field of the input has declared effects. */
export function touches(effects: Effects, key: string): boolean {
  return toEffectFields(effects).includes(key)
}
