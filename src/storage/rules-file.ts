import { closeSync, constants, fstatSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs' // biome-ignore format: one line
import { join } from 'node:path'
import type { Rule } from '../contract/rule.ts'
import { readRules, writeRules } from './read-rules.ts'
import { withRulesLock } from './rules-lock.ts'
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
      const bytes = readTrusted(directory, path)
      return bytes ? readRules(bytes) : []
    } catch (cause) {
      if (cause instanceof RulesFileError) throw cause
      const { code, message } = cause as NodeJS.ErrnoException
      const fault = code === undefined ? message : `cannot be read (${code})`
      throw new RulesFileError(`The rules file ${path} ${fault}. Mend it, or move it away: until then every call asks.`, { cause }) // biome-ignore format: one line
    }
  }

  async function change(make: (rules: readonly Rule[]) => readonly Rule[]): Promise<void> {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    mustBePrivate(directory, statSync(directory))
    await withRulesLock(join(directory, `${rulesFileName}.lock`), lockTimeoutMs, () => {
      const rules = load()
      const changed = make(rules)
      if (changed === rules) return
      const text = writeRules(changed)
      // What could not be read again would take every other rule with it.
      readRules(Buffer.from(text))
      write(directory, path, text)
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

/** The bytes of the file, if nobody else can have written them; undefined where there is none. */
function readTrusted(directory: string, path: string): Uint8Array | undefined {
  const seen = lstatSync(path, { throwIfNoEntry: false })
  if (!seen) return undefined
  if (seen.isSymbolicLink()) throw distrust(path, 'is a symbolic link', 'Put the file itself there.')
  if (!seen.isFile()) throw distrust(path, 'is no file', 'Move it away.')
  mustBePrivate(directory, statSync(directory))
  // What was looked at may have been put aside meanwhile: from here on it is one open file.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    mustBePrivate(path, fstatSync(file))
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** Who may write the rules may do whatever they allow. Windows has no such bits. */
function mustBePrivate(path: string, { mode, uid }: Stats) {
  const own = process.getuid?.()
  if (own === undefined) return
  if (mode & 0o022) throw distrust(path, `may be written by others (mode ${(mode & 0o777).toString(8)})`, 'Take that away with chmod go-w, and check what it holds.') // biome-ignore format: one line
  if (uid !== own && uid !== 0) throw distrust(path, 'belongs to another user', 'Choose a state directory of your own with TOOLPACT_STATE_DIR.') // biome-ignore format: one line
}

function distrust(path: string, fault: string, advice: string): RulesFileError {
  return new RulesFileError(
    `The rules in ${path} are not used, because it ${fault}. ${advice} Until then every call asks.`,
  )
}

/** Under the lock: what lies about of earlier attempts is of processes that died. */
function write(directory: string, path: string, text: string) {
  const leftovers = readdirSync(directory).filter((name) => name.startsWith(temporaryStart))
  for (const name of leftovers) rmSync(join(directory, name), { force: true })
  const temporary = join(directory, `${temporaryStart}${process.pid}`)
  const file = openSync(temporary, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
  syncDirectory(directory)
}

const temporaryStart = `.${rulesFileName}.`

/** So that the rename survives a loss of power too. Windows cannot open a directory, and needs not. */
function syncDirectory(directory: string) {
  if (process.platform === 'win32') return
  const file = openSync(directory, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
