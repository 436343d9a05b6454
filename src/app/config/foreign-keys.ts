import type { Config } from './config.ts'
import { foreignServerKeys } from './server-schema.ts'

/** What the entries of servers hold that has an effect in other clients and none here, as sentences. */
export function tellForeignKeys({ mcpServers = {} }: Config): string[] {
  return Object.entries(mcpServers).flatMap(([name, server]) => {
    const found = Object.keys(server).filter((key) => foreignServerKeys.includes(key))
    if (found.length === 0) return []
    const words = [`${found.join(', ')} ${found.length === 1 ? 'has' : 'have'} no effect here.`]
    for (const key of found)
      if ((server as Record<string, unknown>)[key] !== false && advice[key]) words.push(advice[key])
    return [`mcpServers.${name}: ${[...new Set(words)].join(' ')}`]
  })
}

const signIn = 'Toolpact does not sign in by OAuth: set a token in "headers".'

/** What to write instead, where the server would lack something. */
const advice: { readonly [key: string]: string } = {
  auth: signIn,
  envFile: 'The file of "envFile" is not read: put the variables that the server needs into "env".',
  oauth: signIn,
}
