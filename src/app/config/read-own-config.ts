import { PrivateFileError, readPrivateFile } from '../../state/private-file.ts'
import { type ParsedConfig, parseConfig } from './config.ts'
import { ConfigError, goOnWithout } from './config-error.ts'

/** Reads the operator's own config of a workspace. Rejects a file that others can write. */
export async function readOwnFile(path: string, workspace: string): Promise<ParsedConfig | undefined> {
  try {
    const bytes = readPrivateFile(path)
    return bytes && (await parseConfig(bytes, path, workspace))
  } catch (cause) {
    throw cause instanceof PrivateFileError ? new ConfigError(cause.message, { cause }) : cause
  }
}

/** Reads the servers that are configured for every folder. Rejects other settings, which belong to a folder. */
export async function readEverywhereFile(path: string, workspace: string): Promise<ParsedConfig | undefined> {
  const parsed = await readOwnFile(path, workspace)
  requireServersOnly(parsed?.content ?? {}, path)
  return parsed
}

export function requireServersOnly(content: object, path: string): void {
  const other = Object.keys(content).find((key) => key !== 'mcpServers' && key !== '$schema')
  if (other !== undefined)
    throw new ConfigError(`The config ${path} is not valid: /${other}: It holds the servers of every folder, in mcpServers, and nothing else. Move ${other} into the toolpact.json of a folder. ${goOnWithout}`) // biome-ignore format: one line
}
