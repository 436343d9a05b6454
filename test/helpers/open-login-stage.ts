import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openToolpact, type Toolpact } from '../../src/app/app.ts'
import type { Caller } from '../../src/contract/tool.ts'
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from './authorization-server.ts'
import { type ProtectedServer, startProtectedServer } from './protected-server.ts'

/** A real issuer, a server of the official SDK that accepts its tokens, and a state directory. */
export interface LoginStage {
  readonly issuer: AuthorizationServer
  readonly mail: ProtectedServer
  readonly state: string
  /** The config with the server `mail`. */
  toConfig(more?: object): object
  open(more?: object): Promise<Toolpact>
}

const redirectUri = 'http://127.0.0.1:7421/callback'

export async function openLoginStage(options: AuthorizationServerOptions = {}): Promise<LoginStage> {
  const issuer = await startAuthorizationServer(options)
  const mail = await startProtectedServer({ issuer: () => issuer.issuer })
  const state = mkdtempSync(join(tmpdir(), 'toolpact-logins-'))
  onTestFinished(async () => {
    await mail.close()
    await issuer.close()
    rmSync(state, { recursive: true, force: true })
  })
  const toConfig = (more: object = {}) => ({
    mcpServers: { mail: { url: mail.url, authorization: {}, withoutOutputSchema: 'opaque', approval: 'reads', ...more } }, // biome-ignore format: one line
  })
  return {
    ...{ issuer, mail, state, toConfig },
    async open(more) {
      const toolpact = await openToolpact({ config: toConfig(more) as never, toolsets: ['mail'], stateDirectory: state, workspace: state }) // biome-ignore format: one line
      onTestFinished(() => toolpact.close())
      return toolpact
    },
  }
}

/** Logs a person in as a caller. */
export async function logIn(
  toolpact: Toolpact,
  { issuer }: LoginStage,
  { person, owner, scope }: { readonly person: string; readonly owner?: string; readonly scope?: string },
) {
  const login = await toolpact.connections!.begin('mail', { redirectUri, owner, scope })
  return login.finish((await issuer.logIn(login.url, person)).searchParams)
}

/** What a tool of the server answers a caller, as text. */
export async function ask(toolpact: Toolpact, tool: 'whoami' | 'drafts' = 'whoami', caller?: Caller) {
  const result = await toolpact.call(`mail.${tool}`, {}, caller && { caller })
  return result.success ? JSON.stringify(result.output) : `${result.error.code}: ${result.error.message} ${result.error.suggestion}` // biome-ignore format: one line
}
