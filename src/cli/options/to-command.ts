import { canonicalJson } from '../../contract/canonical-json.ts'
import type { JsonObject, JsonSchema } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import { toShellWord } from '../../contract/text/shell-word.ts'
import { toInput } from './to-input.ts'

/** The command line for this call, quoted for a POSIX shell. */
export function toCommand(tool: string, input: JsonObject, schema: JsonSchema): string {
  const pairs = Object.entries(input).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const read = toInput(pairs, schema)
  // Strings that look like numbers or contain unprintable characters need JSON.
  const same = read.ok && canonicalJson(read.input) === canonicalJson(input)
  const words = same && pairs.every((pair) => printable(pair) === pair) ? pairs : ['--input', JSON.stringify(input)]
  return ['toolpact', 'call', tool, ...words].map(toShellWord).join(' ')
}
