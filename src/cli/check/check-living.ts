import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Entries } from '../export/export-formats.ts'

interface Faults {
  /** What is wrong, each with its line. */
  readonly faults: readonly { readonly place: string; readonly message: string; readonly fix?: string }[]
  /** How many tools the document is about. */
  readonly tools: number
}

/** Compares a document that is declared to be living with the tools that are served. */
export async function checkLiving(path: string, entries: Entries): Promise<Faults> {
  const { maxBytes } = await import('../../authoring/markdown/read/bound-text.ts')
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile() || found.size > maxBytes) {
    const message = found?.isFile() ? `It has more than ${maxBytes} bytes.` : 'It cannot be read.'
    return {
      faults: [{ place: '', message, fix: `Look after ${basename(path)}, or take it out of "living".` }],
      tools: 0,
    }
  }
  const { fromMarkdown } = await import('../../authoring/markdown/from-markdown.ts')
  const { compareDocument } = await import('../../authoring/markdown/compare-document.ts')
  const { contracts, report } = await fromMarkdown(await readFile(path, 'utf8'), { lint: false })
  const wrong = report
    // What a document leaves out is not compared.
    .filter(({ severity, code }) => severity === 'error' && !code.endsWith('-missing'))
    .map(({ line, tool, message, fix }) => ({ line, place: tool ?? '', message, fix }))
  const differing = compareDocument(contracts, entries).map(({ line, tool, pointer, message, fix }) => ({
    line,
    place: `${tool} ${pointer}`.trim(),
    message,
    fix,
  }))
  const none =
    contracts.length === 0
      ? [
          {
            line: 1,
            place: '',
            message: 'No contract was found in it.',
            fix: 'toolpact contracts import --dry-run tells why.',
          },
        ]
      : []
  return {
    tools: contracts.length,
    faults: [...wrong, ...differing, ...none]
      .toSorted((one, other) => one.line - other.line)
      .map(({ line, place, message, fix }) => ({
        place: `:${line}${place && ` ${place}`}`,
        message,
        ...(fix && { fix }),
      })),
  }
}
