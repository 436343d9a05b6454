import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Rule } from '../../contract/rule.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import { withFileLock } from '../../state/file-lock.ts'
import { makePrivateDirectory, PrivateFileError, readPrivateFile, writePrivateFile } from '../../state/private-file.ts'
import { readRules, writeRules } from './read-rules.ts'
import { rulesFileName } from './rules-version.ts'

/** The rules that outlive a process: a readable file in the state directory, where no tool of the workspace reaches. */
export interface RulesStore {
  readonly path: string
  /** Every rule; none where there is no file. Throws a RulesFileError where the file cannot be read or trusted. */
  load(): Rule[]
  add(rule: Rule): Promise<void>
  /** False where there is no such rule. */
  remove(id: string): Promise<boolean>
  setDisabled(id: string, disabled: boolean): Promise<boolean>
  /** Restores the last good version, or with `discard` none, and puts the broken file aside. Rejects where neither can be done. */
  repair(discard: boolean): Promise<Repaired>
}

export interface RulesFileOptions {
  /** The state directory. Made if absent, for this user alone. */
  readonly directory: string
  /** How long to wait while another process saves. Default: 10 seconds. */
  readonly lockTimeoutMs?: number
}

/** The rules file cannot be read or trusted. The message says why and what to do. */
export class RulesFileError extends Error {
  override readonly name = 'RulesFileError'
  /** The rules as they could last be read; undefined where that is not known. */
  readonly lastGood: readonly Rule[] | undefined

  constructor(fault: string, { lastGood, cause }: { lastGood: readonly Rule[] | undefined; cause: unknown }) {
    const effect = lastGood
      ? 'Denials of its last good version hold, and every other call asks. Fix the file, or restore that version with: toolpact rules repair'
      : 'There is no last good version, so every call is denied. Fix the file, or start again without rules: toolpact rules repair --discard'
    super(`${fault} ${effect}`, { cause })
    this.lastGood = lastGood
  }
}

/** What became of a rules file that could not be read. */
export interface Repaired {
  /** How many rules there are now; undefined where the file was in order. */
  readonly rules?: number
  /** How many rules of the last good version were discarded; undefined where that is not known. */
  readonly discarded?: number
  /** Where the broken file was put. */
  readonly kept?: string
}

/** Opens the rules file `rules.json`. Every change is made under a lock to what the file holds then, and whole. */
export function openRulesFile({ directory, lockTimeoutMs = 10_000 }: RulesFileOptions): RulesStore {
  const path = join(directory, rulesFileName)
  const goodPath = join(directory, 'rules-last-good.json')

  function load(): Rule[] {
    try {
      const bytes = readPrivateFile(path)
      if (!bytes) return []
      const rules = readRules(bytes)
      keepGood(bytes)
      return rules
    } catch (cause) {
      throw new RulesFileError(toFault(path, cause), { lastGood: loadGood(), cause })
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

  /** Where it cannot be kept, the rules are used all the same: only a later fault will find no good version. */
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
      // What could not be read again would take every other rule with it.
      readRules(Buffer.from(text))
      writePrivateFile(path, text)
      keepGood(Buffer.from(text))
    })
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
    return withFileLock(join(directory, `${rulesFileName}.lock`), lockTimeoutMs, work)
  }

  function repair(discard: boolean): Promise<Repaired> {
    return locked(() => {
      try {
        load()
        return {}
      } catch (cause) {
        const { lastGood } = cause as RulesFileError
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
    async setDisabled(id, disabled) {
      let found = false
      await change((rules) => {
        found = rules.some((rule) => rule.id === id)
        return found ? rules.map((rule) => (rule.id === id ? toggle(rule, disabled) : rule)) : rules
      })
      return found
    },
  }
}

function toggle({ disabled: _before, ...rule }: Rule, disabled: boolean): Rule {
  return disabled ? { ...rule, disabled } : rule
}

/** What is wrong with the file, as a sentence. */
function toFault(path: string, cause: unknown): string {
  if (cause instanceof PrivateFileError) return `The rules in ${cause.path} are not used, because it ${cause.fault}. ${cause.advice}` // biome-ignore format: one line
  const { code, message } = cause as NodeJS.ErrnoException
  return `The rules file ${path} ${code === undefined ? message.replace(/\.$/, '') : `cannot be read (${code})`}.`
}
