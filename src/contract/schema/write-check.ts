import type { ValidateFunction } from 'ajv'
import type { ValueScopeName } from 'ajv/dist/compile/codegen/index.js'
import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import type { JsonSchema } from '../json.ts'
import { defaultOf, Engine } from './build-check.ts'
import { checkFunctions } from './check-functions.ts'
import { SchemaRefused } from './compile-schema.ts'
import { exactChecks } from './exact-keywords.ts'
import { examineSchema } from './guard-schema.ts'
import { isDeterministic } from './is-deterministic.ts'
import { formatsIn, loadFormats } from './load-formats.ts'
import { toAjvSchema } from './to-ajv-schema.ts'

/**
 * Compiles a schema like `compileSchema`, including the guard, and returns the code of a `ReadyCheck`; undefined if the
 * check is more than one function. Used by the build.
 */
export async function writeCheck(schema: JsonSchema): Promise<string | undefined> {
  const admitted = await examineSchema(schema)
  if (!admitted.admitted) throw new SchemaRefused(admitted.problems)
  const { survey, patterns } = admitted
  const formats = await loadFormats(formatsIn(survey))
  const translated = toAjvSchema(admitted, { assertFormats: true })
  const made = new Map<unknown, string>()
  const engine = new Engine(
    { schema: translated, patterns, formats },
    { allErrors: false, details: false, source: true },
    () => false,
  )
  for (const [name, check] of Object.entries(exactChecks)) {
    const rule = engine.getKeyword(name) as { compile: unknown }
    rule.compile = (value: never) => {
      const compiled = check(value)
      made.set(compiled, `exact.${name}(${JSON.stringify(value)})`)
      return compiled
    }
  }
  const { validateCode, scopeValues } = (engine.compile(translated) as ValidateFunction).source!
  const used = Object.values(scopeValues)
    .flatMap((names) => [...names!])
    .filter(({ str }) => new RegExp(`\\b${str}\\b`).test(validateCode))
  const links = used.map((name) => toLink(name, made))
  if (links.includes(undefined)) return undefined
  const hasDefaults = survey.places.some((place) => place.schema.default !== undefined)
  const usesSchema = hasDefaults || used.some(({ prefix }) => prefix === 'schema')
  return `{
${usesSchema ? `schema: ${JSON.stringify(translated)},\n` : ''}hasDefaults: ${hasDefaults},
formats: ${JSON.stringify([...formats.keys()])},
link({ functions, exact, pattern, format }) {
const self = this
${links.map((link, index) => `const ${used[index]!.str} = ${link}\n`).join('')}return ${validateCode}
},
}`
}

/** ajv functions that call no others, so that their code is self-contained. */
const ajvFunctions = new Map<unknown, string>([
  [Object.prototype.hasOwnProperty, 'Object.prototype.hasOwnProperty'],
  [defaultOf(ucs2length), `(${defaultOf(ucs2length)})`],
])

/** The code for a name; undefined if it refers to the check of another schema. */
function toLink({ prefix, value }: ValueScopeName, made: ReadonlyMap<unknown, string>): string | undefined {
  switch (prefix) {
    case 'schema':
      return 'self.schema'
    case 'keyword':
      return made.get(value!.ref)
    case 'pattern':
      return `pattern(${JSON.stringify(value!.key)}, ${isDeterministic(value!.key as string)})`
    case 'formats':
      return `format(${JSON.stringify(value!.key)})`
    case 'func': {
      const own = Object.entries(checkFunctions).find(([, known]) => known === value!.ref)
      return own ? `functions.${own[0]}` : ajvFunctions.get(value!.ref)
    }
    default:
      return undefined
  }
}
