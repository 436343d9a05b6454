import type { Request } from '../options/command.ts'
import { paint } from '../terminal/terminal.ts'
import type { FoundServers } from './to-candidates.ts'

const maxTries = 3

/**
 * Asks the person at the terminal whether servers are for every folder, which is the default for those of a client's user
 * config. Does not ask if an option decides it, or if there is no terminal.
 */
export async function chooseScope(found: readonly FoundServers[], request: Request): Promise<Request> {
  const { options, terminal } = request
  const { scope, config, yes, json, 'no-config': noConfig } = options
  if (found.length === 0 || scope !== undefined || config !== undefined || yes || json || noConfig) return request
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = openTty()
  if (!tty) return request
  const everywhere = { ...request, options: { ...options, scope: 'everywhere' } }
  const usual = found.some(({ isOfFolder }) => isOfFolder) ? request : everywhere
  const question = `Use them in every folder (e), or only in this one (f)? (Enter: ${usual === request ? 'f' : 'e'}) `
  try {
    for (let tries = 0; tries < maxTries; tries++) {
      const typed = (await tty.ask(paint('bold', question), terminal.signal))?.trim().toLowerCase()
      if (typed === '') return usual
      if (typed === 'e') return everywhere
      if (typed === 'f' || typed === undefined) return request
      tty.print(['Type e or f, then Enter.'])
    }
    return request
  } finally {
    tty.close()
  }
}
