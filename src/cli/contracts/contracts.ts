import { type Command, type Request, UsageError } from '../options/command.ts'

const verbs: {
  readonly [name: string]: () => Promise<(request: Request, words: readonly string[]) => Promise<number>>
} = {
  import: async () => (await import('./import.ts')).importContracts,
}

export const contracts: Command = {
  usage: ['contracts ACTION …'],
  about: 'Imports contracts from a Markdown document.',
  options: {},
  examples: [['toolpact contracts import docs/tools.md', 'into the folder contracts']],
  actions: {
    import: {
      summary: 'read contracts out of a Markdown document',
      usage: ['contracts import FILE.md [options]'],
      about: `Reads contracts out of a Markdown document: headings with the names of tools, lists such as "- status: active", JSON
blocks of input, output and errors, lists of constraints. Writes NAME.contract.json for each tool, and reports with line
numbers what it read, assumed, skipped and found wrong. Exit code 1 if there are errors or no tool was found; contracts
without errors are written anyway.`,
      options: {
        out: {
          type: 'string',
          value: 'DIR',
          about: 'where to write, with a folder for each toolset that the document names (default: contracts)',
        },
        replace: { type: 'boolean', about: 'replace files with different content' },
        'dry-run': { type: 'boolean', about: 'only report; write nothing' },
      },
      examples: [
        ['toolpact contracts import docs/tools.md', 'into the folder contracts'],
        ['toolpact contracts import notes.md --toolset notes --out tools/notes', 'one toolset, right into its folder'],
        ['toolpact contracts import notes.md --dry-run', 'only check the document'],
      ],
    },
  },
  next: (before) => (before.length === 0 ? Object.keys(verbs) : undefined),
  async run(request) {
    const [verb, ...words] = request.positionals
    if (verb === undefined || !Object.hasOwn(verbs, verb))
      throw new UsageError(
        verb === undefined ? 'contracts needs an action.' : `contracts has no action '${verb}'.`,
        `Use contracts ${Object.keys(verbs).join(', ')}.`,
      )
    return (await verbs[verb]!())(request, words)
  },
}
