// Checked by tsc, never run: each line holds or does not compile.
import type { ContractSource } from './contract.ts'
import { defineTool } from './define-tool.ts'
import { defineToolset } from './define-toolset.ts'
import type { JsonObject } from './json.ts'
import type { Tool, Toolset } from './tool.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

interface Files {
  read(path: string): Promise<string>
}
interface Web {
  get(url: string): Promise<string>
}
interface Process {
  run(command: string): Promise<number>
}

const input = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    mode: { enum: ['text', 'lines'], default: 'text' },
    limit: { type: 'integer' },
  },
  required: ['path'],
  additionalProperties: false,
} as const
const output = {
  type: 'object',
  properties: { text: { type: 'string' }, kind: { enum: ['file', 'link'] } },
  required: ['text', 'kind'],
  additionalProperties: false,
} as const
const errors = [
  { code: 'file_not_found', status: 404, when: 'There is no such file.', suggestion: 'List the folder.' },
  { code: 'not_text', status: 422, when: 'The file is binary.', suggestion: 'Choose a text file.' },
] as const
const source = { name: 'read', description: 'Reads.', risk: 'read_only', input, output, errors } as const

export const read = defineTool(
  source,
  async ({ path, mode, limit }, { fail }, { files }: { files: Files }) => {
    const exact: [
      Equal<typeof path, string>,
      Equal<typeof mode, 'text' | 'lines'>,
      Equal<typeof limit, number | undefined>,
    ] = [true, true, true]
    if (!exact) return fail('file_not_found', 'There is no such file.')
    // @ts-expect-error the contract declares no such code
    if (mode === 'lines') return fail('file_nt_found', 'There is no such file.')
    return { text: await files.read(path), kind: 'file' }
  },
  { needs: ['files'] },
)

export const checked = defineTool(
  source,
  async ({ path }, _context, { files }: { files: Files }) => ({ text: await files.read(path), kind: 'file' }),
  {
    needs: ['files'],
    async validate({ path, mode }, { fail, signal, caller, callId }, { files }) {
      const exact: [Equal<typeof path, string>, Equal<typeof mode, 'text' | 'lines'>, Equal<typeof files, Files>] = [
        true,
        true,
        true,
      ]
      signal.throwIfAborted()
      if (!exact) return undefined
      return (await files.read(path)) === '' ? fail('not_text', `For ${caller.name}, ${callId}`) : undefined
    },
  },
)

export const fetchPage = defineTool(
  { ...source, name: 'fetch', errors: [] },
  async ({ path }, { signal }, { web }: { web: Web }) => {
    signal.throwIfAborted()
    return { text: await web.get(path), kind: 'link' }
  },
  { needs: ['web'] },
)

export const pure = defineTool(
  {
    name: 'pure',
    description: 'Adds.',
    risk: 'read_only',
    input: {
      type: 'object',
      properties: { numbers: { type: 'array', items: { type: 'number' } } },
      required: ['numbers'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: { sum: { type: 'number' } },
      required: ['sum'],
      additionalProperties: false,
    },
  },
  ({ numbers }) => ({ sum: numbers.reduce((sum, number) => sum + number, 0) }),
)

export function capabilities() {
  const exact: Equal<
    typeof read,
    Tool<
      { files: Files },
      { path: string; mode?: 'text' | 'lines'; limit?: number },
      { text: string; kind: 'file' | 'link' }
    >
  > = true
  const wide: Tool<{ files: Files; web: Web; process: Process }> = read
  const anywhere: Tool<{ files: Files }> = pure
  // @ts-expect-error this tool must be handed files
  const narrow: Tool<{ web: Web }> = read
  const set: Toolset<{ files: Files; web: Web }> = defineToolset('set', [read, fetchPage, pure])
  // @ts-expect-error one of the tools must be handed the web
  const poor: Toolset<{ files: Files }> = defineToolset('set', [read, fetchPage])
  const none: Toolset<Record<never, never>> = defineToolset('set', [pure])
  return { exact, wide, anywhere, narrow, set, poor, none }
}

export function provided() {
  const settings = { type: 'object', properties: { host: { type: 'string', default: 'a' } } } as const
  const web = { get: async (url: string) => url }
  const own: Toolset<{ files: Files }> = defineToolset('set', [read, fetchPage], {
    settings,
    open: ({ settings: { host } }) => {
      const exact: Equal<typeof host, string> = true
      return { web: exact ? web : web }
    },
    confined: ['web'],
  })
  // @ts-expect-error files are still for others to hand over
  const poor: Toolset<Record<never, never>> = defineToolset('set', [read, fetchPage], { open: () => ({ web }) })
  // @ts-expect-error the tools expect another web
  const other = defineToolset('set', [fetchPage], { open: () => ({ web: { get: 1 } }) })
  // @ts-expect-error it provides no files
  const confined = defineToolset('set', [fetchPage], { open: () => ({ web }), confined: ['files'] })
  return { own, poor, other, confined }
}

export function needs() {
  const answer = { text: '', kind: 'file' } as const
  const none = defineTool(source, () => answer, { needs: [] })
  const both = defineTool(source, (_input, _context, _world: { files: Files; web: Web }) => answer, { needs: ['web', 'files'] }) // biome-ignore format: one line
  // @ts-expect-error run takes files, so they must be listed
  const forgotten = defineTool(source, (_input, _context, { files }: { files: Files }) => files && answer)
  // @ts-expect-error also where a default would hide the parameter
  const hidden = defineTool(source, (_input, _context, { files }: { files: Files } = {} as never) => files && answer)
  // @ts-expect-error the web is missing
  const half = defineTool(source, (_input, _context, _world: { files: Files; web: Web }) => answer, { needs: ['files'] }) // biome-ignore format: one line
  // @ts-expect-error run takes no such thing
  const more = defineTool(source, (_input, _context, _world: { files: Files }) => answer, { needs: ['files', 'web'] })
  return { none, both, forgotten, hidden, half, more }
}

export function whatMustNotCompile() {
  defineTool(source, async () => ({ text: '', kind: 'file' }))
  defineTool(source, () => ({ text: '', kind: 'link' }))
  // @ts-expect-error a contract has no such field
  defineTool({ ...source, exampels: [] }, () => ({ text: '', kind: 'file' }))
  // @ts-expect-error kind is missing
  defineTool(source, async () => ({ text: '' }))
  // @ts-expect-error kind is neither file nor link
  defineTool(source, () => ({ text: '', kind: 'socket' }))
  // @ts-expect-error text is a string
  defineTool(source, () => ({ text: 1, kind: 'file' }))
  // @ts-expect-error the look ahead has the same input
  defineTool(source, () => ({ text: '', kind: 'file' }), { preview: ({ file }) => ({ sandbox: file }) })
  // @ts-expect-error validate has the same input
  defineTool(source, () => ({ text: '', kind: 'file' }), { validate: ({ file }) => file })
  defineTool(source, () => ({ text: '', kind: 'file' }), {
    // @ts-expect-error the contract declares no such code
    validate: (_input, { fail }) => fail('file_nt_found', 'There is no such file.'),
  })
  // @ts-expect-error validate reports no progress
  defineTool(source, () => ({ text: '', kind: 'file' }), { validate: (_input, { progress }) => progress })
  // @ts-expect-error validate returns an error or nothing
  defineTool(source, () => ({ text: '', kind: 'file' }), { validate: () => ({ text: '' }) })
  // @ts-expect-error there is no property named file
  defineTool(source, ({ file }) => ({ text: file, kind: 'file' }))
  defineTool(source, ({ limit }) => {
    // @ts-expect-error limit may be absent
    return { text: limit.toFixed(), kind: 'file' }
  })
  // @ts-expect-error without declared errors there is nothing to fail with
  defineTool({ ...source, errors: [] }, (_input, { fail }) => fail('file_not_found', 'No.'))
  // @ts-expect-error the risk is mistyped
  defineTool({ ...source, risk: 'readonly' }, () => ({ text: '', kind: 'file' }))
  // @ts-expect-error a type is mistyped
  defineTool({ ...source, input: { type: 'objekt' } }, () => ({ text: '', kind: 'file' }))
  // @ts-expect-error the output schema is missing
  defineTool({ name: 'x', description: 'X.', risk: 'read_only', input }, () => ({}))
}

export function aContractThatIsNotALiteral(loaded: ContractSource) {
  return defineTool(loaded, (given, { fail }) => {
    const exact: Equal<typeof given, JsonObject> = true
    return exact ? { any: 'thing' } : fail('any_code', 'A message.')
  })
}
