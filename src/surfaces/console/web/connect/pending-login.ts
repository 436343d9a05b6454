/** What a login needs when the browser returns from the issuer. It is encrypted, and of use to the server alone. */
const prefix = 'toolpact-login-'

/** Keeps it by the state of the request, in place of earlier logins that were not finished. */
export function keepLogin(url: string, pending: string): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  localStorage.setItem(prefix + new URL(url).searchParams.get('state'), pending)
}

/** Null if this browser did not begin it. It is used once. */
export function takeLogin(state: string): string | null {
  const pending = localStorage.getItem(prefix + state)
  localStorage.removeItem(prefix + state)
  return pending
}
