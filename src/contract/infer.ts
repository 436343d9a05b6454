import type { JsonObject, JsonValue } from './json.ts'

/**
 * The type of a value that matches a JSON Schema literal, as `run` receives it: a property with a default is present.
 * The type system cannot express patterns, bounds, `if` and `not`; they are left to validation. Types that cannot be
 * inferred are `JsonValue`.
 *
 * `Infer<{ type: 'object', properties: { name: { type: 'string', default: 'World' } } }>` is `{ name: string }`.
 */
export type Infer<Schema> = Value<Schema, Schema, 'run'>

/** The type of a value that a caller may send: properties with a default are optional. */
export type InferInput<Schema> = Value<Schema, Schema, 'call'>

/** In `run`, defaults are set. Inside `anyOf` and `oneOf` they are not guaranteed, so the mode is `call`. */
type Mode = 'run' | 'call'

// Recursive schemas work because every condition is on the schema, never on an inferred type (which would be inferred
// to the end). `unknown` means that the schema leaves the type open; intersections drop it.

type Value<Schema, Root, M extends Mode> = Says<Schema, Root> extends true ? Walk<Schema, Root, M> : JsonValue

/** Whether the schema constrains the type. */
type Says<Schema, Root> = Schema extends boolean
  ? Schema extends true
    ? false
    : true
  : string extends keyof Schema
    ? false
    : Extract<keyof Schema, 'type' | 'const' | 'enum' | 'properties' | 'items' | 'prefixItems'> extends never
      ? Schema extends { $ref: infer Ref }
        ? Says<Target<Ref, Root>, Root>
        : Schema extends { anyOf: readonly (infer Branch)[] } | { oneOf: readonly (infer Branch)[] }
          ? All<Says<Branch, Root>>
          : Schema extends { allOf: readonly (infer Branch)[] }
            ? Some<Says<Branch, Root>>
            : false
      : true

type All<Answers> = false extends Answers ? false : true
type Some<Answers> = true extends Answers ? true : false

type Walk<Schema, Root, M extends Mode> = Schema extends boolean
  ? Schema extends true
    ? unknown
    : never
  : string extends keyof Schema
    ? unknown
    : Schema extends { const: infer Only }
      ? Mutable<Only>
      : Schema extends { enum: readonly (infer Choice)[] }
        ? Mutable<Choice>
        : Extract<keyof Schema, 'allOf' | 'anyOf' | 'oneOf' | '$ref'> extends never
          ? Own<Schema, Root, M>
          : Extract<keyof Schema, 'allOf' | 'type' | 'properties' | 'items'> extends never
            ? Combined<Schema, Root, M>
            : Flat<Own<Schema, Root, M> & Combined<Schema, Root, M>>

/** The combined type of the keywords that contain other schemas. */
type Combined<Schema, Root, M extends Mode> = (Schema extends { $ref: infer Ref }
  ? Walk<Target<Ref, Root>, Root, M>
  : unknown) &
  (Schema extends { allOf: infer Branches } ? Every<Branches, Root, M> : unknown) &
  (Schema extends { anyOf: readonly (infer Branch)[] } ? Walk<Branch, Root, 'call'> : unknown) &
  (Schema extends { oneOf: readonly (infer Branch)[] } ? Walk<Branch, Root, 'call'> : unknown)

type Every<Branches, Root, M extends Mode> = Branches extends readonly [infer First, ...infer Others]
  ? Walk<First, Root, M> & Every<Others, Root, M>
  : unknown

type Flat<T> = T extends readonly unknown[] ? T : T extends object ? { [Key in keyof T]: T[Key] } : T

/** The type given by `type` and the keywords of objects and arrays. */
type Own<Schema, Root, M extends Mode> = Schema extends { type: infer Type }
  ? Type extends readonly (infer One)[]
    ? OfType<One, Schema, Root, M>
    : OfType<Type, Schema, Root, M>
  : Schema extends { properties: unknown }
    ? OfObject<Schema, Root, M>
    : Schema extends { items: unknown } | { prefixItems: unknown }
      ? OfArray<Schema, Root, M>
      : unknown

type OfType<Type, Schema, Root, M extends Mode> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? OfArray<Schema, Root, M>
          : Type extends 'object'
            ? OfObject<Schema, Root, M>
            : unknown

// Objects

type OfObject<Schema, Root, M extends Mode> = keyof Properties<Schema> | RequiredName<Schema> extends never
  ? Extract<keyof Schema, 'additionalProperties' | 'patternProperties'> extends never
    ? Says<Omit<Schema, 'type'>, Root> extends true
      ? unknown
      : JsonObject
    : { [key: string]: Undeclared<Schema, Root, M> }
  : IsOpen<Schema> extends true
    ? // An index signature covers the declared properties too, so it must allow what they hold.
      Flat<Members<Schema, Root, M>> & {
        [key: string]: Undeclared<Schema, Root, M> | Value<Properties<Schema>[keyof Properties<Schema>], Root, M>
      }
    : Flat<Members<Schema, Root, M>>

type IsOpen<Schema> = Schema extends { patternProperties: unknown }
  ? true
  : Schema extends { additionalProperties: infer Additional }
    ? Additional extends false
      ? false
      : true
    : false

type Members<Schema, Root, M extends Mode> = {
  -readonly [Name in keyof Properties<Schema> as Name extends Present<Schema, M> ? Name : never]: Value<
    Properties<Schema>[Name],
    Root,
    M
  >
} & {
  -readonly [Name in keyof Properties<Schema> as Name extends Present<Schema, M> ? never : Name]?: Value<
    Properties<Schema>[Name],
    Root,
    M
  >
} & { [Name in Exclude<RequiredName<Schema>, keyof Properties<Schema>>]: JsonValue }

type Properties<Schema> = Schema extends { properties: infer Found } ? Found : unknown

type RequiredName<Schema> = Schema extends { required: readonly (infer Name extends string)[] } ? Name : never

type DefaultedName<Schema> = {
  [Name in keyof Properties<Schema>]: Properties<Schema>[Name] extends { default: unknown } ? Name : never
}[keyof Properties<Schema>]

type Present<Schema, M extends Mode> = M extends 'run'
  ? RequiredName<Schema> | DefaultedName<Schema>
  : Exclude<RequiredName<Schema>, DefaultedName<Schema>>

/** The type of undeclared properties. */
type Undeclared<Schema, Root, M extends Mode> =
  | (Schema extends { additionalProperties: infer Additional } ? Value<Additional, Root, M> : never)
  | (Schema extends { patternProperties: infer Patterns } ? Value<Patterns[keyof Patterns], Root, M> : never)

// Arrays

type OfArray<Schema, Root, M extends Mode> = Schema extends { prefixItems: infer Prefix }
  ? Tuple<Prefix, Schema extends { items: infer Items } ? Items : true, LeastLength<Schema>, Root, M>
  : Schema extends { items: infer Items }
    ? Items extends readonly unknown[]
      ? Tuple<Items, Schema extends { additionalItems: infer More } ? More : true, LeastLength<Schema>, Root, M>
      : Value<Items, Root, M>[]
    : JsonValue[]

type LeastLength<Schema> = Schema extends { minItems: infer Least } ? Least : 0

/** `prefixItems` does not require items: those beyond `minItems` are optional. A tuple type cannot be recursive. */
type Tuple<Prefix, More, Least, Root, M extends Mode, Done extends unknown[] = []> = Prefix extends readonly [
  infer First,
  ...infer Others,
]
  ? Done['length'] extends Least
    ? [...Done, ...OptionalTuple<Prefix, More, Root, M>]
    : Tuple<Others, More, Least, Root, M, [...Done, Value<First, Root, M>]>
  : [...Done, ...MoreItems<More, Root, M>]

type OptionalTuple<Prefix, More, Root, M extends Mode> = Prefix extends readonly [infer First, ...infer Others]
  ? [Value<First, Root, M>?, ...OptionalTuple<Others, More, Root, M>]
  : MoreItems<More, Root, M>

type MoreItems<More, Root, M extends Mode> = More extends false ? [] : Value<More, Root, M>[]

// References and literals

type Target<Ref, Root> = Ref extends '#' ? Root : Ref extends `#/${infer Path}` ? At<Root, Path> : true

type At<Place, Path> = Path extends `${infer Step}/${infer Further}`
  ? At<Part<Place, Unescaped<Step>>, Further>
  : Part<Place, Unescaped<Path & string>>

type Part<Place, Step> = Step extends keyof Place ? Place[Step] : true

type Unescaped<Step extends string> = Step extends `${infer Before}~1${infer After}`
  ? `${Before}/${Unescaped<After>}`
  : Step extends `${infer Before}~0${infer After}`
    ? `${Before}~${Unescaped<After>}`
    : Step

type Mutable<T> = T extends object ? { -readonly [Key in keyof T]: Mutable<T[Key]> } : T
