/** What a server says about the credential that it wants (RFC 6750, RFC 9728). All values are its own words. */
export interface Challenge {
  /** Where it describes itself as a protected resource. */
  readonly resourceMetadata?: string
  readonly scope?: string
  /** `invalid_token`, `insufficient_scope`, … */
  readonly error?: string
}

const maxLength = 8192

/** Reads the `Bearer` challenge of a `WWW-Authenticate` header; undefined if there is none. */
export function parseChallenge(header: string | undefined): Challenge | undefined {
  if (header === undefined || header.length > maxLength) return undefined
  const start = /(?:^|,\s*)bearer(?=\s|,|$)/i.exec(header)
  if (!start) return undefined
  const found = new Map<string, string>()
  const parameter = /\s*,?\s*([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/iy
  parameter.lastIndex = start.index + start[0].length
  for (let match = parameter.exec(header); match; match = parameter.exec(header)) {
    const [, name, quoted, plain] = match
    const key = name!.toLowerCase()
    // The first one counts: a repeated parameter is not valid.
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain!)
  }
  const [resourceMetadata, scope, error] = [found.get('resource_metadata'), found.get('scope'), found.get('error')]
  return {
    ...(resourceMetadata !== undefined && { resourceMetadata }),
    ...(scope !== undefined && { scope }),
    ...(error !== undefined && { error }),
  }
}
