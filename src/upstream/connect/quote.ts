import { printable } from '../../contract/printable.ts'
import type { ServerAddress } from './client.ts'
import type { Quote } from './transport.ts'

const mostCharacters = 1000
/** Shorter values are not secrets, and to blot them out would make the text unreadable. */
const fewestCharacters = 6

/** A server may repeat what the operator handed to it. Its words are shown to people, so they go without that. */
export function createQuote(address: ServerAddress): Quote {
  const secrets = [...new Set(secretsOf(address))]
    .filter((secret) => secret.length >= fewestCharacters)
    .sort((one, other) => other.length - one.length)
  return (text) => {
    // What is cut may be the middle of a secret, so that goes first.
    let shown = text.slice(0, mostCharacters * 4)
    for (const secret of secrets) shown = shown.replaceAll(secret, '[secret]')
    return printable(shown.length > mostCharacters ? `${shown.slice(0, mostCharacters)}…` : shown)
  }
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
