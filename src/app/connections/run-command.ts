import { execFile } from 'node:child_process'
import { decideEnvironment } from '../../policy/environment.ts'
import { ConfigError } from '../config/config-error.ts'

const timeoutMs = 10_000

/** Runs the operator's program that prints a key, without a shell. */
export function runCommand(
  [program = '', ...args]: readonly string[],
  keepEnvironment: readonly string[] = [],
): Promise<string> {
  // biome-ignore format: one line
  const { kept } = decideEnvironment(process.env, keepEnvironment)
  return new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { env: kept, timeout: timeoutMs, maxBuffer: 4096, killSignal: 'SIGKILL' },
      (error, printed) => {
        // Never with what it printed: that is the key.
        if (error)
          reject(new ConfigError(`The key of the vault could not be read: ${program} in vault.keyCommand failed (${error.killed ? `no answer within ${timeoutMs / 1000} s` : (error.code ?? 'ended')}).`)) // biome-ignore format: one line
        else resolve(printed)
      },
    )
  })
}
