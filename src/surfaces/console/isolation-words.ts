import { toPathWord } from '../../contract/text/shell-word.ts'
import type { Attempt, IsolationStatus } from '../../host/connect/confinement.ts'

/** Whether a server is confined, and to what; such as "Confined by bubblewrap: it reads ~/notes, …". */
export function describeIsolation(isolation: IsolationStatus | undefined): string {
  if (!isolation) return 'It runs elsewhere, and is reached by its url.'
  const { state, by, may, reason = '', suggestion, weakness } = isolation
  if (state === 'confined')
    return `Confined${by === undefined ? '' : ` by ${by}`}: it ${may}.${weakness === undefined ? '' : ` But ${weakness}.`}`
  return `Not confined: ${reason}. It ${may}.${suggestion === undefined ? '' : ` To confine it: ${suggestion}`}`
}

/** Something that was refused, and the command that grants it. */
export function describeRefused(server: string, refused: Attempt): { readonly text: string; readonly command: string } {
  const { grant, count, at } = refused
  const isFile = 'path' in refused
  const what = isFile ? `${refused.access} ${refused.path}` : `connect to ${grant}`
  const option = isFile ? `--${refused.access} ${toPathWord(grant)}` : `--allow-host ${grant}`
  return {
    text: `${what}${count === 1 ? '' : `, ${count} times`}, last ${at.slice(0, 19).replace('T', ' ')} UTC`,
    command: `toolpact mcp grant ${server} ${option}`,
  }
}
