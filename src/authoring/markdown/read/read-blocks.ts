import type { Block, Code } from './block.ts'
import { boundText, isClosing } from './bound-text.ts'
import type { Note } from './draft.ts'
import { lengthOfJson } from './json-text.ts'
import { parseMarkdown } from './parse-markdown.ts'

/** Max recoveries from unclosed fences. */
const maxRecoveries = 8

/**
 * The blocks of a document. After an unclosed fence everything is code; if that starts with JSON, parsing resumes after the
 * JSON.
 */
export function readBlocks(text: string, note: Note): { blocks: Block[]; lines: readonly string[] } {
  const lines = boundText(text, note)
  const blocks: Block[] = []
  let offset = 0
  for (let round = 0; round <= maxRecoveries; round++) {
    const found = parseMarkdown(lines.slice(offset).join('\n'), offset)
    const last = found.at(-1)
    const rest = last?.kind === 'code' && isUnclosed(last, lines) ? recover(last, note, lines.length) : undefined
    blocks.push(...found.slice(0, rest ? -1 : undefined), ...(rest ? [rest.code] : []))
    if (!rest || rest.offset >= lines.length) break
    offset = rest.offset
  }
  for (const block of blocks) if (block.kind === 'code') checkFence(block, lines, note)
  return { blocks, lines }
}

/** Only the last block of a document can be unclosed. */
function isUnclosed({ line }: Code, lines: readonly string[]): boolean {
  const fence = fenceAt(line, lines)
  if (fence === undefined) return false
  const end = lines.findLastIndex((text) => text.trim() !== '')
  return end < line || !isClosing(lines[end]!, fence)
}

function fenceAt(line: number, lines: readonly string[]): string | undefined {
  return /^\s*(`{3,}|~{3,})/.exec(lines[line - 1] ?? '')?.[1]
}

function recover(code: Code, note: Note, total: number): { code: Code; offset: number } {
  const length = lengthOfJson(code.text)
  const text = length === undefined ? code.text : code.text.slice(0, length)
  const offset = length === undefined ? total : code.firstLine - 1 + text.split('\n').length
  const message =
    offset < total
      ? `This block is never closed, so that the rest of the document is code. It was read on from line ${offset + 1}.`
      : 'This block is never closed, so that the rest of the document is code.'
  note({ line: code.line, kind: 'wrong', code: 'fence-unclosed', severity: 'error', message, fix: 'End it with a line of ```.' }) // biome-ignore format: one line
  return { code: { ...code, text }, offset }
}

/** Markdown inside code that was probably not intended. */
function checkFence({ line, firstLine, language, text }: Code, lines: readonly string[], note: Note) {
  const fence = fenceAt(line, lines)
  if (fence === undefined) return
  const inner = text.split('\n')
  const nested = inner.findIndex((row) => /^ {0,3}(`{3,}|~{3,})[ \t]*\w/.exec(row)?.[1]?.startsWith(fence))
  const fix = 'Begin and end the outer block with a longer fence, such as ````.'
  if (nested >= 0) {
    const message = `The block that begins in line ${line} ends with the first fence inside it, and not where it was meant to.`
    note({ line: firstLine + nested, kind: 'wrong', code: 'fence-nested', severity: 'warning', message, fix })
  }
  const swallowed = language === '' ? inner.findIndex((row) => /^#{2,6} \S/.test(row)) : -1
  if (swallowed >= 0) {
    const message = `A heading is inside the block that starts in line ${line} and is read as code.`
    note({
      line: firstLine + swallowed,
      kind: 'wrong',
      code: 'fence-swallows-heading',
      severity: 'warning',
      message,
      fix,
    })
  }
}
