import type { Contract, DeclaredError } from '../../contract/contract.ts'
import type { PipelineError } from '../../contract/error-codes.ts'
import type { Toolset } from '../../contract/tool.ts'

export interface OwnErrors {
  readonly pipeline: { readonly [code: string]: PipelineError }
  /** Errors of the HTTP layer. */
  readonly http: { readonly [code: string]: Omit<PipelineError, 'fixable'> }
}

/** Documents all error codes: first ours, then those that tools declare. */
export function toErrorsMarkdown({ pipeline, http }: OwnErrors, toolsets: readonly Toolset<never>[]): string {
  const tools = toolsets.flatMap(({ name, tools }) =>
    tools.map(({ contract }) => ({ id: `${name}.${contract.name}`, contract })),
  )
  return `${[
    '# Error codes',
    '<!-- Written from the contracts by `toolpact export errors`. -->',
    'Every failure has a `code`, a `message`, a `suggestion`, the HTTP `status` that a REST caller sees, and `fixable`: can the caller fix it by calling differently? A tool fails only with a code of the pipeline or one that its contract declares.',
    '## Of the pipeline',
    toTable(Object.entries(pipeline).map(([code, error]) => ({ code, ...error }))),
    '## Of the HTTP layer',
    'A request that is answered with one of these never became a call, so the ledger does not have it.',
    toTable(Object.entries(http).map(([code, error]) => ({ code, ...error, fixable: error.status < 500 }))),
    '## Of the tools',
    ...tools.filter(({ contract }) => contract.errors.length > 0).flatMap(toSection),
    ...toSilent(tools.filter(({ contract }) => contract.errors.length === 0).map(({ id }) => id)),
  ].join('\n\n')}\n`
}

function toSection({ id, contract }: { id: string; contract: Contract }): string[] {
  return [`### ${id}`, toTable(contract.errors.map((error) => ({ ...error, fixable: error.status < 500 })))]
}

function toSilent(ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`No codes of their own: ${ids.map((id) => `\`${id}\``).join(', ')}.`]
}

function toTable(errors: readonly (DeclaredError & { fixable: boolean })[]): string {
  const rows = errors.map(({ code, status, fixable, when, suggestion }) =>
    ['', `\`${code}\``, status, fixable ? 'yes' : 'no', toCell(when), toCell(suggestion), ''].join(' | ').trim(),
  )
  return ['| code | status | fixable | when | what to do |', '|---|--:|---|---|---|', ...rows].join('\n')
}

/** Escapes text for a table cell, so that it cannot end the cell or become markup. */
export function toCell(text: string): string {
  return text
    .replaceAll(/[\\|<>*`[\]]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
