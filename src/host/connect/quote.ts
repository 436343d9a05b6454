import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { ServerAddress } from './client.ts'
import type { Quote } from './transport.ts'

const defaultMax = 1000
/** Secrets are searched for in this much of a text, so that megabytes are not scanned. */
const maxRead = 8000
/** Shorter values are not secrets, and redacting them would make the text unreadable. */
const minSecretCharacters = 6

/**
 * Sanitizes text from a server for people and models: bounded, on one line, without hidden characters and without secrets
 * that the operator passed to the server. Applied to every error, progress message, log message and line of stderr.
 */
export function createQuote(address: ServerAddress): Quote {
  const secrets = [...new Set(secretsOf(address))]
    .filter((secret) => secret.length >= minSecretCharacters)
    .sort((one, other) => other.length - one.length)
  const longest = secrets[0]?.length ?? 0
  return (text, max = defaultMax) => {
    // Redact before shortening: a truncated secret would not be found.
    let shown = stripHidden(text.slice(0, maxRead), 'prose')
    for (const secret of secrets) shown = shown.replaceAll(secret, '[secret]')
    const end = text.length > maxRead ? Math.min(max, shown.length - longest) : max
    return printable(shorten(shown, Math.max(end, 1)))
  }
}

/** Puts text in quotation marks that it cannot close. */
export function inQuotes(words: string): string {
  return `"${words.replaceAll(/\\*"/g, '\\"').replace(/\\+$/, '')}"`
}

function secretsOf(address: ServerAddress): string[] {
  if (address.kind === 'stdio') return Object.values(address.env)
  const parts = Object.values(address.headers).flatMap((value) => [value, ...value.split(/\s+/)])
  if (!URL.canParse(address.url)) return parts
  const { username, password, search, searchParams } = new URL(address.url)
  const inUrl = [password, decode(password), username, search.slice(1), ...searchParams.values()]
  return [...parts, ...inUrl, ...[...searchParams.values()].map(encodeURIComponent)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
