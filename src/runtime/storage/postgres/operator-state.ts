import type { Rule } from '../../../contract/rule.ts'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { StateError } from '../../../state/state-error.ts'
import { readRules, writeRules } from '../files/read-rules.ts'
import { type OperatorState, RulesError, type TrustedFile } from '../operator-state.ts'
import { type ReadTokens, readTokens, readUses, writeTokens } from '../read-tokens.ts'
import { createTokenStore, type Token } from '../tokens.ts'
import type { Connection } from './connection.ts'
import type { Versions } from './versions.ts'

/** What operators decide, as one text each with a version. A change locks its row, so replicas lose none of them. */
export function openPostgresState(connection: Connection, versions: Versions): OperatorState {
  return {
    rules: openRules(connection, versions),
    tokens: openTokens(connection, versions),
    trust: openTrust(connection, versions),
    lock: openLock(connection, versions),
  }
}

type DocumentName = 'rules' | 'tokens' | 'token_uses' | 'trust' | 'lock'

function openDocument(name: DocumentName, { tenant, query, transaction }: Connection, versions: Versions) {
  const find = 'SELECT version, text FROM documents WHERE tenant = $1 AND name = $2'
  type Row = { version: number; text: string }
  return {
    async load(): Promise<string | undefined> {
      const [row] = await query<Row>(find, tenant, name)
      if (row) versions.set(name, row.version)
      return row && row.version > 0 ? row.text : undefined
    },
    /** `make` returns undefined if there is nothing to change. */
    async change(make: (text: string | undefined) => string | undefined): Promise<void> {
      const version = await transaction(async (query) => {
        const [row] = await query<Row>(`${find} FOR UPDATE`, tenant, name)
        const { version, text } = row!
        const next = make(version > 0 ? text : undefined)
        if (next === undefined) return version
        const keep = 'UPDATE documents SET version = version + 1, text = $3 WHERE tenant = $1 AND name = $2'
        await query(keep, tenant, name, next)
        return version + 1
      })
      versions.set(name, version)
    },
    version: () => {
      const version = versions.get(name)
      if (version instanceof Promise) return version.then(toVersion)
      return toVersion(version)
    },
  }
}

function toVersion(version: number): string | undefined {
  return version === 0 ? undefined : `${version}`
}

function openRules(connection: Connection, versions: Versions): OperatorState['rules'] {
  const document = openDocument('rules', connection, versions)

  function parse(text: string | undefined): Rule[] {
    if (text === undefined) return []
    try {
      return readRules(Buffer.from(text))
    } catch (cause) {
      throw new RulesError(
        `The rules at ${connection.location} cannot be read (${(cause as Error).message}). Run toolpact rules repair --discard to begin without rules.`,
        { lastGood: undefined, cause },
      )
    }
  }

  function write(rules: readonly Rule[]): string {
    const text = writeRules(rules)
    // Rules that cannot be read again would disable every rule.
    readRules(Buffer.from(text))
    return text
  }

  async function edit(id: string, make: (rule: Rule) => Rule | undefined): Promise<boolean> {
    let found = false
    await document.change((text) => {
      const rules = parse(text)
      found = rules.some((rule) => rule.id === id)
      return found ? write(rules.flatMap((rule) => (rule.id === id ? (make(rule) ?? []) : rule))) : undefined
    })
    return found
  }

  return {
    version: document.version,
    load: async () => parse(await document.load()),
    async add(rule) {
      const own = structuredClone(rule)
      await document.change((text) => {
        const rules = parse(text)
        if (rules.some(({ id }) => id === own.id)) throw new ToolpactError('exists_already', `There is a rule ${own.id} already.`) // biome-ignore format: one line
        return write([...rules, own])
      })
    },
    remove: (id) => edit(id, () => undefined),
    setDisabled: (id, isDisabled) => edit(id, ({ disabled: _, ...rule }) => (isDisabled ? { ...rule, disabled: true } : rule)), // biome-ignore format: one line
    expire: (id, expiresAt) => edit(id, (rule) => ({ ...rule, expiresAt })),
    async repair(discard) {
      let repaired = {}
      await document.change((text) => {
        try {
          parse(text)
          return undefined
        } catch (error) {
          if (!discard) throw error
          repaired = { rules: 0 }
          return write([])
        }
      })
      return repaired
    },
  }
}

function openTokens(connection: Connection, versions: Versions): OperatorState['tokens'] {
  const document = openDocument('tokens', connection, versions)
  const uses = openDocument('token_uses', connection, versions)

  function parse(text: string | undefined): ReadTokens {
    if (text === undefined) return { tokens: [], isPlain: false }
    try {
      return readTokens(Buffer.from(text))
    } catch (cause) {
      throw new StateError(`The list of tokens at ${connection.location} ${(cause as Error).message}. Restore the table toolpact.documents from a backup.`, { cause }) // biome-ignore format: one line
    }
  }

  const change = (make: (tokens: readonly Token[]) => readonly Token[]) =>
    document.change((text) => {
      const { tokens, isPlain } = parse(text)
      const changed = make(tokens)
      return changed === tokens && !isPlain ? undefined : writeTokens(changed)
    })

  return createTokenStore({
    location: connection.location,
    version: document.version,
    change,
    async load() {
      const { tokens, isPlain } = parse(await document.load())
      // An older version stored the tokens themselves. They stay valid, and only their hashes remain.
      if (isPlain) await change((own) => own)
      return tokens
    },
    lastUses: async () => readUses(await uses.load()),
    changeUses: (make) => uses.change((text) => JSON.stringify(make(readUses(text)))),
  })
}

function openTrust(connection: Connection, versions: Versions): OperatorState['trust'] {
  const document = openDocument('trust', connection, versions)
  const parse = (text: string | undefined) =>
    parseList<TrustedFile>(text, `The trusted files at ${connection.location}`)
  return {
    load: async () => parse(await document.load()),
    async add({ path, digest, trustedBy, trustedAt }) {
      const file = { path, digest, trustedBy, trustedAt }
      // Last in the list, as if it were new.
      await document.change((text) => JSON.stringify([...parse(text).filter((one) => one.path !== path), file]))
    },
    async remove(path) {
      let found = false
      await document.change((text) => {
        const files = parse(text)
        const left = files.filter((file) => file.path !== path)
        found = left.length < files.length
        return found ? JSON.stringify(left) : undefined
      })
      return found
    },
  }
}

function openLock(connection: Connection, versions: Versions): OperatorState['lock'] {
  const document = openDocument('lock', connection, versions)
  return {
    location: connection.location,
    load: document.load,
    change: (make) =>
      document.change((text) => {
        const next = make(text)
        return next === text ? undefined : next
      }),
    watch: (onChange) => versions.watch('lock', onChange),
  }
}

function parseList<Item>(text: string | undefined, what: string): Item[] {
  if (text === undefined) return []
  try {
    const list = JSON.parse(text)
    if (Array.isArray(list)) return list
  } catch {}
  throw new StateError(`${what} are damaged. Restore the table toolpact.documents from a backup.`)
}
