import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Entries } from '../export/export-formats.ts'

interface Faults {
  /** Differences, with line numbers. */
  readonly faults: readonly { readonly place: string; readonly message: string; readonly fix?: string }[]
  /** Number of documented tools. */
  readonly tools: number
}

/** Compares a document listed under "living" with the served tools. */
export async function checkLiving(path: string, entries: Entries): Promise<Faults> {
  const { maxBytes } = await import('../../authoring/markdown/read/bound-text.ts')
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile() || found.size > maxBytes) {
    const message = found?.isFile() ? `It has more than ${maxBytes} bytes.` : 'It cannot be read.'
    return {
      faults: [{ place: '', message, fix: `Fix ${basename(path)}, or remove it from "living".` }],
      tools: 0,
    }
  }
  const { fromMarkdown } = await import('../../authoring/markdown/from-markdown.ts')
  const { compareDocument } = await import('../../authoring/markdown/compare-document.ts')
  const { contracts, report } = await fromMarkdown(await readFile(path, 'utf8'), { lint: false })
  const wrong = report
    // Only documented parts are compared.
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
            fix: 'Run `toolpact contracts import FILE --dry-run` to see why.',
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
