import type { Contract, ContractSource } from '../../src/contract/contract.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { type LintProblem, lintContract } from '../../src/contract/lint-contract.ts'

/** A valid contract with the given changes. */
export function cleanContract(changes: { readonly [field in keyof Contract]?: unknown } = {}): Contract {
  const source: ContractSource = {
    name: 'read_note',
    description: 'Reads one note of the collection.',
    risk: 'read_only',
    input: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path of the note' },
        lines: { type: 'integer', description: 'How many lines', minimum: 1, default: 10 },
      },
      required: ['path'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: { text: { type: 'string', description: 'What the note says' } },
      required: ['text'],
      additionalProperties: false,
    },
    errors: [{ code: 'note_not_found', status: 404, when: 'There is no such note.', suggestion: 'List the notes.' }],
    effects: { reads: ['path'] },
    examples: [
      { input: { path: 'a.md' }, output: { text: 'Hello' } },
      { input: { path: 'b.md' }, error: 'note_not_found' },
    ],
  }
  return { ...defineTool(source, () => ({})).contract, ...(changes as Partial<Contract>) }
}

/** The findings of one rule in a valid contract with these changes, as pointers. */
export async function findings(rule: string, changes: Parameters<typeof cleanContract>[0]): Promise<string[]> {
  return pointersOf(rule, await lintContract(cleanContract(changes)))
}

/** The findings of one rule in an input with property `x` of this schema, as pointers below that property. */
export async function findingsInProperty(rule: string, schema: object, rest: object = {}): Promise<string[]> {
  const input = { type: 'object', properties: { x: schema }, additionalProperties: false, ...rest }
  const contract = cleanContract({ input, effects: {}, examples: [] })
  return pointersOf(rule, await lintContract(contract)).map((pointer) => pointer.replace('/input/properties/x', ''))
}

function pointersOf(rule: string, problems: readonly LintProblem[]): string[] {
  return problems.filter((problem) => problem.rule === rule).map(({ pointer }) => pointer)
}
