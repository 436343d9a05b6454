import { execFile } from 'node:child_process'
import { hash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { isInside } from '../../../policy/path.ts'
import { findProgram } from '../../process/find-program.ts'
import { toConfinedEnvironment } from '../environment.ts'
import type { ProbeOptions } from '../probe.ts'
import type { Profile, SandboxDriver, SandboxUnavailable } from '../sandbox.ts'

const home = '/home/toolpact'
const answerMs = 20_000

/** Runs a server in a container of its own, with Docker or Podman. It has no network, or all of it. */
export function createContainer({ searchPath = process.env.PATH }: ProbeOptions = {}): SandboxDriver {
  const installed = ['docker', 'podman'].flatMap((name) => findProgram(name, searchPath, '/nowhere') ?? [])
  let program = installed[0]
  return {
    name: 'container',
    get program() {
      return program
    },
    sharesLoopback: false,
    async findFault() {
      const faults: string[] = []
      for (const each of installed) {
        program = each
        const fault = await removeOrphans(each)
        if (fault === undefined) return undefined
        faults.push(`${basename(each)} does not answer: ${fault}`)
      }
      return toUnavailable(faults)
    },
    confine(profile) {
      const name = `${namePrefix}${process.pid}-${randomUUID().slice(0, 8)}`
      return {
        program: program!,
        arguments: toContainerWords(profile, { name, isPodman: isPodman(program!) }),
        // Of the client, which hands on the variables that are named to it.
        environment: { ...profile.environment, ...findClientVariables() },
        workingDirectory: '/',
        sendsListeners: false,
        // The container outlives a client that is killed.
        removal: toRemoval(program!, [name]),
      }
    },
  }
}

function toUnavailable(faults: readonly string[]): SandboxUnavailable {
  if (faults.length === 0) return { reason: 'neither docker nor podman is installed', suggestion: 'install one of them, or remove "container"' } // biome-ignore format: one line
  return { reason: faults.join('; '), suggestion: 'start its service, or remove "container"' }
}

/** Followed by the process that started it. Processes of other machines and containers have other numbers. */
const namePrefix = `toolpact-${hash('sha256', hostname()).slice(0, 8)}-`

/** Removes containers of processes that have ended without doing so. Resolves to a fault if the service does not answer. */
async function removeOrphans(program: string): Promise<string | undefined> {
  const run = (words: readonly string[]) => promisify(execFile)(program, words, { timeout: answerMs })
  try {
    const { stdout } = await run(['ps', '--all', '--filter', `name=${namePrefix}`, '--format', '{{.Names}}'])
    const orphans = stdout.split('\n').filter((name) => name.startsWith(namePrefix) && !isAlive(Number(name.slice(namePrefix.length).split('-')[0]))) // biome-ignore format: one line
    if (orphans.length > 0) await run(toRemoval(program, orphans)).catch(() => {})
    return undefined
  } catch (cause) {
    const { stderr, message } = cause as { stderr?: string; message: string }
    return (stderr?.trim() || message).split('\n')[0]!.slice(0, 300)
  }
}

const isPodman = (program: string) => basename(program) === 'podman'

/** Podman would wait for ten seconds. */
function toRemoval(program: string, names: readonly string[]): string[] {
  return ['rm', '--force', ...(isPodman(program) ? ['--time', '0'] : []), ...names]
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as { code?: string }).code === 'EPERM'
  }
}

interface ContainerName {
  readonly name: string
  readonly isPodman: boolean
}

/** The words after `docker`. Values of the entry's variables are not among them: others could read them there. */
export function toContainerWords(profile: Profile, { name, isPodman }: ContainerName): string[] {
  const { words, network, image = '', home: ownHome, packages, mayInstall, read, write, limits, scratchBytes } = profile
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  const hidden = profile.hidden.filter((path) => existsSync(path) && [...read, ...write].some((folder) => isInside(folder, path, 'linux'))) // biome-ignore format: one line
  // A path can be mounted once: the last one counts. Both programs mount a folder before what is in it.
  const mounts = new Map([
    ...read.map((path) => toMount(path, path, 'readonly')),
    ...write.map((path) => toMount(path, path)),
    ...profile.pinned.map((path) => toMount(path, path)),
    ...profile.protected.map((path) => toMount(path, path, 'readonly')),
    ...hidden.map((path) => [path, toFields(['type=tmpfs', `destination=${path}`])] as const),
    ...(ownHome === undefined ? [] : [toMount(ownHome, home)]),
    ...(packages === undefined ? [] : [toMount(packages, packages, ...(mayInstall ? [] : ['readonly']))]),
  ])
  return [
    ...['run', '--interactive', '--rm', '--init', '--name', name, '--read-only'],
    ...['--network', network === 'any' ? 'bridge' : 'none'],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    ...['--pids-limit', String(limits.processes), '--memory', String(limits.memoryBytes)],
    // Otherwise every message would be stored on disk.
    ...['--log-driver', 'none'],
    ...['--tmpfs', `/tmp:rw,size=${scratchBytes}`],
    ...(uid === undefined ? [] : ['--user', `${uid}:${gid}`]),
    // Without it, a user of rootless Podman is another one in the container, who may not use the mounts.
    ...(isPodman && uid !== 0 ? ['--userns', 'keep-id'] : []),
    ...[...mounts.values()].flatMap((mount) => ['--mount', mount]),
    ...toVariables(profile).flatMap((variable) => ['--env', variable]),
    ...['--workdir', home, image, ...words],
  ]
}

function toMount(from: string, to: string, ...options: string[]): readonly [path: string, mount: string] {
  return [to, toFields(['type=bind', `source=${from}`, `destination=${to}`, ...options])]
}

/** A line of CSV, as both programs read it. */
function toFields(fields: readonly string[]): string {
  return fields.map((field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')
}

/** What the image has its own of, or what is meant for the machine. */
const ofTheMachine = /^(?:PATH|SHELL|USER|LOGNAME|TERM)$/

/** Variables of the entry by their names, and with values those that Toolpact sets. */
function toVariables(profile: Profile): string[] {
  const variables = toConfinedEnvironment(profile, { home, temporary: '/tmp', proxy: undefined })
  return Object.entries(variables)
    .filter(([name]) => !ofTheMachine.test(name) && !ofTheClient.test(name))
    .map(([name, value]) => (profile.environment[name] === value ? name : `${name}=${value}`))
    .concat(`HOME=${home}`)
}

/** What the client needs to find its service and its settings. */
const ofTheClient = /^(?:HOME|PATH|SSH_AUTH_SOCK|(?:DOCKER|CONTAINERS?|PODMAN|XDG)_.*)$/

function findClientVariables(): { [name: string]: string } {
  const found = Object.entries(process.env).filter(([name]) => ofTheClient.test(name))
  return Object.fromEntries(found) as { [name: string]: string }
}
