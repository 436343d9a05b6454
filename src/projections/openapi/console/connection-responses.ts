import type { JsonObject } from '../../../contract/json.ts'
import { flag, list, oneOf, orNull, shape, text, time } from './shapes.ts'

const connectionState = oneOf('connected', 'ended', 'missing')

/** Responses about connections to servers that people log in to. */
export const connectionResponses: { readonly [name: string]: JsonObject } = {
  ConnectionList: shape({
    owner: orNull(text),
    connections: list(
      shape({
        server: text,
        state: connectionState,
        issuer: orNull(text),
        connectedAt: orNull(time),
        renewedAt: orNull(time),
        'fault?': text,
      }),
    ),
  }),
  ConnectOffer: shape({
    server: text,
    owner: text,
    isOwn: flag,
    issuer: text,
    scopes: list(text),
    missing: list(text),
    state: connectionState,
  }),
  ConnectResponse: shape({ url: text, pending: text }),
  ConnectedResponse: shape({ server: text, owner: text, issuer: text }),
}
