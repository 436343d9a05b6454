/** The default transports of contracts that do not declare any. */
export const servedOver = 'mcp (stdio or http), rest'

/** The transports in a text such as `mcp (stdio)`. */
export function toTransports(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  return new Set(words.map((word) => synonyms[word] ?? word).filter((word) => known.includes(word)))
}

const known: readonly string[] = ['mcp', 'stdio', 'http', 'rest', 'cli', 'library']
const synonyms: { readonly [word: string]: string } = { https: 'http', sse: 'http' }
