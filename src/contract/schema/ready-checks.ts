import type { Format } from 'ajv'
import type { exactChecks } from './exact-keywords.ts'
import type { LinearPattern } from './linear-pattern.ts'
import type { AjvSchema } from './to-ajv-schema.ts'

/** A compiled check as `write-check.ts` writes it. */
export interface ReadyCheck {
  /** As passed to ajv, for its defaults and for code that reads it. */
  readonly schema?: AjvSchema
  readonly hasDefaults: boolean
  /** The formats that it needs. */
  readonly formats: readonly string[]
  /** Returns the function that tests a value. */
  readonly link: (links: CheckLinks) => (value: unknown) => boolean
}

/** What the generated code calls: the functions that schemas are compiled with at run time. */
interface CheckLinks {
  readonly functions: { readonly [name: string]: unknown }
  readonly exact: typeof exactChecks
  readonly pattern: (source: string, isDeterministic: boolean) => Pick<LinearPattern, 'test'>
  readonly format: (name: string) => Format
}

export type ReadyChecks = { readonly [digest: string]: ReadyCheck }

/**
 * Loaders of the checks of built-in schemas, by the digest of the schema. The build replaces this file
 * (`scripts/write-ready-checks.ts`), because compiling the checks would take a quarter of a start. Empty when run from
 * the sources.
 */
export const readyChecks: { readonly [digest: string]: () => Promise<{ readonly checks: ReadyChecks }> } = {}
