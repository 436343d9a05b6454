import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type DocumentedContract, type Finding, fromMarkdown } from '../../authoring/markdown/from-markdown.ts'
import { maxBytes } from '../../authoring/markdown/read/bound-text.ts'
import type { ContractSource } from '../../contract/contract.ts'
import { toolsetNameForm } from '../../contract/forms.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { replaceFile } from '../../state/replace-file.ts'
import { type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Line, paint } from '../terminal/terminal.ts'

const colours = { taken: 'green', assumed: 'cyan', left: 'dim', warning: 'yellow', error: 'red' } as const

export async function importContracts(request: Request, words: readonly string[]): Promise<number> {
  const { options, terminal } = request
  const [path, ...more] = words
  if (path === undefined) throw new UsageError('contracts import needs a document.', 'Name a Markdown file.')
  if (more.length > 0) throw new UsageError(`contracts import reads one document, but also got '${more[0]}'.`)
  const toolset = toToolset(options.toolset)
  const { contracts, report } = await fromMarkdown(await readDocument(path))
  const files = contracts
    .filter((contract) => toolset === undefined || (contract.toolset ?? toolset) === toolset)
    .map((contract) => toFile(contract, { folder: options.out ?? 'contracts', toolset }))
  const written = options['dry-run'] ? [] : await writeContracts(files, { replace: options.replace ?? false })
  if (options.json) terminal.print(printableJson({ contracts: files.map(toJson), report, written }))
  else {
    terminal.print(...toReportLines(report))
    const others = new Set(contracts.map((contract) => contract.toolset))
    terminal.log(
      toClosing({ found: files.length, written: written.length, isDry: options['dry-run'] ?? false, others }),
    )
  }
  return files.length > 0 && !report.some(isError) ? exitCodes.success : exitCodes.failed
}

/** Each toolset is a folder. */
function toToolset(names: readonly string[] | undefined): string | undefined {
  const [name, other] = names ?? []
  if (other !== undefined) throw new UsageError('contracts import takes one --toolset.')
  if (name !== undefined && !toolsetNameForm.test(name))
    throw new UsageError(`'${name}' cannot be the name of a toolset.`, 'Use a letter, then letters, digits, _ or -.')
  return name
}

async function readDocument(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new UsageError(`There is no file ${path}.`)
  if (!found.isFile()) throw new UsageError(`${path} is not a file.`)
  if (found.size > maxBytes)
    throw new UsageError(`${path} has more than ${maxBytes} bytes.`, 'Split it into several documents.')
  return readFile(path, 'utf8')
}

interface Place {
  readonly folder: string
  readonly toolset: string | undefined
}

function toFile(contract: DocumentedContract, { folder, toolset }: Place): ContractFile {
  const { source, toolset: named } = contract
  const place = toolset === undefined && named !== undefined ? join(folder, named) : folder
  const id = toolset === undefined ? contract.id : `${toolset}.${source.name}`
  return { id, line: contract.line, path: join(place, `${source.name}.contract.json`), source }
}

function toJson({ id, line, path, source }: ContractFile) {
  return { id, line, file: path, contract: source }
}

function isError({ severity }: Finding): boolean {
  return severity === 'error'
}

interface Closing {
  readonly found: number
  readonly written: number
  readonly isDry: boolean
  /** Toolsets named in the document. */
  readonly others: ReadonlySet<string | undefined>
}

function toClosing({ found, written, isDry, others }: Closing) {
  if (found === 0 && others.size > 0)
    return [
      paint('yellow', 'No contract was found for this toolset.'),
      ` The document names: ${[...others].join(', ')}.`,
    ]
  if (found === 0)
    return [
      paint('yellow', 'No contract was found.'),
      ' Give each tool a heading with its name, and below it its input and output as ```json blocks. See `toolpact contracts import --help`.',
    ]
  const count = `${found} ${found === 1 ? 'contract' : 'contracts'}`
  if (isDry) return `${count}; nothing was written.`
  const unchanged = found - written
  return `${count}; wrote ${written} ${written === 1 ? 'file' : 'files'}${unchanged > 0 ? `, ${unchanged} unchanged` : ''}.`
}

/** Formats the report: line, outcome and location, with the reason and fix below. */
function toReportLines(report: readonly Finding[]): Line[] {
  const width = String(report.at(-1)?.line ?? 0).length
  return report.flatMap(({ line, kind, severity, code, tool, pointer, message, fix, text }): Line[] => {
    const word = severity ?? (kind === 'wrong' ? 'error' : kind)
    const place = [tool, pointer].filter(Boolean).join(' ')
    return [
      [`${String(line).padStart(width)}  `, paint(colours[word], word.padEnd(7)), `  ${printable(place || code)}`],
      `${' '.repeat(width + 11)}${printable(message)}${fix ? ` ${printable(fix)}` : ''}`,
      ...(text ? [[`${' '.repeat(width + 11)}`, paint('dim', printable(text))]] : []),
    ]
  })
}

interface ContractFile {
  readonly id: string
  /** Line in the document. */
  readonly line: number
  readonly path: string
  readonly source: ContractSource
}

/** Writes all contracts or none. Returns the paths that changed. */
async function writeContracts(
  files: readonly ContractFile[],
  { replace }: { readonly replace: boolean },
): Promise<string[]> {
  refuseClash(files)
  const planned = await Promise.all(
    files.map(async ({ path, source }) => ({
      path,
      text: `${JSON.stringify(source, null, 2)}\n`,
      before: await readIfThere(path),
    })),
  )
  const changed = planned.filter(({ text, before }) => before !== text)
  const taken = changed.filter(({ before }) => before !== undefined)
  if (taken.length > 0 && !replace)
    throw new UsageError(
      `${taken.map(({ path }) => path).join(', ')} ${taken.length === 1 ? 'is' : 'are'} different from the import.`,
      'Nothing was written. Use --replace to overwrite, or --out for another folder.',
    )
  const done: Planned[] = []
  try {
    for (const file of changed) {
      await mkdir(dirname(file.path), { recursive: true })
      await replaceFile(file.path, file.text)
      done.push(file)
    }
  } catch (cause) {
    await undo(done)
    const { code } = cause as NodeJS.ErrnoException
    throw new UsageError(`The contracts cannot be written (${code ?? cause}).`, 'Check the path after --out.')
  }
  return done.map(({ path }) => path)
}

interface Planned {
  readonly path: string
  readonly text: string
  readonly before: string | undefined
}

/** On case-insensitive file systems, two names can be the same file. */
function refuseClash(files: readonly ContractFile[]): void {
  for (const [index, { path, id }] of files.entries()) {
    const first = files.findIndex((file) => file.path.toLowerCase() === path.toLowerCase())
    if (first !== index)
      throw new UsageError(
        `${files[first]!.id} and ${id} would have the same file ${path}.`,
        'Import one toolset at a time, with --toolset and --out.',
      )
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(
      `${path} cannot be read (${(cause as NodeJS.ErrnoException).code}).`,
      'Check the path after --out.',
    )
  }
}

async function undo(done: readonly Planned[]): Promise<void> {
  for (const { path, before } of done) {
    await (before === undefined ? rm(path, { force: true }) : replaceFile(path, before)).catch(() => {})
  }
}
