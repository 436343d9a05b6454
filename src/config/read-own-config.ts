import { PrivateFileError, readPrivateFile } from '../storage/private-file.ts'
import { type ParsedConfig, parseConfig } from './config.ts'
import { ConfigError } from './config-error.ts'

/** Reads the operator's own config of a workspace. A file that others can write is refused. */
export async function readOwnFile(path: string, workspace: string): Promise<ParsedConfig | undefined> {
  try {
    const bytes = readPrivateFile(path)
    return bytes && (await parseConfig(bytes, path, workspace))
  } catch (cause) {
    throw cause instanceof PrivateFileError ? new ConfigError(cause.message, { cause }) : cause
  }
}
