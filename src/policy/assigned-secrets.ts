import { isSecretName } from './secret-name.ts'
import { looksMade } from './secret-shapes.ts'
import type { FoundSecret } from './secrets.ts'

/**
 * Finds the value assigned to a secret's name at this `=` or `:`, in a command, a query, JSON or a header: `DB_PASSWORD=…`,
 * `&api_key=…`, `"token": "…"`, `X-Api-Key: …`. Source code such as `token=readToken()` or `token: string` is not a secret.
 */
export function findAssigned(text: string, index: number): FoundSecret | undefined {
  const { name, quoted } = readNameBefore(text, index)
  if (name.length < 3 || !isSecretName(name)) return undefined
  if (quoted) return find(literal, text, index)
  if (text[index] === '=')
    return find(literal, text, index) ?? find(bare, text, index, isShouted(name) ? any : looksMade)
  return name.includes('-') ? find(bare, text, index, looksMade) : undefined
}

/** A quoted value, possibly with escaped quotes (JSON within JSON) or truncated. Not a placeholder or template. */
const literal = /[:=]\s{0,4}\\?["']([^"'\\\r\n$<{*][^"'\\\r\n]{3,})(?:\\?["']|$)/dy
/** An unquoted value, terminated as in a shell, a URL or a line; other terminators indicate source code. May contain a few `=`. */
const bare = /(?:=|: {0,4})([^\s"'`&;|,(){}[\]<>$\\*=]*(?:=[^\s"'`&;|,(){}[\]<>$\\*=]*){0,3})(?=$|[\s"'`&;|\\])/dy

function find(pattern: RegExp, text: string, index: number, check: (value: string) => boolean = any) {
  pattern.lastIndex = index
  const result = pattern.exec(text)
  if (!result || result[1]!.length < shortestValue || !check(result[1]!)) return undefined
  const [start, end] = result.indices![1]!
  return { kind: 'named secret', start, end }
}

const any = () => true

/** Written like an environment variable. */
function isShouted(name: string): boolean {
  return name === name.toUpperCase()
}

const maxName = 64
const shortestValue = 4

function readNameBefore(text: string, index: number): { name: string; quoted: boolean } {
  let end = index
  const quoted = isQuote(text.charCodeAt(end - 1))
  if (quoted) end -= text[end - 2] === '\\' ? 2 : 1
  let start = end
  while (start > 0 && end - start < maxName && isNameCode(text.charCodeAt(start - 1))) start -= 1
  return { name: text.slice(start, end), quoted }
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39
}

/** Letters, digits, `_`, `-` and `.`. */
function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46
  )
}
