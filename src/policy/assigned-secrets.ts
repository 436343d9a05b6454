import { isSecretName } from './secret-name.ts'
import { looksMade } from './secret-shapes.ts'
import type { FoundSecret } from './secrets.ts'

/**
 * Finds the value that a secret's name is given at this `=` or `:`, in a command, a query, JSON or a header:
 * `DB_PASSWORD=…`, `&api_key=…`, `"token": "…"`, `X-Api-Key: …`. Where source code gives a name another name, as in
 * `token=readToken()` or `token: string`, there is no secret.
 */
export function findAssigned(text: string, index: number): FoundSecret | undefined {
  const { name, quoted } = readNameBefore(text, index)
  if (name.length < 3 || !isSecretName(name)) return undefined
  if (quoted) return find(literal, text, index)
  if (text[index] === '=')
    return find(literal, text, index) ?? find(bare, text, index, isShouted(name) ? any : looksMade)
  return name.includes('-') ? find(bare, text, index, looksMade) : undefined
}

/** Quoted, perhaps with escaped quotes, as in JSON within JSON, or cut off. Not a placeholder or a template. */
const literal = /[:=]\s{0,4}\\?["']([^"'\\\r\n$<{*][^"'\\\r\n]{3,})(?:\\?["']|$)/dy
/** Up to where a shell, a URL or a line ends it; what ends otherwise is source code. It may hold a few `=`. */
const bare = /(?:=|: {0,4})([^\s"'`&;|,(){}[\]<>$\\*=]*(?:=[^\s"'`&;|,(){}[\]<>$\\*=]*){0,3})(?=$|[\s"'`&;|\\])/dy

function find(pattern: RegExp, text: string, index: number, check: (value: string) => boolean = any) {
  pattern.lastIndex = index
  const result = pattern.exec(text)
  if (!result || result[1]!.length < shortestValue || !check(result[1]!)) return undefined
  const [start, end] = result.indices![1]!
  return { kind: 'named secret', start, end }
}

const any = () => true

/** As environment variables are. */
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
