import { printable } from '../../contract/text/printable.ts'
import type { Request } from '../options/command.ts'
import { paint } from '../terminal/terminal.ts'
import { connectServer, markServer, openLogins } from './connect-server.ts'

/** After a server was added: if it requires a login, says so, and logs in if the user wants to. */
export async function offerLogin(server: string, request: Request): Promise<void> {
  const { options, terminal, open } = request
  const issuer = await findIssuer(server, open, terminal.signal)
  if (issuer === undefined) return
  await markServer(server, request)
  if (options.json) return
  terminal.log(`${printable(server)} requires a login at ${printable(issuer)}.`)
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = options.yes ? undefined : openTty()
  const typed = await tty?.ask(paint('bold', 'Log in now? (Enter: yes, n: later) '), terminal.signal).finally(tty.close)
  if (typed?.trim() === '' || /^y(?:es)?$/i.test(typed?.trim() ?? '')) await connectServer(request, server)
  else terminal.log(`Log in with: toolpact connections add ${printable(server)}`)
}

/** Undefined if it requires no login, or if that cannot be found out: connecting then reports why. */
async function findIssuer(server: string, open: Request['open'], signal: AbortSignal): Promise<string | undefined> {
  const { logins, close } = await openLogins(open)
  try {
    return (await logins.discover(server, signal))?.issuer
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== 'OAuthError') throw cause
    return undefined
  } finally {
    await close()
  }
}
