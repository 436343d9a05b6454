/**
 * Schemas and values crafted to hang, crash or mislead a validator, each with the expected outcome: the rule that refuses
 * the schema, the keyword of the first problem, or `valid`. They run in a separate process
 * (test/processes/hostile-schemas-process.ts), which the test kills if it hangs.
 */
export interface Case {
  readonly schema: unknown
  readonly value: unknown
  readonly outcome: string
}

const repeat = (count: number, make: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => make(index))
const object = (count: number, make: (index: number) => [string, unknown]) =>
  Object.fromEntries(repeat(count, make as (index: number) => unknown) as [string, unknown][])

function nest(depth: number, core: unknown, wrap: (inner: unknown, level: number) => unknown): unknown {
  let value = core
  for (let level = 0; level < depth; level++) value = wrap(value, level)
  return value
}

const list = (depth: number, core: unknown = 1) => nest(depth, core, (inner) => [inner])
const ref = (name: string) => ({ $ref: `#/$defs/${name}` })
const long = 'a'.repeat(300_000)

/** Checks every level twice: a value of 60 levels would take 2^60 steps. */
const twice = { $defs: { n: { items: { anyOf: [ref('n'), ref('n')] }, not: { const: 1 } } }, ...ref('n') }
const union = (kind: string) => ({
  type: 'object',
  properties: { left: ref('e'), right: ref('e'), kind: { const: kind } },
  required: ['kind'],
})
const expressions = { $defs: { e: { anyOf: ['and', 'or', 'not', 'xor'].map(union) } }, ...ref('e') }
const expression = (depth: number, last: unknown) => nest(depth, last, (inner) => ({ left: inner, kind: 'xor' }))

/** Formats whose regular expressions might backtrack on a long text. */
const formatTexts = {
  date: `2026-01-${'0'.repeat(500_000)}`,
  time: `12:00:00.${'1'.repeat(500_000)}`,
  'date-time': `2026-01-01T12:00:00.${'1'.repeat(500_000)}x`,
  duration: `P${'1'.repeat(500_000)}`,
  email: `${'a.'.repeat(250_000)}@${'a-'.repeat(250_000)}`,
  hostname: `${'a-'.repeat(250_000)}.`,
  ipv4: '1.'.repeat(250_000),
  ipv6: '1:'.repeat(250_000),
  uri: `http://${'%41:'.repeat(125_000)}@[${'1:'.repeat(125_000)}`,
  'uri-reference': `//${'a:'.repeat(250_000)}\\`,
  'uri-template': `{${'a,'.repeat(250_000)}`,
  uuid: '12345678-'.repeat(60_000),
  'json-pointer': `${'/~0'.repeat(150_000)}~`,
  'relative-json-pointer': `${'1'.repeat(500_000)}x`,
  regex: '('.repeat(500_000),
}

export const cases: Record<string, Case> = {
  // Patterns
  'a pattern of nested repeats': { schema: { pattern: '^(a+)+$' }, value: `${long}!`, outcome: 'pattern' },
  'a pattern of overlapping branches': { schema: { pattern: '^(a|a|aa)+$' }, value: `${long}!`, outcome: 'pattern' },
  'a large pattern on a long text': { schema: { pattern: '([ab]?){1000}[ab]{1000}c' }, value: long, outcome: 'steps' },
  'a pattern with a look-behind': { schema: { pattern: '(?<!a)b' }, value: '', outcome: 'refused: pattern' },
  'patterns of a megabyte': {
    schema: { patternProperties: object(250, (index) => [`${'(?:a?){1000}'.repeat(80)}${index}`, true]) },
    value: {},
    outcome: 'refused: too_many_parts',
  },
  'hostile names for a hostile pattern': {
    schema: { patternProperties: { '^(a+)+$': { type: 'string' } }, additionalProperties: false },
    value: object(50, (index) => [`${'a'.repeat(20_000)}!${index}`, 1]),
    outcome: 'additionalProperties',
  },
  'many patterns on many names': {
    schema: { patternProperties: object(400, (index) => [`^p${index}[a-z]+$`, { type: 'string' }]) },
    value: object(50_000, (index) => [`p${index}`, 1]),
    outcome: 'steps',
  },
  'a hostile pattern for names': {
    schema: { propertyNames: { pattern: '^([a-z]+)+$' } },
    value: { [`${'a'.repeat(100_000)}!`]: 1 },
    outcome: 'propertyNames',
  },

  // Depth and size
  'a deep schema': { schema: nest(100_000, {}, (not) => ({ not })), value: 1, outcome: 'refused: too_deep' },
  'a deep schema of references': {
    schema: { $defs: object(149, (index) => [`d${index}`, { properties: { a: ref(`d${index + 1}`) } }]), ...ref('d0') },
    value: {},
    outcome: 'refused: reference_not_found',
  },
  'a long chain of references': {
    schema: { $defs: { ...object(149, (index) => [`d${index}`, { items: ref(`d${index + 1}`) }]), d149: {} }, ...ref('d0') },
    value: list(149),
    outcome: 'valid',
  },
  'long chains through deep schemas': {
    schema: {
      $defs: object(150, (index) => [`d${index}`, nest(12, ref(`d${(index + 1) % 150}`), (items) => ({ items, type: 'array' }))]),
      ...ref('d0'),
    },
    value: [],
    outcome: 'refused or valid',
  },
  'a tower of allOf': { schema: nest(10_000, {}, (inner) => ({ allOf: [inner] })), value: 1, outcome: 'refused: too_deep' },
  'a wide allOf': { schema: { allOf: repeat(100_000, () => ({})) }, value: 1, outcome: 'refused: too_large' },
  'oneOf with 100,000 branches': { schema: { oneOf: repeat(100_000, () => 0) }, value: 1, outcome: 'refused: too_many_parts' },
  'a huge enum': { schema: { enum: repeat(5_000, (index) => index) }, value: 1, outcome: 'refused: too_many_parts' },
  'a schema that holds itself': {
    schema: (() => {
      const self: Record<string, unknown> = {}
      self.not = self
      return self
    })(),
    value: 1,
    outcome: 'refused: not_json',
  },
  'the most properties, branches and values allowed': {
    schema: {
      properties: object(500, (index) => [`p${index}`, { type: 'string', maxLength: 5 }]),
      oneOf: repeat(200, (index) => ({ minProperties: index })),
      allOf: repeat(200, (index) => ({ not: { required: [`q${index}`] } })),
    },
    value: {},
    outcome: 'valid',
  },
  'a schema as large as one may be': {
    schema: { anyOf: repeat(10, (index) => ({ oneOf: repeat(190, (other) => ({ properties: { a: { const: [index, other] } } })) })) },
    value: { a: 1 },
    outcome: 'refused: too_many_parts',
  },
  'deep data for a recursive schema': { schema: { items: { $ref: '#' }, type: 'array' }, value: list(100_000), outcome: 'steps' },

  // References
  'a billion laughs': {
    schema: { $defs: { ...object(30, (index) => [`l${index}`, { allOf: [ref(`l${index + 1}`), ref(`l${index + 1}`)] }]), l30: {} }, ...ref('l0') },
    value: 1,
    outcome: 'refused: reference_cost',
  },
  'a billion laughs through items': {
    schema: { $defs: { ...object(30, (index) => [`l${index}`, { allOf: [{ items: ref(`l${index + 1}`) }, { items: ref(`l${index + 1}`) }] }]), l30: {} }, ...ref('l0') },
    value: list(31),
    outcome: 'steps',
  },
  'a reference to itself': { schema: { $ref: '#' }, value: 1, outcome: 'refused: reference_loop' },
  'a loop through not and if': { schema: { if: { not: { $ref: '#' } } }, value: 1, outcome: 'refused: reference_loop' },
  'recursion that doubles with each level': { schema: twice, value: list(60), outcome: 'steps' },
  'expressions that fit no branch at the bottom': { schema: expressions, value: expression(40, { kind: 'nand' }), outcome: 'steps' },
  'unevaluated keys under doubling recursion': {
    schema: { $defs: { n: { anyOf: [{ properties: { a: ref('n') } }, { properties: { a: ref('n') } }], unevaluatedProperties: false } }, ...ref('n') },
    value: nest(60, { b: 1 }, (a) => ({ a })),
    outcome: 'steps',
  },

  'branches that each lead to a large schema': {
    schema: {
      $defs: object(100, (index) => [`d${index}`, { properties: { a: ref(`d${(index + 1) % 100}`), b: { minLength: index } } }]),
      anyOf: repeat(200, (index) => ({ properties: { [`p${index}`]: ref(`d${index % 100}`) } })),
      unevaluatedProperties: false,
    },
    value: { p0: { a: { a: {} } }, p199: {}, q: 1 },
    outcome: 'unevaluatedProperties',
  },

  // Expensive validation
  '8,000 objects that must differ': {
    schema: { uniqueItems: true, maxItems: 10_000 },
    value: repeat(8_000, (index) => ({ id: index, list: [1, 2, 3] })),
    outcome: 'valid',
  },
  '8,000 objects that must differ, beyond the bound': {
    schema: { uniqueItems: true, maxItems: 10 },
    value: repeat(8_000, (index) => ({ id: index })),
    outcome: 'maxItems',
  },
  'objects that must differ, at every level': {
    schema: { items: { $ref: '#' }, uniqueItems: true },
    value: nest(60, repeat(2_000, (index) => ({ id: index })), (inner) => [inner, 1, 2]),
    outcome: 'valid',
  },
  'many items that each contain nothing': {
    schema: { items: { contains: { contains: { const: 1 }, minContains: 2 }, minContains: 3 } },
    value: repeat(300, () => repeat(300, () => repeat(10, () => 2))),
    outcome: 'contains',
  },
  'every pair of items': { schema: { contains: { contains: true }, minContains: 1_000_000 }, value: repeat(300_000, () => [1]), outcome: 'contains' },
  'a deep constant and a deep value': { schema: { const: list(60) }, value: list(900), outcome: 'const' },
  'an enum of objects against large values': {
    schema: { items: { enum: [{ a: 1 }, [1]] } },
    value: repeat(1_000, () => repeat(1_000, () => 1)),
    outcome: 'enum',
  },
  'many sizes of a wide object': {
    schema: { allOf: repeat(200, () => ({ allOf: repeat(5, (index) => ({ maxProperties: 1e9 + index })) })) },
    value: object(20_000, (index) => [`k${index}`, 1]),
    outcome: 'steps',
  },
  'many sizes of a long string': {
    schema: { allOf: repeat(200, () => ({ allOf: repeat(5, (index) => ({ maxLength: 1e9 + index })) })) },
    value: long,
    outcome: 'steps',
  },
  'many dependencies of many items': {
    schema: { items: { dependentRequired: object(500, (index) => [`k${index}`, ['x']]) } },
    value: repeat(300_000, () => ({})),
    outcome: 'steps',
  },
  'multiples of tiny numbers': { schema: { items: { multipleOf: 1e-300 } }, value: repeat(100_000, () => 1e300), outcome: 'steps' },
  'large defaults for many items': {
    schema: { items: { properties: { a: { default: repeat(10_000, () => 0) } } } },
    value: repeat(100_000, () => ({})),
    outcome: 'steps',
  },

  // Many errors
  '300,000 wrong items': { schema: { items: { type: 'string' } }, value: repeat(300_000, () => 1), outcome: 'type' },
  '300,000 wrong items by reference': { schema: { items: ref('s'), $defs: { s: { type: 'string', minLength: 2 } } }, value: repeat(300_000, () => 'a'), outcome: 'minLength' },
  '300,000 wrong items of a union': {
    schema: { items: { anyOf: [ref('s'), ref('n')] }, $defs: { s: { type: 'string' }, n: { type: 'null' } } },
    value: repeat(300_000, () => 1),
    outcome: 'anyOf',
  },
  '100,000 unknown keys': { schema: { additionalProperties: false }, value: object(100_000, (index) => [`k${index}`, 1]), outcome: 'additionalProperties' },
  '100,000 unevaluated keys': { schema: { unevaluatedProperties: false }, value: object(100_000, (index) => [`k${index}`, 1]), outcome: 'unevaluatedProperties' },
  'expressions that are wrong at the bottom': { schema: expressions, value: expression(5, { kind: 'nand' }), outcome: 'anyOf' },

  // Names with a meaning in JavaScript
  'a required __proto__': { schema: { required: ['__proto__'] }, value: {}, outcome: 'refused: prototype_key' },
  'a property called __proto__': { schema: JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), value: {}, outcome: 'refused: prototype_key' },
  'required names of methods': { schema: { required: ['toString', 'constructor'] }, value: {}, outcome: 'required' },
  'unevaluated names of methods': { schema: { anyOf: [{ properties: { a: true } }], unevaluatedProperties: false }, value: { toString: 1 }, outcome: 'unevaluatedProperties' },
  'additional names of methods': { schema: { properties: object(9, (index) => [`p${index}`, true]), additionalProperties: false }, value: { valueOf: 1 }, outcome: 'additionalProperties' },
  'values that break comparison by their keys': { schema: { items: { enum: [{ valueOf: 1 }] } }, value: [{ valueOf: 1 }, { valueOf: 2 }], outcome: 'enum' },
  'values that break comparison by their constructor': { schema: { uniqueItems: true }, value: [{ constructor: { a: 1 } }, { constructor: { a: 1 } }], outcome: 'uniqueItems' },
  'a value that breaks its own description': { schema: { enum: [1] }, value: { toString: 0, valueOf: [] }, outcome: 'enum' },
  'an asynchronous schema': { schema: { $async: true, type: 'string' }, value: 1, outcome: 'type' },
  'a dialect of ajv': { schema: { type: 'string', nullable: true, discriminator: 5, formatMinimum: 1 }, value: null, outcome: 'type' },
  'code in names': { schema: { properties: { "a'];throw 1//": { type: 'string' } } }, value: { "a'];throw 1//": 1 }, outcome: 'type' },

  // Bugs in ajv that accepted invalid values
  'contains for a list shorter than its prefix': { schema: { prefixItems: [{ type: 'string' }], contains: { type: 'string' } }, value: [], outcome: 'contains' },
  'contains for an empty list after a full one': { schema: { items: { contains: { type: 'string' } } }, value: [['a'], []], outcome: 'contains' },
  'evaluated keys of a failing branch': { schema: { if: { properties: { a: { const: 1 } }, required: ['a'] }, unevaluatedProperties: false }, value: { a: 2 }, outcome: 'unevaluatedProperties' },
  'a price': { schema: { multipleOf: 0.01 }, value: 19.99, outcome: 'valid' },
  'a price that is none': { schema: { multipleOf: 0.01 }, value: 19.995, outcome: 'multipleOf' },

  ...Object.fromEntries(
    Object.entries(formatTexts).map(([format, value]) => [`a long ${format}`, { schema: { format }, value, outcome: 'format or valid' }]),
  ),
} // biome-ignore format: a table
