import { parseJson } from '../../../contract/schema/parse-json.ts'
import { type Item, textOf } from './block.ts'
import type { Draft } from './draft.ts'
import { toExcerpt } from './draft.ts'
import { jsonLimits } from './json-text.ts'
import { type Part, proseOf } from './read-parts.ts'

/** A list of rules in prose. All are stored; some map to enforceable fields. */
export function readConstraints(part: Part, draft: Draft): void {
  const items = part.blocks.flatMap((block) => (block.kind === 'list' ? block.items : []))
  const prose = proseOf(part)
  const found = [
    ...(prose === '' || /^none\b/i.test(prose) ? [] : [{ line: part.line, text: prose }]),
    ...items.map((item) => ({
      line: item.line,
      text: toExact(item) ?? toText(item),
      isExact: toExact(item) !== undefined,
    })),
  ].filter(({ line, text, isExact }: { line: number; text: string; isExact?: boolean }) => {
    const isPlaceholder = !isExact && /^\[[^\]]*\]$/.test(text)
    if (isPlaceholder) draft.note({ line, kind: 'left', code: 'placeholder', message: 'This is still to be written.' })
    return text !== '' && !isPlaceholder
  })
  if (found.length === 0) return
  draft.take(
    'constraints',
    found.map(({ text }) => text),
    (pointer) => found[Number(/^\/(\d+)/.exec(pointer)?.[1] ?? 0)]?.line ?? part.line,
  )
}

/** Derives limits, approval and risk from prose, unless set elsewhere. */
export function interpretConstraints(draft: Draft): void {
  const constraints = (draft.source.constraints ?? []) as string[]
  for (const [index, text] of constraints.entries()) {
    const line = draft.lineOf(`/constraints/${index}`)
    const calls = toCalls(text)
    if (calls) draft.take('limits', { calls }, line)
    if (asksApproval.test(text)) draft.take('approval', 'ask', line)
    if (changesNothing.test(text)) draft.take('risk', 'read_only', line)
    if (/^append.only\b/i.test(text))
      draft.assume('risk', 'safe_write', { line, message: 'What only appends was taken for safe_write.' })
    if (/\b\d+\s*([KMG]i?B|bytes)\b/i.test(text)) {
      const message = 'A size of what the tool handles is no limit of a whole call. It was kept as a constraint.'
      draft.note({ line, kind: 'left', code: 'size-in-words', message, text: toExcerpt(text) })
    }
  }
}

const asksApproval =
  /\b(approval|confirmation|consent)\b.*\b(required?s?|needed|must|obtain)|\b(required?s?|needs?|must|obtain)\b.*\b(approval|confirmation|consent)\b/i
const changesNothing = /^read.only\b|\bno side.effects\b/i

const spans: { readonly [unit: string]: number } = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** "Rate limit: 100 requests/minute" */
function toCalls(text: string): { count: number; windowMs: number } | undefined {
  const [, count, unit] =
    /\b(\d{1,9}) (?:requests|calls)\s*(?:\/|per|a|an|each)\s*(second|minute|hour|day)\b/i.exec(text) ?? []
  if (count === undefined || Number(count) < 1) return undefined
  return { count: Number(count), windowMs: spans[unit!.toLowerCase()]! }
}

/** An item that is a single JSON string in code stands for that string. */
function toExact({ inlines, items }: Item): string | undefined {
  const [first, ...rest] = inlines.filter(({ text }) => text.trim() !== '')
  if (first?.kind !== 'code' || rest.length > 0 || items.length > 0 || !first.text.startsWith('"')) return undefined
  const parsed = parseJson(first.text, jsonLimits)
  return parsed.ok && typeof parsed.value === 'string' ? parsed.value : undefined
}

/** Nested items are appended after a colon. */
function toText({ inlines, items }: Item): string {
  const text = textOf(inlines).trim()
  return items.length === 0 ? text : `${text.replace(/\s*:$/, '')}: ${items.map(toText).join(', ')}`
}
