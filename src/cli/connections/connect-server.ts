import type { Toolpact } from '../../app/app.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import { type Request, UsageError } from '../options/command.ts'
import { toPort } from '../options/option-values.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { openBrowser } from '../terminal/open-browser.ts'
import { paint } from '../terminal/terminal.ts'
import { untilAborted } from '../terminal/until-aborted.ts'
import { readUserName } from '../terminal/user-name.ts'
import { openRedirect } from './open-redirect.ts'

type Logins = NonNullable<Toolpact['connections']>

/** A person may have to look for a password. */
const loginMs = 600_000

/** `toolpact connections add`: logs in to a server of the config. */
export async function connectServer(request: Request, server: string): Promise<number> {
  const { options, terminal, open } = request
  const { logins, close } = await openLogins(open)
  try {
    const connection = await logIn(logins, server, request)
    await markServer(server, request)
    if (options.json) terminal.print(printableJson({ server, issuer: connection.issuer, owner: connection.owner }))
    else terminal.print([paint('green', '✓ '), `Connected to ${printable(server)}.`, paint('dim', ` toolpact mcp inspect ${printable(server)}`)]) // biome-ignore format: one line
    return exitCodes.success
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== 'OAuthError') throw cause
    if (options.json) terminal.print(printableJson({ server, connected: false, reason: cause.message }))
    else terminal.log([paint('red', '✗ '), printable(cause.message)])
    return exitCodes.failed
  } finally {
    await close()
  }
}

/** The logins of an open Toolpact that starts no server. */
export async function openLogins(open: Request['open']) {
  const toolpact = await open({ start: 'never' })
  const { connections: logins } = toolpact
  if (logins) return { logins, close: () => toolpact.close() }
  await toolpact.close()
  throw new UsageError('This storage keeps no connections.')
}

/** Opens the page of the issuer, and waits until the browser returns or its address is pasted. */
async function logIn(logins: Logins, server: string, { options, terminal }: Request) {
  const redirect = await openRedirect(toPort(options.port) ?? 0)
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = openTty()
  const ended = new AbortController()
  const signal = AbortSignal.any([terminal.signal, ended.signal, AbortSignal.timeout(loginMs)])
  try {
    const login = await logins.begin(server, { owner: options.owner, redirectUri: redirect.uri, signal })
    const { issuer, scope, url } = login
    terminal.log(
      `${printable(server)} requires a login at ${printable(issuer)}${scope === undefined ? '' : `, for: ${printable(scope)}`}.`,
    )
    const isOpened = !options.print && (await openBrowser(url))
    terminal.log(
      isOpened ? 'Log in in the browser. If it did not open, use this link:' : 'Open this link in a browser:',
    )
    if (options.json) terminal.log(url)
    else terminal.printExactly(url)
    const pasted = tty ? askForAddress(tty, signal) : new Promise<never>(() => {})
    const answer = await untilAborted(Promise.race([redirect.answer, pasted]), signal)
    return await login.finish(answer, terminal.signal)
  } finally {
    ended.abort()
    tty?.close()
    await redirect.close()
  }
}

/** For a browser on another machine, whose redirect reaches nobody. */
async function askForAddress(
  tty: { ask(question: string, signal: AbortSignal): Promise<string | undefined> },
  signal: AbortSignal,
) {
  // biome-ignore format: one line
  for (;;) {
    const typed = await tty.ask('Or paste the address that the browser ended at: ', signal)
    if (typed === undefined) return new Promise<never>(() => {})
    const url = URL.parse(typed.trim())
    if (url?.searchParams.has('state')) return url.searchParams
  }
}

/** Without this setting, requests to the server are not authorized. */
export async function markServer(server: string, request: Request): Promise<void> {
  const editor = openChosenConfig(request)
  const entry = (await editor.look())?.config.mcpServers?.[server]
  if (!entry || entry.authorization) return
  await editor.set([{ path: ['mcpServers', server, 'authorization'], value: { mode: 'user' } }], readUserName())
}
