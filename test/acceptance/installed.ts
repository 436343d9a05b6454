import { createHash } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages, toCacheFolder } from '../../bench/peer.ts'
import { installedAsOf } from '../real-servers/servers.ts'
import type { Agent } from './agents.ts'

/** Separate folders, because their dependencies conflict. */
function folderOf(agent: Agent): string {
  const digest = createHash('sha256').update(`${agent.package}@${agent.version}`).digest('hex')
  return toCacheFolder(`agent-${agent.name}-${digest.slice(0, 12)}`)
}

/** Written last, so that an interrupted installation starts over. */
const markOf = (agent: Agent) => join(folderOf(agent), 'complete')

export function isInstalled(agent: Agent): boolean {
  return existsSync(markOf(agent))
}

/** Installs an agent into the cache outside the repository, unless it is there. */
export function installAgent(agent: Agent): void {
  if (isInstalled(agent)) return
  rmSync(folderOf(agent), { recursive: true, force: true })
  const { installsProgram: runScripts } = agent
  installPackages(folderOf(agent), [`${agent.package}@${agent.version}`], { before: installedAsOf, runScripts })
  writeFileSync(markOf(agent), '')
}

export function programOf(agent: Agent): string {
  return join(folderOf(agent), 'node_modules/.bin', agent.program)
}
