import type { ContractSource, Risk } from '../../contract/contract.ts'
import { toolNameForm } from '../../contract/forms.ts'
import type { JsonValue } from '../../contract/json.ts'
import { printableJson } from '../../contract/text/printable.ts'
import { type Command, type Options, type Request, UsageError } from '../options/command.ts'
import { toColumns } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint, type Terminal } from '../terminal/terminal.ts'
import type { PartOfTool } from './ask-for-tool.ts'
import { planInFolder } from './plan-in-folder.ts'
import { findRepository, planInRepository } from './plan-in-repository.ts'
import type { PlannedFiles } from './to-code.ts'
import {
  fieldTypes,
  readErrors,
  readExamples,
  readFields,
  risks,
  toContractSource,
  usualReturns,
  type WantedTool,
} from './wanted-tool.ts'
import { newWorkflowHelp } from './workflow/new-workflow-help.ts'
import { writeFiles } from './write-files.ts'

export const newTool: Command = {
  usage: ['new NAME [--contracts DIR] [options]', 'new NAME --toolset NAME [options]', 'new workflow …'],
  about: `Begins a tool: writes its contract, its handler and a test, which fails until the handler is written. They go into a
folder of your own (default: tools), to be served with --contracts, or to a toolset in the repository of Toolpact. Missing
options are asked for at a terminal. Existing files are never overwritten.

A parameter, and a part of what it returns, is NAME:TYPE and then, after a space, its meaning: 'limit:integer? How many'.
With ? it may be left out. Types are ${fieldTypes.join(', ')}; string[] is a list.`,
  options: {
    description: { type: 'string', value: 'TEXT', about: 'what the tool does, in a sentence' },
    risk: { type: 'string', value: risks.join('|'), about: 'how harmless it is (default: read_only)' },
    param: { type: 'string', value: 'NAME:TYPE', multiple: true, about: 'a parameter; may be repeated' },
    returns: {
      type: 'string',
      value: 'NAME:TYPE',
      multiple: true,
      about: 'a part of what it returns; may be repeated (default: result:string)',
    },
    error: { type: 'string', value: 'CODE:STATUS', multiple: true, about: 'a failure of its own; may be repeated' },
    example: {
      type: 'string',
      value: 'JSON',
      multiple: true,
      about: 'a call and what it gives: {"input": …, "output": …}; may be repeated',
    },
  },
  examples: [
    ['toolpact new word_count', 'asks for everything else'],
    [
      `toolpact new word_count --description 'Counts the words of a text.' --param text:string --returns words:integer`,
      'non-interactive',
    ],
    ['toolpact new read_note --contracts notes', 'in another folder'],
    ['toolpact new shout --toolset learning', 'in the repository of Toolpact'],
  ],
  actions: { workflow: newWorkflowHelp },
  next: ([action, name]) => (action === undefined ? ['workflow'] : action === 'workflow' && name ? 'tool' : undefined),
  async run(request) {
    const { positionals, options, terminal } = request
    if (positionals[0] === 'workflow') {
      const { newWorkflow } = await import('./workflow/new-workflow.ts')
      return newWorkflow(request, positionals.slice(1))
    }
    if (positionals.length > 1) throw new UsageError(`new takes one name, but also got '${positionals[1]}'.`)
    const place = findPlace(options)
    const wanted = await toWanted(request)
    if (!wanted) {
      terminal.log('Nothing was written.')
      return exitCodes.refused
    }
    const source = toContractSource(wanted)
    await requireSound(source)
    const plan =
      'folder' in place
        ? await planInFolder(place.folder, wanted, source)
        : planInRepository(place.root, place.toolset, source)
    await writeFiles(plan)
    printFiles(plan, options, terminal)
    return exitCodes.success
  },
}

type Place = { readonly folder: string } | { readonly root: string; readonly toolset: string }

function findPlace({ contracts = [], toolset = [] }: Options): Place {
  const [folder, ...folders] = contracts
  const [name, ...names] = toolset
  if (folders.length + names.length > 0 || (folder !== undefined && name !== undefined))
    throw new UsageError('A tool is made in one place.', 'Give --contracts DIR or --toolset NAME, once.')
  const root = findRepository('.')
  if (name === undefined) {
    if (root === undefined || folder !== undefined) return { folder: folder ?? 'tools' }
    throw new UsageError('In the repository of Toolpact a tool belongs to a toolset.', 'Add --toolset NAME, or --contracts DIR for a folder of your own.') // biome-ignore format: one line
  }
  if (root === undefined)
    throw new UsageError(
      '--toolset is for the repository of Toolpact.',
      'Use --contracts DIR for a folder of your own.',
    )
  return { root, toolset: name }
}

/** Options merged with the user's answers; undefined if input ended. */
async function toWanted({ positionals: [name], options, terminal }: Request): Promise<WantedTool | undefined> {
  const { description, risk, param, returns, error = [], example = [] } = options
  const given: PartOfTool = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(risk !== undefined && { risk: risk as Risk }),
    ...(param && { params: readFields(param, 'param') }),
    ...(returns && { returns: readFields(returns, 'returns') }),
  }
  checkParts(given)
  const rest = { errors: readErrors(error), examples: readExamples(example) }
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = options.yes || options.json ? undefined : openTty()
  if (!tty) return { ...requireParts(given), ...rest }
  try {
    const { askForTool } = await import('./ask-for-tool.ts')
    const answered = await askForTool(given, { tty, signal: terminal.signal, check: checkParts })
    return answered && { ...answered, ...rest }
  } finally {
    tty.close()
  }
}

function checkParts({ name, description, risk }: PartOfTool): void {
  if (name !== undefined && !toolNameForm.test(name))
    throw new UsageError(`A tool cannot be named '${name}'.`, 'Use a letter, then up to 63 letters, digits, _ . or -.')
  if (description !== undefined && description.trim() === '') throw new UsageError('The description is empty.', 'Describe in a sentence what the tool does.') // biome-ignore format: one line
  if (risk !== undefined && !risks.includes(risk))
    throw new UsageError(`--risk cannot be '${risk}'.`, `Use ${risks.join(', ')}.`)
}

/** Without a terminal. */
function requireParts({ name, description, risk = 'read_only', params = [], returns = usualReturns }: PartOfTool) {
  if (name === undefined) throw new UsageError('new needs the name of a tool.', 'Such as: toolpact new read_note')
  if (description === undefined)
    throw new UsageError('new needs a description.', `Such as: --description 'Reads one note.'`)
  return { name, description, risk, params, returns }
}

/** Lints the contract before anything is written. */
async function requireSound(source: ContractSource): Promise<void> {
  const { fromContractSet } = await import('../../projections/contracts.ts')
  const { lintContract } = await import('../../contract/lint-contract.ts')
  const set = await fromContractSet(source as unknown as JsonValue).catch((cause: Error) => {
    throw new UsageError(cause.message)
  })
  const [fault] = (await lintContract(set[source.name]!)).filter(({ severity }) => severity === 'error')
  if (fault) throw new UsageError(`The contract would be invalid at ${fault.pointer}. ${fault.message}`, fault.fix)
}

function printFiles({ id, created, changed, next }: PlannedFiles, { json }: Options, terminal: Terminal): void {
  if (json) {
    const pathsOf = (files: PlannedFiles['created']) => files.map(({ path }) => path)
    terminal.print(printableJson({ tool: id, created: pathsOf(created), changed: pathsOf(changed), next }))
    return
  }
  terminal.print(
    [paint('green', '✓ '), paint('bold', id)],
    ...toColumns([...created, ...changed].map(({ path, about }) => [`  ${path}`, paint('dim', about)]), { width: terminal.columns }), // biome-ignore format: one line
    '',
    paint('bold', 'Next'),
    ...next.map((step, index) => `  ${index + 1}. ${step}`),
  )
}
