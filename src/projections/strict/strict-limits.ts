import type { JsonObject, JsonValue } from '../../contract/json.ts'

/** What OpenAI takes of one strict schema. Beyond it the whole request is refused. */
const most = { properties: 5000, levels: 5, choices: 1000, characters: 120_000 }

/** Why a strict schema is too large, or nothing. */
export function findExcess(schema: JsonObject): string | undefined {
  const count = { properties: 0, levels: 0, choices: 0, characters: 0 }
  visit(schema, 0)
  const over = (Object.keys(most) as (keyof typeof most)[]).find((what) => count[what] > most[what])
  return over && `it has ${count[over]} ${words[over]}, and strict mode takes ${most[over]}.`

  function visit(part: JsonObject, above: number): void {
    const properties = Object.entries((part.properties ?? {}) as JsonObject)
    const definitions = Object.entries((part.$defs ?? {}) as JsonObject)
    const choices = (part.enum ?? []) as JsonValue[]
    const level = part.type === 'object' ? above + 1 : above
    count.levels = Math.max(count.levels, level)
    count.properties += properties.length
    count.choices += choices.length
    const named = [...properties, ...definitions].map(([name]) => name)
    const fixed = part.const === undefined ? choices : [...choices, part.const]
    for (const text of [...named, ...fixed]) count.characters += String(text).length
    for (const [, property] of properties) visit(property as JsonObject, level)
    for (const [, definition] of definitions) visit(definition as JsonObject, 0)
    for (const branch of (part.anyOf ?? []) as JsonObject[]) visit(branch, level)
    if (part.items !== undefined) visit(part.items as JsonObject, level)
  }
}

const words = {
  properties: 'properties',
  levels: 'levels of objects',
  choices: 'choices in its enums',
  characters: 'characters of names and choices',
}
