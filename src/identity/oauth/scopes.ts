/** Joins scopes, each once; undefined if there are none. */
export function joinScopes(...scopes: readonly (string | undefined)[]): string | undefined {
  const all = new Set(scopes.flatMap((scope) => scope?.split(/\s+/) ?? []).filter((scope) => scope !== ''))
  return all.size > 0 ? [...all].join(' ') : undefined
}

/** Fewer characters than RFC 6749 allows: they are shown to models and people, and become part of a command. */
const scopeForm = /^[\w.:/@+-]{1,200}$/
const maxScopes = 50

/** Scopes from elsewhere, separated by spaces; undefined if they are not such. */
export function readScopes(text: string | undefined): string | undefined {
  const scopes = text?.split(' ').filter((scope) => scope !== '') ?? []
  return scopes.length > 0 && scopes.length <= maxScopes && scopes.every((scope) => scopeForm.test(scope))
    ? joinScopes(...scopes)
    : undefined
}
