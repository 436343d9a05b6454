type OAuth = typeof import('oauth4webapi')

/** Loaded with the first use: most commands need no OAuth. */
export function loadOAuth(): Promise<OAuth> {
  return import('oauth4webapi')
}
