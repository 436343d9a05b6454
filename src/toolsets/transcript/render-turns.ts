import type { Turn } from './read/to-turns.ts'
import { type Passage, toText } from './words.ts'

/** Turns as text again: a line for each, and a blank line where one was. */
export function renderTurns(turns: readonly Omit<Turn, 'text'>[], passages: readonly Passage[]): string {
  let text = ''
  for (const [index, { label, apart }] of turns.entries()) {
    const line = [label, toText(passages[index]!).trim()].filter(Boolean).join(' ')
    if (line === '') continue
    text += `${text === '' ? '' : apart ? '\n\n' : '\n'}${line}`
  }
  return text
}
