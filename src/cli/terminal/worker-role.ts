import type { AddressInfo } from 'node:net'

/** What the primary of `serve --workers` tells a process that it starts. */
export interface WorkerRole {
  /** From 1 on. A worker that replaces another has its number. */
  readonly number: number
  readonly count: number
  /** The folder of the sockets by which workers reach each other. */
  readonly sockets: string
  /** Where the primary listens. */
  readonly address: AddressInfo
  /** It prints how to reach the server. */
  readonly prints: boolean
  /** It takes the place of one that ended. */
  readonly isReplacement: boolean
}

export const roleVariable = 'TOOLPACT_WORKER'

let known: WorkerRole | undefined

/** The role of this process; undefined if it is not one of several workers. Programs that it starts do not inherit the role. */
export function findWorkerRole(): WorkerRole | undefined {
  const text = process.env[roleVariable]
  // Set by something other than a primary, which has a channel to its workers.
  if (text === undefined || !process.send) return known
  delete process.env[roleVariable]
  known = JSON.parse(text) as WorkerRole
  return known
}

let isReady = false

/** From now on this process takes requests. */
export function noteReady(): void {
  isReady = true
}

/** Whether messages of this process are those of the server: others print the same, and a replacement what was printed at the start. */
export function speaksForServer(): boolean {
  const role = findWorkerRole()
  return !role || (role.number === 1 && (isReady || !role.isReplacement))
}

/** What the primary sends. `print`: all workers take requests. `connection`: comes with a socket, to be acknowledged. */
export type ToWorker = 'stop' | 'print' | { readonly connection: number }

/** What a worker sends. `leaving`: it is about to end. `took`: a connection. */
export type FromWorker = 'ready' | 'leaving' | { readonly took: number }
