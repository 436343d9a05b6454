import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { findProgram } from '../../process/find-program.ts'
import { toLimitScript } from '../../process/limits.ts'
import { toConfinedEnvironment } from '../environment.ts'
import type { ProbeOptions } from '../probe.ts'
import { runIdle } from '../run-idle.ts'
import type { Profile, SandboxDriver } from '../sandbox.ts'
import { proxyInside, startScript, toHelperWords } from '../server/listeners.ts'
import { explainFailure } from './explain-failure.ts'
import { toMounts, toSystemMounts } from './mounts.ts'
import { readReport, toReportingScript } from './report.ts'
import { isSupported, toSystemCallFilter } from './system-call-filter.ts'
import { toBubblewrapWords } from './to-words.ts'

/** What a bubblewrap offers: terminals need a second user namespace, and sizes of scratch folders version 0.7. */
interface Abilities {
  readonly terminals: boolean
  readonly sizes: boolean
}

/**
 * Confines programs with Linux namespaces, a seccomp filter (descriptor 4) and rlimits, which a POSIX shell inside sets. For
 * a command, that shell also reports on descriptor 3.
 */
export function createBubblewrap({
  searchPath = process.env.PATH,
  workspace = '/nowhere',
}: ProbeOptions = {}): SandboxDriver {
  // biome-ignore format: one line
  const program = findProgram('bwrap', searchPath, workspace)
  let able: Abilities = { terminals: true, sizes: true }
  return {
    name: 'bubblewrap',
    program,
    sharesLoopback: false,
    async findFault() {
      if (process.platform !== 'linux') return { reason: 'bubblewrap runs on Linux only', suggestion: 'run Toolpact on Linux, for example in a container' } // biome-ignore format: one line
      if (!program) return { reason: 'bubblewrap is not installed', suggestion: 'install bubblewrap (apt-get install bubblewrap)' } // biome-ignore format: one line
      const { arch } = process
      if (!isSupported(arch)) return { reason: `there is no system call filter for ${arch}`, suggestion: 'use a container' } // biome-ignore format: one line
      const filter = toSystemCallFilter(arch, { unixSockets: false })
      let complaint: string | undefined
      for (const next of attempts) {
        const failure = await runIdle(program, toIdleWords(next), filter)
        complaint ??= failure
        if (failure !== undefined) continue
        able = next
        return undefined
      }
      return explainFailure(complaint!)
    },
    confine(profile) {
      const { network, unixSockets, limits, scratchBytes, workingDirectory, isCommand } = profile
      const home = profile.home === undefined ? undefined : findHome(profile)
      const mounts = toMounts({ ...profile, terminals: profile.terminals && able.terminals }, home)
      return {
        program: program!,
        arguments: toBubblewrapWords(
          { mounts, network: network === 'any', scratchBytes: able.sizes ? scratchBytes : undefined, workingDirectory, mayBind: typeof network !== 'string' }, // biome-ignore format: one line
          toScript(profile),
        ),
        environment: toConfinedEnvironment(profile, { home, temporary: '/tmp', proxy: proxyInside }),
        workingDirectory: '/',
        filter: toSystemCallFilter(process.arch as 'x64', { unixSockets }),
        sendsListeners: typeof network !== 'string',
        watched: limits,
        ...(isCommand && { descriptor: 'report', finish: readReport }),
      }
    },
  }
}

/** The first that works is used. */
const attempts: readonly Abilities[] = [true, false].flatMap((terminals) =>
  [true, false].map((sizes) => ({ terminals, sizes })),
)

function toIdleWords({ terminals, sizes }: Abilities): string[] {
  const mounts = toSystemMounts(terminals ? 'devices' : 'few devices')
  const scratchBytes = sizes ? 1_000_000 : undefined
  return toBubblewrapWords({ mounts, network: false, scratchBytes, workingDirectory: '/', mayBind: true }, ['/bin/sh', '-c', ':']) // biome-ignore format: one line
}

/** The words of a profile, in a shell that sets its limits and prepares what it needs. */
function toScript({ words, limits, network, isCommand }: Profile): string[] {
  const [script, ...first] =
    typeof network !== 'string'
      ? [startScript, ...toHelperWords(network)]
      : [isCommand ? toReportingScript() : 'exec "$@" 3<&- 4<&-']
  return ['/bin/sh', '-c', `${toLimitScript(limits)}\n${script}`, 'sh', ...first, ...words]
}

/** Its home is found where the user's is, since programs in the home directory know their own paths. */
function findHome({ environment }: Profile): string {
  const home = environment.HOME || homedir()
  return home === '/' || !existsSync(home) ? '/home' : realpathSync(home)
}
