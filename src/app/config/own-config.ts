import { hash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ParsedConfig } from './config.ts'

/**
 * The operator's own settings for one workspace, stored in the state directory: they need no trust there, and files under
 * version control stay unchanged.
 */
export function toOwnConfigPath(stateDirectory: string, workspace: string): string {
  const name = basename(workspace).replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 40) // biome-ignore format: one line
  return join(stateDirectory, 'workspaces', `${name}-${hash('sha256', workspace).slice(0, 16)}.json`)
}

/** The operator's own config of a workspace; undefined if there is none. Paths are relative to the workspace. */
export async function readOwnConfig(path: string, workspace: string): Promise<ParsedConfig | undefined> {
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined
  return (await import('./read-own-config.ts')).readOwnFile(path, workspace)
}

/** The file with the servers that the operator uses in every folder. */
export function toEverywherePath(stateDirectory: string): string {
  return join(stateDirectory, 'everywhere.json')
}

/** Undefined if there is no such file. Paths are relative to the current workspace. */
export async function readEverywhere(stateDirectory: string, workspace: string): Promise<ParsedConfig | undefined> {
  const path = toEverywherePath(stateDirectory)
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined
  return (await import('./read-own-config.ts')).readEverywhereFile(path, workspace)
}

/** The operator's own settings override those of the workspace. Servers, limits, callers and agent settings are merged by key. */
export function mergeOwn<Content extends object>(found: Content, own: Content | undefined): Content {
  if (!own) return found
  const merged: { [key: string]: unknown } = { ...(found as object), ...(own as object) }
  for (const key of ['mcpServers', 'limits', 'callers', 'agent'] as (keyof Content & string)[])
    if (found[key] && own[key]) merged[key] = Object.freeze({ ...found[key], ...own[key] })
  return Object.freeze(merged) as Content
}
