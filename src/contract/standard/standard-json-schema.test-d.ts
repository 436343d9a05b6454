// Checked by tsc, never run: each line holds or does not compile.
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import * as z from 'zod'
import { defineTool } from '../define-tool.ts'
import type { Tool } from '../tool.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

const about = { name: 'measure', description: 'Measures a text.', risk: 'read_only' } as const
const output = z.object({ count: z.int(), unit: z.enum(['words', 'lines']) })
const json = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] } as const

type Sent = { text: string; unit?: 'words' | 'lines' | undefined }
type Given = { text: string; unit: 'words' | 'lines' }
type Measured = { count: number; unit: 'words' | 'lines' }

export const zod = defineTool(
  { ...about, input: z.object({ text: z.string(), unit: z.enum(['words', 'lines']).default('words') }), output },
  (given) => {
    const exact: Equal<typeof given, Given> = true
    return { count: Number(exact), unit: given.unit }
  },
)

export const ark = defineTool(
  { ...about, input: type({ text: 'string', unit: "'words' | 'lines' = 'words'" }), output: json },
  ({ text, unit }) => {
    const exact: [Equal<typeof text, string>, Equal<typeof unit, 'words' | 'lines'>] = [true, true]
    return { count: exact.length }
  },
)

export const valibot = defineTool(
  {
    ...about,
    input: toStandardJsonSchema(
      v.object({ text: v.string(), unit: v.optional(v.picklist(['words', 'lines']), 'words') }),
    ),
    output: toStandardJsonSchema(v.object({ count: v.number() })),
  },
  (given) => {
    const exact: Equal<typeof given, Given> = true
    return { count: Number(exact) }
  },
)

export function whatCallersSeeOfIt() {
  const exact: Equal<typeof zod, Tool<unknown, Sent, Measured>> = true
  return exact
}

export function whatMustNotCompile() {
  // @ts-expect-error unit is missing
  defineTool({ ...about, input: z.object({}), output }, () => ({ count: 1 }))
  // @ts-expect-error unit is neither words nor lines
  defineTool({ ...about, input: z.object({}), output }, () => ({ count: 1, unit: 'pages' }))
  // @ts-expect-error there is no property named file
  defineTool({ ...about, input: z.object({}), output: json }, ({ file }) => ({ count: file }))
  // @ts-expect-error Valibot's schemas do not convert themselves: wrap them
  defineTool({ ...about, input: v.object({ text: v.string() }), output: json }, () => ({ count: 1 }))
  // @ts-expect-error the contract declares no such code
  defineTool({ ...about, input: z.object({}), output: json, errors: [] }, (_input, { fail }) => fail('none', 'No.'))
}
