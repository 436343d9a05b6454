import { probe } from '../probe.ts'
import type { ConfinedProcess, SandboxName, SandboxUnavailable } from '../sandbox.ts'
import { type CommandOptions, type ConfinedCommand, createCommandProfile } from './command-profile.ts'

/** No command runs in a container. */
export type CommandSandboxName = Exclude<SandboxName, 'container'>

/** Confines the commands of one working directory. */
export interface CommandSandbox {
  readonly name: CommandSandboxName
  confine(command: ConfinedCommand): ConfinedProcess
}

/** Opens the sandbox of commands, or explains why none works here. */
export async function openCommandSandbox(options: CommandOptions): Promise<CommandSandbox | SandboxUnavailable> {
  const { workingDirectory, searchPath } = options
  if (workingDirectory === '/')
    return {
      reason: 'the working directory is /, which cannot be set apart',
      suggestion: 'start Toolpact in the folder of a project',
    }
  const found = await probe({ searchPath: searchPath ?? '', workspace: workingDirectory })
  if ('reason' in found) return found
  const toProfile = createCommandProfile(options)
  return {
    name: found.driver.name as CommandSandboxName,
    confine: (command) => found.driver.confine(toProfile(command)),
  }
}
