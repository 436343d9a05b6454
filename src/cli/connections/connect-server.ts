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

/** `toolpact connections add`: logs in to a server of the config. `scope`: rights to ask for besides the usual ones. */
export async function connectServer(request: Request, server: string, scope?: string): Promise<number> {
  const { options, terminal, open } = request
  const { logins, close } = await openLogins(open)
  try {
    const connection = await (options.device ? logInElsewhere : logIn)(logins, { server, scope }, request)
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

interface Target {
  readonly server: string
  readonly scope: string | undefined
}

/** Opens the page of the issuer, and waits until the browser returns or its address is pasted. */
async function logIn(logins: Logins, { server, scope }: Target, { options, terminal }: Request) {
  const redirect = await openRedirect(toPort(options.port) ?? 0)
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = openTty()
  const ended = new AbortController()
  const signal = AbortSignal.any([terminal.signal, ended.signal, AbortSignal.timeout(loginMs)])
  try {
    const { owner } = options
    const login = await logins.begin(server, { owner, scope, redirectUri: redirect.uri, signal })
    const { url } = login
    printOffer(server, login, terminal)
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

/** Shows a code that a person enters on any device, and waits until they have. */
async function logInElsewhere(logins: Logins, { server, scope }: Target, { options, terminal }: Request) {
  const { owner, json } = options
  const { signal } = terminal
  const login = await logins.beginDevice(server, { owner, scope, signal })
  printOffer(server, login, terminal)
  terminal.log('Open this page on any device:')
  if (json) terminal.log(login.url)
  else terminal.printExactly(login.url)
  terminal.log(['Enter the code: ', paint('bold', login.userCode)])
  if (login.completeUrl !== undefined) terminal.log(`Or open it with the code: ${printable(login.completeUrl)}`)
  const minutes = Math.max(1, Math.round((login.expiresAt - Date.now()) / 60_000))
  terminal.log(paint('dim', `Waiting for up to ${minutes} min. Press Ctrl-C to stop.`))
  return untilAborted(login.finish(signal), signal)
}

function printOffer(
  server: string,
  { issuer, scope }: { readonly issuer: string; readonly scope?: string },
  terminal: Request['terminal'],
) {
  terminal.log(
    `${printable(server)} requires a login at ${printable(issuer)}${scope === undefined ? '' : `, for: ${printable(scope)}`}.`,
  )
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
