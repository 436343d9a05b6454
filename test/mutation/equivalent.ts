import type { Mutant } from './mutants.ts'

interface Equivalent extends Pick<Mutant, 'file' | 'text' | 'change'> {
  /** Why the mutation is not observable. */
  readonly reason: string
}

/** Equivalent mutants, identified by the text of their line. */
const equivalents: readonly Equivalent[] = [
  {
    file: 'src/capabilities/process/inherited-descriptors.ts',
    text: 'return descriptor > 2 && (Number.parseInt(flags, 8) & closeOnExec) === 0',
    change: '> to >=',
    reason: 'Descriptor 2 is replaced only where it is ignored, and then Node opens /dev/null for it, too.',
  },
  {
    file: 'src/policy/secrets.ts',
    text: 'return code < 128 ? text.charCodeAt(index) * 128 + code : 0',
    change: '< to <=',
    reason: 'The code 128 then gives the number of another character with NUL after it, and no shape contains NUL.',
  },
  {
    file: 'src/state/follow-links.ts',
    text: "if (name === '' || name === '.') continue",
    change: '|| to &&',
    reason:
      '`join` gives the same folder for both names, and a folder that is real is no symlink. Skipping them saves a system call.',
  },
  {
    file: 'src/policy/rules/read-keys.ts',
    text: 'if (stop < end && at === end) throw notAnObject()',
    change: '< to <=',
    reason: '`at` is `stop + 1`, so where `stop` is `end` the other half is false anyway.',
  },
  {
    file: 'src/capabilities/files/read-lines.ts',
    text: 'for (let left = size; left > 0; ) {',
    change: '> to >=',
    reason: 'Reading the 0 bytes that are left gives 0, which ends the loop too.',
  },
  {
    file: 'src/surfaces/mcp/http-exchange.ts',
    text: 'if (!this.canSend || performance.now() - this.#heardAt < everyMs) return',
    change: '< to <=',
    reason:
      'The clock has fractions of a microsecond; an equal time is a matter of chance, and either answer is right.',
  },
  {
    file: 'src/runtime/storage/sqlite/ledger.ts',
    text: 'const batch = mustCommit || mustWait ? commits.next() : commits.later()',
    change: '|| to &&',
    reason: 'Either batch is committed before the record is acknowledged; they differ in time only.',
  },
  {
    file: 'src/capabilities/web/read-body.ts',
    text: 'kept.push(chunk.length > room ? chunk.subarray(0, room) : chunk)',
    change: '> to >=',
    reason: 'A chunk that just fits is the same as its first `room` bytes.',
  },
]

export function findEquivalent({ file, text, change }: Mutant): string | undefined {
  return equivalents.find((each) => each.file === file && each.text === text && each.change === change)?.reason
}
