import { ToolpactError } from '../../../contract/toolpact-error.ts'

/** Wraps an error of Postgres or the connection with what to check. */
export function toPostgresError(cause: unknown, location: string): Error {
  const { code, message } = cause as { code?: unknown; message?: unknown }
  if (typeof code !== 'string') return cause as Error
  const text = `Postgres at ${location} failed (${code}). ${findAdvice(code, String(message))}`
  return new ToolpactError('storage_unavailable', text, { cause })
}

/** The statement got no answer in time; whether it took effect is unknown. */
export function toTimeoutError(location: string, ms: number): Error {
  return new ToolpactError(
    'storage_unavailable',
    `Postgres at ${location} gave no answer within ${ms / 1000} seconds. ${unreachable}`,
  )
}

const unreachable = 'Check that it runs and can be reached from here, and how busy it is.'

function findAdvice(code: string, message: string): string {
  if (Object.hasOwn(advice, code)) return advice[code]!
  const ofClass = classAdvice[code.slice(0, 2)]
  if (code.length === 5 && ofClass) return ofClass
  return code.length === 5 ? `It says: ${message.slice(0, 200)}` : unreachable
}

/** By SQLSTATE, or by the code of a connection failure. */
const advice: { readonly [code: string]: string } = {
  '28P01': 'The password is wrong: check TOOLPACT_POSTGRES, or storage.postgres in the config.',
  '28000': 'This user may not connect: check pg_hba.conf, and the user in the address.',
  '3D000': 'There is no such database: create it, such as with createdb.',
  '42501': 'The user lacks a privilege: let it create the schema toolpact once, or grant it the tables.',
  '25006': 'This is a standby or read-only: connect to the primary.',
  '53100': 'The disk of the database is full: free some space.',
  '53300': 'It has too many connections: raise max_connections, or run fewer replicas.',
  '57014': 'A statement took too long: check how busy it is.',
  '55P03': 'A lock was not released in time: check for a long transaction.',
}

/** By the first two characters of an SQLSTATE. */
const classAdvice: { readonly [start: string]: string } = {
  '08': unreachable,
  '53': 'It lacks resources: check its memory, disk and connections.',
  '57': 'It was stopped or is starting: calls work again once it accepts connections.',
  '58': 'Its disk or system failed: check the log of Postgres.',
  XX: 'It may be damaged: check the log of Postgres.',
}
