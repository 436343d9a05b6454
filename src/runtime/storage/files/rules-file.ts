import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Rule } from '../../../contract/rule.ts'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { withFileLock } from '../../../state/file-lock.ts'
import {
  makePrivateDirectory,
  PrivateFileError,
  readPrivateFile,
  writePrivateFile,
} from '../../../state/private-file.ts'
import { type Repaired, type RuleStore, RulesError } from '../operator-state.ts'
import { readRules, writeRules } from './read-rules.ts'

export interface RulesFileOptions {
  /** The state directory. Created if absent, accessible to this user only. */
  readonly directory: string
  /** How long to wait while another process saves. Default: 10 seconds. */
  readonly lockTimeoutMs?: number
}

/** The rules file: readable JSON in the state directory, where workspace tools cannot write. */
type RulesFile = Omit<RuleStore, 'version' | 'load'> & {
  readonly path: string
  /** Throws a `RulesError`. */
  load(): Rule[]
}

/** Opens `rules.json`. Changes are atomic, and serialized across processes by a lock file. */
export function openRulesFile({ directory, lockTimeoutMs = 10_000 }: RulesFileOptions): RulesFile {
  const path = join(directory, 'rules.json')
  const goodPath = join(directory, 'rules-last-good.json')

  function load(): Rule[] {
    try {
      const bytes = readPrivateFile(path)
      if (!bytes) return []
      const rules = readRules(bytes)
      keepGood(bytes)
      return rules
    } catch (cause) {
      throw toRulesError(path, loadGood(), cause)
    }
  }

  function loadGood(): Rule[] | undefined {
    try {
      const bytes = readPrivateFile(goodPath)
      return bytes && readRules(bytes)
    } catch {
      return undefined
    }
  }

  /** If the copy cannot be written, the rules still apply; only a later repair has no good version. */
  function keepGood(bytes: Uint8Array) {
    try {
      const known = readPrivateFile(goodPath)
      if (!known || Buffer.compare(known, bytes) !== 0) writePrivateFile(goodPath, bytes)
    } catch {}
  }

  async function change(make: (rules: readonly Rule[]) => readonly Rule[]): Promise<void> {
    await locked(() => {
      const rules = load()
      const changed = make(rules)
      if (changed === rules) return
      const text = writeRules(changed)
      // A file that cannot be read again would disable every rule.
      readRules(Buffer.from(text))
      writePrivateFile(path, text)
      keepGood(Buffer.from(text))
    })
  }

  /** False if there is no such rule. */
  async function edit(id: string, make: (rule: Rule) => Rule): Promise<boolean> {
    let found = false
    await change((rules) => {
      found = rules.some((rule) => rule.id === id)
      return found ? rules.map((rule) => (rule.id === id ? make(rule) : rule)) : rules
    })
    return found
  }

  async function locked<T>(work: () => T): Promise<T> {
    try {
      makePrivateDirectory(directory)
    } catch (cause) {
      if (!(cause instanceof PrivateFileError)) throw cause
      throw new ToolpactError(
        'storage_unavailable',
        `The rules cannot be changed, because ${cause.path} ${cause.fault}. ${cause.advice}`,
        { cause },
      )
    }
    return withFileLock(`${path}.lock`, lockTimeoutMs, work)
  }

  function repair(discard: boolean): Promise<Repaired> {
    return locked(() => {
      try {
        load()
        return {}
      } catch (cause) {
        const { lastGood } = cause as RulesError
        if (!lastGood && !discard) throw cause
        const rules = discard ? [] : lastGood!
        const kept = `${path}.broken-${Date.now()}`
        renameSync(path, kept)
        writePrivateFile(path, writeRules(rules))
        return { rules: rules.length, kept, ...(discard && lastGood && { discarded: lastGood.length }) }
      }
    })
  }

  return {
    path,
    load,
    repair,
    add: (rule) =>
      change((rules) => {
        if (rules.some(({ id }) => id === rule.id))
          throw new ToolpactError('exists_already', `There is a rule ${rule.id} already.`)
        return [...rules, rule]
      }),
    async remove(id) {
      let found = false
      await change((rules) => {
        found = rules.some((rule) => rule.id === id)
        return found ? rules.filter((rule) => rule.id !== id) : rules
      })
      return found
    },
    setDisabled: (id, disabled) => edit(id, (rule) => toggle(rule, disabled)),
    expire: (id, expiresAt) => edit(id, (rule) => ({ ...rule, expiresAt })),
  }
}

function toggle({ disabled: _before, ...rule }: Rule, disabled: boolean): Rule {
  return disabled ? { ...rule, disabled } : rule
}

function toRulesError(path: string, lastGood: readonly Rule[] | undefined, cause: unknown): RulesError {
  const effect = lastGood
    ? 'Denials of its last good version hold, and every other call asks. Fix the file, or restore that version with: toolpact rules repair'
    : 'There is no last good version, so every call is denied. Fix the file, or start again without rules: toolpact rules repair --discard'
  return new RulesError(`${toFault(path, cause)} ${effect}`, { lastGood, cause })
}

/** What is wrong with the file, as a sentence. */
function toFault(path: string, cause: unknown): string {
  if (cause instanceof PrivateFileError) return `The rules in ${cause.path} are not used, because it ${cause.fault}. ${cause.advice}` // biome-ignore format: one line
  const { code, message } = cause as NodeJS.ErrnoException
  return `The rules file ${path} ${code === undefined ? message.replace(/\.$/, '') : `cannot be read (${code})`}.`
}
