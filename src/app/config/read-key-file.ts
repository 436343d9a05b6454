import { readFileSync, statSync } from 'node:fs'
import { toShellWord } from '../../contract/text/shell-word.ts'
import { ConfigError } from './config-error.ts'

/** Reads the key that a setting names, and that others must not be able to read. `make`: how to create one. */
export function readKeyFile(
  path: string,
  { setting, make }: { readonly setting: string; readonly make: string },
): Buffer {
  try {
    if (process.platform !== 'win32' && statSync(path).mode & 0o077)
      throw new ConfigError(`The key ${path} in ${setting} can be read by others. Run chmod 600 ${toShellWord(path)}.`)
    return readFileSync(path)
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    throw new ConfigError(`The key ${path} in ${setting} cannot be read (${(cause as NodeJS.ErrnoException).code}). ${make}`, { cause }) // biome-ignore format: one line
  }
}
