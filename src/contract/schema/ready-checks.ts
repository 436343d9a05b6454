import type { Format } from 'ajv'
import type { exactChecks } from './exact-keywords.ts'
import type { LinearPattern } from './linear-pattern.ts'
import type { AjvSchema } from './to-ajv-schema.ts'

/** A compiled check as `write-check.ts` writes it. */
export interface ReadyCheck {
  /** As ajv got it, for the defaults in it and for code that looks into it. */
  readonly schema?: AjvSchema
  readonly hasDefaults: boolean
  /** Names of the formats that it needs. */
  readonly formats: readonly string[]
  /** Gives the function that tells whether a value is valid. */
  readonly link: (links: CheckLinks) => (value: unknown) => boolean
}

/** What such code calls: our own functions, the same that a schema is compiled with. */
interface CheckLinks {
  readonly functions: { readonly [name: string]: unknown }
  readonly exact: typeof exactChecks
  readonly pattern: (source: string) => Pick<LinearPattern, 'test'>
  readonly format: (name: string) => Format
}

export type ReadyChecks = { readonly [digest: string]: ReadyCheck }

/**
 * What loads the check of a schema that comes with Toolpact, by the digest of the schema. The build writes it in place of
 * this file (`scripts/write-ready-checks.ts`): to compile them anew would be a quarter of a start. From the sources there are none.
 */
export const readyChecks: { readonly [digest: string]: () => Promise<{ readonly checks: ReadyChecks }> } = {}
