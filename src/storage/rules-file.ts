import { join } from 'node:path'
import type { Rule } from '../contract/rule.ts'
import { withFileLock } from './file-lock.ts'
import { makePrivateDirectory, PrivateFileError, readPrivateFile, writePrivateFile } from './private-file.ts'
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
}

/** Opens the rules file `rules.json`. Every change is made under a lock to what the file holds then, and whole. */
export function openRulesFile({ directory, lockTimeoutMs = 10_000 }: RulesFileOptions): RulesStore {
  const path = join(directory, rulesFileName)

  function load(): Rule[] {
    try {
      const bytes = readPrivateFile(path)
      return bytes ? readRules(bytes) : []
    } catch (cause) {
      if (cause instanceof PrivateFileError) throw distrust(cause)
      const { code, message } = cause as NodeJS.ErrnoException
      const fault = code === undefined ? message : `cannot be read (${code})`
      throw new RulesFileError(`The rules file ${path} ${fault}. Mend it, or move it away: until then every call asks.`, { cause }) // biome-ignore format: one line
    }
  }

  async function change(make: (rules: readonly Rule[]) => readonly Rule[]): Promise<void> {
    try {
      makePrivateDirectory(directory)
    } catch (cause) {
      throw cause instanceof PrivateFileError ? distrust(cause) : cause
    }
    await withFileLock(join(directory, `${rulesFileName}.lock`), lockTimeoutMs, () => {
      const rules = load()
      const changed = make(rules)
      if (changed === rules) return
      const text = writeRules(changed)
      // What could not be read again would take every other rule with it.
      readRules(Buffer.from(text))
      writePrivateFile(path, text)
    })
  }

  return {
    path,
    load,
    add: (rule) =>
      change((rules) => {
        if (rules.some(({ id }) => id === rule.id)) throw new Error(`There is a rule ${rule.id} already.`)
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

function distrust(cause: PrivateFileError): RulesFileError {
  const { path, fault, advice } = cause
  return new RulesFileError(
    `The rules in ${path} are not used, because it ${fault}. ${advice} Until then every call asks.`,
    { cause },
  )
}
