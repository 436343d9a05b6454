import { openOperatorState } from '../app/open-storage.ts'
import { printableJson } from '../contract/text/printable.ts'
import { hashToken, toTokenId } from '../runtime/storage/tokens.ts'
import { connectable } from '../surfaces/clients/clients.ts'
import { findOriginal, openBackups, toChangeLines, toEditFailure, writeChange } from './connect/change-file.ts'
import { findEntry, type OpenedFile, openClientFile, openExistingFiles } from './connect/client-file.ts'
import { removeServer } from './connect/edit-client-file.ts'
import { findToken } from './connect/to-server.ts'
import { type Command, type Request, UsageError } from './options/command.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { confirm } from './terminal/prompt/confirm.ts'
import { paint } from './terminal/terminal.ts'

export const disconnect: Command = {
  usage: ['disconnect CLIENT [options]'],
  about: `Removes Toolpact from the config of a client. If the file has not changed since toolpact connect, it is restored
byte for byte; otherwise only the entry is removed. A token that connect created for it is revoked.`,
  options: {
    scope: {
      type: 'string',
      value: 'user|project',
      about: 'only this config (default: every config that has the entry)',
    },
    'dry-run': { type: 'boolean', about: 'show the change without making it' },
  },
  examples: [['toolpact disconnect codex', 'remove Toolpact from Codex']],
  next: (before) => (before.length === 0 ? connectable.map(({ id }) => id) : undefined),
  async run(request) {
    const { positionals, options, terminal } = request
    const [name, ...more] = positionals
    if (name === undefined || more.length > 0) throw new UsageError('disconnect needs one client.', 'Run `toolpact connect` to list them.') // biome-ignore format: one line
    const { client } = openClientFile(name, { ...options, scope: options.scope ?? 'user' })
    const files = openExistingFiles(client, options).filter(({ file }) => options.scope === undefined || file.scope === options.scope) // biome-ignore format: one line
    const codes: number[] = []
    const changed: object[] = []
    for (const opened of files) {
      if (!(await findEntry(opened))) continue
      const state = await removeFrom(opened, request)
      codes.push(state === 'refused' ? exitCodes.refused : exitCodes.success)
      changed.push({ file: opened.path, scope: opened.file.scope, state })
    }
    if (codes.length === 0 && !options.json) terminal.print(`${client.title} is not connected.`)
    if (options.json) terminal.print(printableJson({ client: client.id, files: changed }))
    return Math.max(exitCodes.success, ...codes)
  },
}

async function removeFrom(opened: OpenedFile, request: Request): Promise<'disconnected' | 'planned' | 'refused'> {
  const { options, terminal } = request
  const { client, path } = opened
  try {
    const original = await findOriginal(opened)
    const after = original ? original.bytes : await removeServer(opened.bytes!.toString(), opened.place)
    if (!options.json) terminal.print(...(await toChangeLines({ opened: withoutSecrets(opened), after })))
    if (options['dry-run']) return 'planned'
    const isMeant = options.yes || (await confirm(`Change ${path}? (y/N) `, request))
    if (!isMeant) {
      terminal.log(isMeant === undefined ? 'Not changed: there is no terminal to ask at. Add --yes to change it.' : 'Not changed.') // biome-ignore format: one line
      return 'refused'
    }
    writeChange({ opened, after })
    openBackups().remove(path)
    await revokeToken(opened)
    if (!options.json) terminal.print([paint('green', '✓ '), `Disconnected ${client.title}.`])
    return 'disconnected'
  } catch (cause) {
    throw toEditFailure(cause, opened)
  }
}

/** Ends the token that `connect` created for this client. One that the user wrote there may be used elsewhere. */
async function revokeToken(opened: OpenedFile): Promise<void> {
  const token = findToken(await findEntry(opened))
  if (token === undefined) return
  const { tokens } = await openOperatorState()
  const found = (await tokens.load()).find(({ hash, label }) => hash === hashToken(token) && label === opened.client.id)
  if (found) await tokens.revoke([toTokenId(found.hash)])
}

/** The removed entry may contain a token. */
function withoutSecrets(opened: OpenedFile): OpenedFile {
  const text = opened.bytes!.toString().replace(/(Bearer )[\w.~+/-]+=*/g, '$1…')
  return { ...opened, bytes: Buffer.from(text) }
}
