import { type Command, type Request, UsageError } from '../options/command.ts'

const verbs: {
  readonly [name: string]: () => Promise<(request: Request, words: readonly string[]) => Promise<number>>
} = {
  import: async () => (await import('./import.ts')).importContracts,
}

export const contracts: Command = {
  usage: ['contracts import FILE.md [--out DIR] [--toolset NAME] [--replace] [--dry-run]'],
  about: `Reads contracts out of a Markdown document: headings with the names of tools, lists such as "- status: active", JSON
blocks of input, output and errors, lists of constraints. Writes NAME.contract.json for each tool, and reports with line
numbers what it read, assumed, skipped and found wrong. Files go to DIR (default: contracts), in a folder for each toolset
that the document names. Exit code 1 if there are errors or no tool was found; contracts without errors are
written anyway.`,
  options: {
    out: { type: 'string', value: 'DIR', about: 'the folder to write to, created if missing (default: contracts)' },
    replace: { type: 'boolean', about: 'replace files with different content' },
    'dry-run': { type: 'boolean', about: 'only report; write nothing' },
  },
  examples: [
    ['toolpact contracts import docs/tools.md', 'into the folder contracts'],
    ['toolpact contracts import notes.md --toolset notes --out tools/notes', 'one toolset, right into its folder'],
    ['toolpact contracts import notes.md --dry-run', 'only check the document'],
    ['toolpact contracts import notes.md --dry-run --json', 'the contracts and the report, for a script'],
  ],
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
