import { parseJson } from '../../../contract/schema/parse-json.ts'
import type { Block, Code, Section } from './block.ts'
import { type Note, toExcerpt } from './draft.ts'
import { jsonLimits } from './json-text.ts'
import { toLabel } from './labels.ts'
import { isWhole } from './read-schemas.ts'

const rule = /\b(must|shall|mandatory|never|not allowed|forbidden|at most|rejected)\b/i

/** Reports content that belongs to no tool: rules in prose, and stray JSON. */
export function readProse({ heading, blocks }: Section, lines: readonly string[], note: Note): void {
  let isListed = false
  for (const block of blocks) {
    if (block.kind === 'code') readLooseCode(block, heading?.text ?? '', note)
    if (block.kind === 'paragraph' || block.kind === 'list') isListed = readRules(block, { lines, note, isListed })
  }
}

const introduction = /^(rules|implications|required fields|(?:what is )?(?:explicitly )?not allowed):?$/i

interface Reading {
  readonly lines: readonly string[]
  readonly note: Note
  /** Below a "Rules" heading every line is a rule. */
  readonly isListed: boolean
}

/** Returns whether the block ends with a line that introduces a list of rules. */
function readRules(block: Block & { readonly lastLine: number }, { lines, note, isListed }: Reading): boolean {
  let isIntroduction = false
  for (let line = block.line; line <= block.lastLine; line++) {
    // Strip the bullet, whichever character it is.
    const text = (lines[line - 1] ?? '').trim().replace(/^(?:\d+[.)]|[^A-Za-z0-9"{}[\]]+)\s+/, '')
    isIntroduction = introduction.test(text)
    if (isIntroduction) isListed = true
    else if (text === '{') {
      const message = 'JSON outside a block of code is not read.'
      note({ line, kind: 'left', code: 'json-unfenced', message, fix: 'Put it between lines of ```.' })
    } else if (!/[A-Za-z]{2}/.test(text)) isListed = false
    else if ((isListed || rule.test(text)) && !/^[{}[\]"]/.test(text)) {
      const message = 'A rule in words for every tool. A contract of one tool has no place for it.'
      note({ line, kind: 'left', code: 'rule-in-words', message, text: toExcerpt(text) })
    }
  }
  return isIntroduction
}

function readLooseCode({ line, language, text }: Code, heading: string, note: Note) {
  if (/^(markdown|md)$/.test(language) && /^#+ /m.test(text)) {
    note({ line, kind: 'left', code: 'template', message: 'This is a template for contracts, not a contract.' })
    return
  }
  if (/^[ \t]*\/\/[ \t]*(\.\.\.|…)[ \t]*$/m.test(text)) {
    note({ line, kind: 'left', code: 'template', message: 'This block has gaps, and belongs to no tool.' })
    return
  }
  if (!/^(jsonc?|)$/.test(language) || !/^\s*\{/.test(text)) return
  const parsed = parseJson(text, jsonLimits)
  if (!parsed.ok) return
  const fix = 'Put it below a heading with the name of the tool.'
  if (isWhole(parsed.value)) {
    const message = `The contract of '${parsed.value.name}' is in a section about something else.`
    note({ line, kind: 'left', code: 'contract-elsewhere', message, fix })
  } else if (toLabel(heading))
    note({ line, kind: 'left', code: 'schema-without-tool', message: 'This belongs to no tool.', fix })
  else if (typeof parsed.value === 'object' && parsed.value !== null && 'name' in parsed.value)
    note({ line, kind: 'left', code: 'contract-incomplete', message: 'This names a tool and has no schema.', fix })
}
