import type { Toolpact } from '../../app/app.ts'
import type { ChangedConfig, ConfigEditor } from '../../app/config/config-editor.ts'
import { ConfigError } from '../../app/config/config-error.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { showValue } from '../../contract/text/show-value.ts'
import { findCodeVariables } from '../../policy/code-variables.ts'
import { isSecretName } from '../../policy/secret-name.ts'
import { findSecrets } from '../../policy/secrets.ts'
import { setMember } from '../../state/edit-json.ts'
import type { AddServersRequest, AddServersResponse } from '../../surfaces/console/api/servers.ts'
import { Refusal } from '../../surfaces/console/endpoint.ts'
import type { DescribedServer, ServerConfig } from '../../surfaces/console/server-config.ts'
import { toPlaces } from '../connect/client-file.ts'
import { describeServer, findWrittenSecrets, type Reached } from '../mcp/describe-server.ts'
import { toGrantFolder } from '../mcp/grant-options.ts'
import { readPasted } from '../mcp/read-pasted.ts'
import { approvalWords, toEntryMembers } from '../mcp/settle-servers.ts'
import { type Candidate, toCandidates } from '../mcp/to-candidates.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import { type Request, UsageError } from '../options/command.ts'
import { proposeServers, withGrants } from './propose-servers.ts'

/** What the console shows and changes of the config, as `toolpact mcp` does. */
export function createConsoleServers(toolpact: Pick<Toolpact, 'config'>, request: Request): ServerConfig {
  let path: string | null | undefined

  return {
    path() {
      if (path === undefined) path = request.options['no-config'] ? null : openChosenConfig(request).path
      return path
    },
    describe: (name) => describe(toolpact.config.mcpServers?.[name] ?? {}),
    adopt: (name, { withoutOutputSchema, approval }, by) =>
      refusing(async () => {
        const editor = openChosenConfig(request)
        const schemas = { opaque: 'opaque', withhold: 'refuse' } as const
        const answers = {
          withoutOutputSchema: schemas[withoutOutputSchema ?? 'opaque'],
          ...(approval && { approval }),
        }
        const changes = await editor.set(toEntryMembers(name, answers), by)
        const did = answers.withoutOutputSchema === 'opaque' ? 'used as quoted data' : 'left out'
        return [
          `Tools of ${name} that declare no output schema are ${did}.`,
          ...(approval ? [approvalWords[approval]] : []),
          ...changes.flatMap(toTrustNote),
        ].join(' ')
      }),
    propose: (pasted, signal) =>
      refusing(async () => {
        const editor = openChosenConfig(request)
        const { offered } = await findOffered(editor, pasted)
        const confirm = offered.flatMap(toWarnings)
        if (confirm.length > 0 && !pasted.confirmed) return { confirm, servers: [] }
        const { workspace } = request.options
        return { servers: await proposeServers(offered, { workspace, folder: toGrantFolder(editor), signal }) }
      }),
    add: (pasted, by) =>
      refusing(async () => {
        const editor = openChosenConfig(request)
        const found = await findOffered(editor, pasted)
        const confirm = found.offered.flatMap(toWarnings)
        if (confirm.length > 0 && !pasted.confirmed) return { added: [], confirm, message: 'Nothing was added yet.' }
        const offered = found.offered.map((each) => withGrants(each, pasted.grants?.[each.name]))
        for (const { name, entry } of offered) {
          const fault = await editor.findFault(name, entry)
          if (fault !== undefined) throw new Refusal('invalid_request', fault)
        }
        return write(editor, { ...found, offered }, by)
      }),
  }

  async function findOffered(editor: ConfigEditor, { text, name }: AddServersRequest): Promise<Offered> {
    const candidates = await findCandidates(editor, { text, name })
    const offered = candidates.filter(({ skipped }) => skipped === undefined)
    const skipped = candidates.flatMap(({ given, skipped }) => (skipped === undefined ? [] : [`${given} was not added: ${skipped}.`])) // biome-ignore format: one line
    if (offered.length === 0) throw new Refusal('invalid_request', skipped.join(' ') || 'The text contains no server.') // biome-ignore format: one line
    return { offered, skipped }
  }

  async function findCandidates(editor: ConfigEditor, pasted: { text: string; name: string | undefined }) {
    const { workspace, home } = toPlaces(request.options)
    return toCandidates([await readPasted(pasted, workspace)], {
      workspace,
      folder: editor.folder,
      isEverywhere: editor.scope === 'everywhere',
      home,
      environment: process.env,
      existing: ((await editor.look())?.content.mcpServers ?? {}) as { [name: string]: unknown },
      reserved: editor.reserved,
      replace: false,
      wanted: [],
      findFault: editor.findFault,
    })
  }
}

interface Offered {
  readonly offered: readonly Candidate[]
  /** What else the text contains, and why it is not added. */
  readonly skipped: readonly string[]
}

async function write(editor: ConfigEditor, { offered, skipped }: Offered, by: string): Promise<AddServersResponse> {
  const edit = (text: string) => offered.reduce((next, { name, entry }) => setMember(next, ['mcpServers', name], entry), text) // biome-ignore format: one line
  const changed = await editor.change(edit, by)
  const added = offered.map(({ name }) => name)
  const secrets = offered.flatMap(({ name, entry }) => findWrittenSecrets(entry as Reached).map((place) => `${name}.${place}`)) // biome-ignore format: one line
  return {
    added,
    message: [
      `Added ${added.join(', ')} to ${changed.path}.`,
      ...toTrustNote(changed),
      ...(secrets.length > 0 ? [`The config now contains what looks like secrets: ${secrets.join(', ')}. Move them to the environment, and write \${NAME} instead.`] : []), // biome-ignore format: one line
      ...offered.flatMap(({ name, notes, problems }) => [...notes, ...problems].map((note) => `${name}: ${note}`)),
      ...skipped,
    ].join(' '),
  }
}

function toTrustNote({ path, trust }: ChangedConfig): string[] {
  return trust === 'untrusted'
    ? [`${path} is not trusted, so it has no effect yet. Review it with toolpact trust.`]
    : []
}

const maxCharacters = 200

function toWarnings({ name, entry }: Candidate): string[] {
  return findCodeVariables((entry as Reached).env ?? {}).map(
    (variable) => `${name} sets ${variable.name}=${isSecretName(variable.name) ? hidden : shorten(variable.value, maxCharacters)}, which ${variable.why}.`, // biome-ignore format: one line
  )
}

type Entry = NonNullable<Toolpact['config']['mcpServers']>[string]

function describe(entry: Partial<Entry>): DescribedServer {
  const { env = {}, headers = {}, cwd } = entry
  const named = (group: string, values: { readonly [name: string]: string }) =>
    Object.entries(values).map(([name, value]) => ({ name: `${group} ${name}`, value: hide(name, value) }))
  const settings = (['approval', 'risk', 'tools', 'exclude', 'withoutOutputSchema', 'text'] as const).flatMap(
    (name) => {
      const value = entry[name]
      return value === undefined
        ? []
        : [{ name, value: typeof value === 'string' ? value : showValue(value, maxCharacters) }]
    },
  )
  return {
    address: describeServer(entry),
    grants: [
      ...named('variable', env),
      ...named('header', headers),
      ...(cwd === undefined ? [] : [{ name: 'folder', value: cwd }]),
      ...settings,
    ],
  }
}

const hidden = '…'

/** A reference to a variable of the environment is no secret. */
function hide(name: string, value: string): string {
  if (/^\$\{\w+\}$/.test(value)) return value
  const isSecret = isSecretName(name) || findSecrets(value).length > 0 || findSecrets(`${name}=${value}`).length > 0
  return isSecret ? hidden : shorten(value, maxCharacters)
}

async function refusing<Value>(act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (cause) {
    if (cause instanceof UsageError) throw new Refusal('invalid_request', cause.message, cause.suggestion)
    if (cause instanceof ConfigError) throw new Refusal('conflict', cause.message)
    throw cause
  }
}
