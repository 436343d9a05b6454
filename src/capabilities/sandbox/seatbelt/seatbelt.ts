import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toLimitScript } from '../../process/limits.ts'
import { toWatchedWords } from '../../process/watched-words.ts'
import { toCaches, toConfinedEnvironment } from '../environment.ts'
import { runIdle } from '../run-idle.ts'
import type { Profile, SandboxDriver } from '../sandbox.ts'
import { toSeatbeltProfile } from './to-seatbelt-profile.ts'

const program = '/usr/bin/sandbox-exec'

/** Confines programs with a Seatbelt profile (macOS). There are no namespaces: other processes are hidden, not absent. */
export function createSeatbelt(): SandboxDriver {
  return {
    name: 'seatbelt',
    program,
    sharesLoopback: true,
    async findFault() {
      if (process.platform !== 'darwin') return { reason: 'Seatbelt is part of macOS', suggestion: 'use bubblewrap' }
      if (!existsSync(program)) return { reason: `${program} is missing`, suggestion: 'use a container' }
      const complaint = await runIdle(program, ['-p', '(version 1) (allow default)', '/usr/bin/true'], '')
      if (complaint === undefined) return undefined
      return {
        reason: `Seatbelt does not work here: ${complaint}`,
        suggestion: 'start Toolpact outside of any other sandbox',
      }
    },
    confine: confineWithSeatbelt,
  }
}

/** A command has a temporary folder for itself, deleted when it has ended; other programs have one in their home. */
export function confineWithSeatbelt(profile: Profile): ReturnType<SandboxDriver['confine']> {
  const { home, workingDirectory, isCommand, limits, proxy } = profile
  const temporary = home === undefined ? mkdtempSync(join(realpathSync(tmpdir()), 'toolpact-command-')) : join(home, 'tmp') // biome-ignore format: one line
  // The kernel counts the processes of the user, not of the sandbox, and does not limit memory.
  const limited = ['/bin/sh', '-c', `${toLimitScript({ fileBytes: limits.fileBytes })}\nexec "$@"`, 'sh', ...profile.words] // biome-ignore format: one line
  const words = [program, '-p', toSeatbeltProfile(profile, temporary), ...limited]
  const [first, ...rest] = isCommand ? toWatchedWords(words) : words
  const environment = toConfinedEnvironment(profile, { home, temporary, proxy })
  return {
    program: first!,
    arguments: rest,
    environment: isCommand ? { ...toCaches(join(temporary, '.cache')), ...environment } : environment,
    workingDirectory,
    sendsListeners: false,
    ...(isCommand && { descriptor: 'lifeline', finish: () => discard(temporary) }),
  }
}

function discard(folder: string): string[] {
  try {
    const left = readdirSync(folder).filter((name) => name !== '.cache')
    rmSync(folder, { recursive: true, force: true })
    return left.map((name) => join(folder, name))
  } catch {
    return []
  }
}
