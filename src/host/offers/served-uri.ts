import { appScheme as apps } from '../../contract/app-ui.ts'

/**
 * The URIs of a server's resources as clients see them: `toolpact://SERVER/URI`, and `ui://SERVER/…` for apps, since clients
 * recognize these by their scheme. Both name the server, so that two servers cannot claim one URI, and both are reversible.
 */
export function toServedUri(server: string, uri: string): string {
  return uri.startsWith(apps) ? `${apps}${server}/${uri.slice(apps.length)}` : `toolpact://${server}/${uri}`
}

/** The server's own URI; undefined if the URI is not of this server. */
export function fromServedUri(server: string, uri: string): string | undefined {
  const [app, other] = [`${apps}${server}/`, `toolpact://${server}/`]
  if (uri.startsWith(app)) return `${apps}${uri.slice(app.length)}`
  return uri.startsWith(other) ? uri.slice(other.length) : undefined
}
