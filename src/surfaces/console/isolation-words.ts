import type { IsolationStatus, RefusedConnection } from '../../host/connect/confinement.ts'

/** Whether a server is confined, and to what; such as "Confined by bubblewrap: it reads ~/notes, …". */
export function describeIsolation(isolation: IsolationStatus | undefined): string {
  if (!isolation) return 'It runs elsewhere, and is reached by its url.'
  const { state, by, may, reason = '', suggestion } = isolation
  if (state === 'confined') return `Confined${by === undefined ? '' : ` by ${by}`}: it ${may}.`
  return `Not confined: ${reason}. It ${may}.${suggestion === undefined ? '' : ` To confine it: ${suggestion}`}`
}

/** Connections that were refused, and the command that grants them. */
export function describeRefused(
  server: string,
  { host, port, count, at }: Pick<RefusedConnection, 'host' | 'port' | 'count' | 'at'>,
): { readonly text: string; readonly command: string } {
  const entry = port === undefined || port === 80 || port === 443 ? host : `${host}:${port}`
  return {
    text: `${entry}${count === 1 ? '' : `, ${count} times`}, last ${at.slice(0, 19).replace('T', ' ')} UTC`,
    command: `toolpact mcp grant ${server} --allow-host ${entry}`,
  }
}
