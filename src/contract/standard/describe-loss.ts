/** What a schema says that JSON Schema cannot, in words, and what to write instead. */
export function describeLoss(loss: string, vendor: string): { readonly what: string; readonly instead: string } {
  if (loss.startsWith('format ')) return { what: `the ${loss.replace(' ', " '")}'`, instead: 'Use a pattern.' }
  const known = losses.find(([names]) => names.includes(loss))
  if (!known) return { what: `'${loss}'`, instead: checkInRun }
  const [, what, instead] = known
  return { what, instead: loss === 'date' ? (dates[vendor] ?? instead) : instead }
}

const checkInRun =
  'Use a pattern, an enum or bounds, or check it in validate or run and return an error that the contract declares.'

const losses: readonly [names: readonly string[], what: string, instead: string][] = [
  [['custom', 'predicate', 'narrow', 'check', 'raw_check', 'partial_check'], 'a check by a function', checkInRun],
  [
    ['transform', 'pipe', 'overwrite', 'morph'],
    'a transform',
    'Describe the value as callers send it, and change it in run.',
  ],
  [['coerce'], 'a coercion', 'Describe the value as callers send it, and convert it in run.'],
  [['date'], 'a Date', 'Use a string with the format date-time, and parse it in run.'],
  [['bigint', 'domain'], 'a bigint or symbol', 'Use an integer, or a string of digits.'],
  [
    ['map', 'set', 'proto', 'instance', 'file', 'blob', 'function', 'promise', 'symbol', 'arrayObject'],
    'a value that JSON does not have',
    'Use an object, an array or a string.',
  ],
  [['undefined', 'void', 'unit', 'nan'], 'a value that JSON does not have', 'Make the property optional instead.'],
  [['catch', 'fallback'], 'a replacement for invalid values', 'Use a default: invalid values are refused.'],
  [
    ['flags', 'regex'],
    'a pattern with flags, or beside another one',
    'Write one pattern without flags: [Aa] matches both cases.',
  ],
  [
    ['default', 'defaultValue'],
    'a default that its JSON Schema does not have',
    'Use a constant that is JSON, or make the property optional and set it in run.',
  ],
]

const dates: Record<string, string> = {
  zod: 'Use z.iso.datetime(), and parse it in run.',
  valibot: 'Use v.pipe(v.string(), v.isoTimestamp()), and parse it in run.',
}
