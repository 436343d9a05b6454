import { basename } from 'node:path'
import type { JsonObject } from '../../contract/json.ts'
import type { FileRules } from './file-rules.ts'
import type { TakenEntry } from './server-entry.ts'

interface Found {
  readonly given: string
  readonly path: string
  readonly title: string
  readonly rules: FileRules
}

/** Carries over what the client's files forbid about a server outside its entry. */
export function applyRules(taken: TakenEntry, { given, path, title, rules }: Found): TakenEntry {
  const isDisabled =
    rules.disabled.includes(given) ||
    (rules.allowed !== undefined && !rules.allowed.includes(given)) ||
    (basename(path) === '.mcp.json' && rules.disabledInMcpJson.includes(given)) ||
    rules.deniedTools.some((pattern) => pattern === `${given}*` || pattern === `${given}_*`)
  const denied = rules.deniedTools.filter((pattern) => pattern.startsWith(`${given}_`) && pattern !== `${given}_*`)
  const tools = denied.filter((pattern) => !pattern.includes('*')).map((pattern) => pattern.slice(given.length + 1))
  const patterns = denied.filter((pattern) => pattern.includes('*'))
  const entry: JsonObject = {
    ...taken.entry,
    ...(tools.length > 0 && { exclude: [...((taken.entry.exclude as string[] | undefined) ?? []), ...tools] }),
    ...(isDisabled && { disabled: true }),
  }
  return {
    entry,
    notes: [...taken.notes, ...(isDisabled && taken.entry.disabled !== true ? [`It is disabled in ${title}, and so it is here.`] : [])], // biome-ignore format: one line
    problems: [...taken.problems, ...patterns.map((pattern) => `${pattern} denies tools by a pattern: list them under exclude.`)], // biome-ignore format: one line
  }
}
