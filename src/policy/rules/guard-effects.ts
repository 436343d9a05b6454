import { resolve } from 'node:path'
import { canonicalJson } from '../../contract/canonical-json.ts'
import { toEffectFields } from '../../contract/contract.ts'
import type { JsonValue } from '../../contract/json.ts'
import { nameHidden } from '../../contract/text/hidden-characters.ts'
import { findHiddenStrings } from '../../contract/text/hidden-strings.ts'
import { textsOf } from '../../contract/text/texts-of.ts'
import { isInside } from '../path.ts'
import type { PolicyCall } from '../policy-call.ts'
import type { CompiledKey } from './compile-rule.ts'
import { guardCommand } from './guard-command.ts'
import { isFixed, literalPrefix, type Token } from './read-pattern.ts'
import { touches } from './too-wide.ts'

/** Why a call asks although a rule matches it: its wildcards may have matched more than the author meant. */
export function guardEffects(
  { input, contract, workspace }: PolicyCall,
  keys: readonly Pick<CompiledKey, 'key' | 'value'>[],
  { protectedPaths, allowsLines = false }: GuardOptions,
): string | undefined {
  const { effects } = contract
  const { reads, writes, fetches, runs, sends } = effects
  const namesEffects = toEffectFields(effects).length > 0
  for (const { key, value: pattern } of keys) {
    const value = input[key]
    // Only a key that the rule names as optional can be absent.
    if (value === undefined) continue
    // If the contract declares effects, other fields are plain text, which may have line breaks.
    const hasLines = (namesEffects || allowsLines) && !touches(effects, key)
    const options = { names: 'exact', texts: hasLines ? 'code' : 'exact', max: 1 } as const
    const [hidden] = findHiddenStrings({ [key]: value }, options)
    if (hidden) return `'${key}' has a character that cannot be seen (${nameHidden(hidden.character)})`
    const fault =
      ((reads?.includes(key) || writes?.includes(key)) && guardPaths(value, pattern, { workspace, protectedPaths })) ||
      (fetches?.includes(key) && guardUrl(canonicalJson(value), pattern)) ||
      (sends?.includes(key) && !(pattern.length > 0 && pattern.every(isFixed)) && openReceiver) ||
      (runs?.includes(key) && guardCommand(canonicalJson(value), pattern, protectedPaths))
    if (fault) return fault
  }
  return undefined
}

const openReceiver = 'the rule does not write out who receives the data'

interface GuardOptions {
  readonly protectedPaths: readonly string[]
  /** Text may have line breaks even if the contract declares no effects. */
  readonly allowsLines?: boolean
}

interface PathOptions {
  readonly workspace: string | undefined
  readonly protectedPaths: readonly string[]
}

function guardPaths(value: JsonValue, pattern: readonly Token[], options: PathOptions): string | undefined {
  const texts = textsOf(value)
  if (texts.some((text) => text.split(/[\\/]/).includes('..'))) return "the path climbs with '..'"
  // In an array, the pattern does not determine where a path starts.
  const isWritten = /^"(?:[\\/~]|[A-Za-z]:)/.test(literalPrefix(pattern))
  if (texts.some((text) => /^(?:[\\/~]|[A-Za-z]:)/.test(text)) && !isWritten)
    return 'the path is absolute, and the rule does not spell out its beginning'
  const { workspace = '/', protectedPaths } = options
  const isProtected = (path: string) => protectedPaths.some((folder) => isInside(folder, path, process.platform))
  if (protectedPaths.length > 0 && texts.some((text) => isProtected(resolve(workspace, text))))
    return 'the path leads to the state directory, which contains the rules'
  return undefined
}

/** Hidden files contain settings, keys and hooks. */
export function findHidden({ input, contract }: PolicyCall): string | undefined {
  const { reads = [], writes = [] } = contract.effects
  const paths = [...reads, ...writes].flatMap((key) => textsOf(input[key] ?? null))
  const isHidden = (path: string) => path.split(/[\\/]/).some((part) => /^\.(?!\.?$)/.test(part))
  return paths.some(isHidden) ? 'the path is hidden, and a rule for every call does not cover hidden files' : undefined
}

/** Up to the slash after the host: `https://a.example` alone would match `https://a.example.attacker.example` too. */
function guardUrl(text: string, pattern: readonly Token[]): string | undefined {
  const end = hostForm.exec(text)?.[0].length ?? text.length
  return literalPrefix(pattern).length < end
    ? 'the rule does not write out which host is reached (a dot is \\. in a pattern)'
    : undefined
}

/** Whether the literal prefix of a pattern contains the whole host. */
export function namesHost(prefix: string): boolean {
  return hostForm.test(prefix)
}

const hostForm = /^"[A-Za-z][\w+.-]*:\/\/[^/?#"\\@]*[/?#"]/
