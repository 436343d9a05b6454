import type { JsonObject } from '../../contract/json.ts'
import type { Request } from '../options/command.ts'
import { paint } from '../terminal/terminal.ts'
import { findWrittenSecrets, type Reached } from './describe-server.ts'

/** Warns about literal secrets in the config. */
export function printSecrets(servers: { readonly [name: string]: JsonObject }, { terminal }: Request): void {
  const places = Object.entries(servers).flatMap(([server, entry]) =>
    findWrittenSecrets(entry as Reached).map((place) => `mcpServers.${server}.${place}`),
  )
  if (places.length === 0) return
  const variable = places[0]!.split('.').at(-1)!.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase() // biome-ignore format: one line
  terminal.log([
    paint('yellow', 'Note:'),
    ` The config now contains values that look like secrets: ${places.join(', ')}. Move them to the environment and write \${${variable}} instead.`,
  ])
}
