import { hash } from 'node:crypto'
import { join } from 'node:path'

/** The folder of a confined server in the state directory. Servers of two configs may have the same name. */
export function toServerFolder(server: string, stateDirectory: string, configFolder: string): string {
  return join(stateDirectory, 'servers', `${server}-${hash('sha256', `${configFolder}\0${server}`).slice(0, 8)}`)
}

/** In that folder: what was installed for the server. */
export const installRecordName = 'installed.json'
