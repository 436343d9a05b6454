import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../contract/tool.ts'
import type { HttpErrorCode } from './http-errors.ts'
import type { ProblemOptions } from './send-problem.ts'

/** What the server knows about a request once it has authenticated the caller and read the body. */
export interface RequestContext {
  /** On routes that need a person: that person, by name. */
  readonly caller: Caller
  /** Set on routes that need one. */
  readonly person?: Person
  /** The whole body, within its size limit; undefined if the request has none. */
  readonly body: Buffer | undefined
  /** The segments that matched `{name}` in the path, as they were sent: not decoded. */
  readonly params: { readonly [name: string]: string }
  /** The value of `WWW-Authenticate` for a 403: the scope that the token lacks, and all that a new one should have. */
  readonly stepUp: (lacking: string, scope?: string) => string
}

/** Answers a request. The response emits `close` when the client disconnects: cancel the call then. */
export type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
) => Promise<void> | void

/** Someone who is signed in. */
export interface Person {
  /** As the ledger records it. */
  readonly name: string
  readonly rights: readonly string[]
  /** Who vouches for them, and the claim `sub` there. Absent if they signed in by a link. */
  readonly issuer?: string
  readonly subject?: string
  /** As the issuer says, without `group:`. */
  readonly groups?: readonly string[]
}

/** A person who makes a call in the console. */
export function toCaller(person: Person): Caller {
  return { name: person.name, ...toPrincipal(person), via: 'cookie' }
}

/** What an issuer says about a person, if one does. */
export function toPrincipal({ issuer, subject, groups }: Person): Pick<Person, 'issuer' | 'subject' | 'groups'> {
  return issuer === undefined || subject === undefined ? {} : { issuer, subject, groups: groups ?? [] }
}

/** Finds the person of a request, before its body is read. `isKnown`: they are signed in, but may not do this. */
export type Enter = (
  request: IncomingMessage,
) => Promise<
  { readonly person: Person } | ({ readonly refusal: HttpErrorCode; readonly isKnown?: boolean } & ProblemOptions)
>

export interface Route {
  /** Other methods get 405, with these in `Allow`. */
  readonly methods: readonly string[]
  /** `{name}` matches one segment. */
  readonly path: string
  /**
   * The credential that a request needs. `token`: a bearer token. `loopback`: the same, or none if the request comes from
   * this machine. `optional`: the same from any machine. `person`: what `enter` demands. `none`: public. Default: `token`.
   */
  readonly needs?: 'token' | 'loopback' | 'optional' | 'person' | 'none'
  /** Required by `person`. */
  readonly enter?: Enter
  /** If the operator allows it, requests without a token are served as the public caller. Default: false. */
  readonly takesPublic?: boolean
  readonly handle: Handle
}

/** A part of the server that contributes routes. */
export interface HttpSurface {
  readonly routes: readonly Route[]
  /** Releases what outlives a request, such as open streams. What ends by itself has `graceMs` to do so. */
  close?(graceMs: number): Promise<void>
}
