import { findProgram } from '../../process/find-program.ts'
import { toConfinedEnvironment } from '../environment.ts'
import type { ProbeOptions } from '../probe.ts'
import type { Profile, SandboxDriver } from '../sandbox.ts'

const home = '/home/toolpact'

/** Runs a server in a container of its own, with Docker or Podman. It has no network, or all of it. */
export function createContainer({ searchPath = process.env.PATH }: ProbeOptions = {}): SandboxDriver {
  const program = ['docker', 'podman'].map((name) => findProgram(name, searchPath, '/nowhere')).find(Boolean)
  return {
    name: 'container',
    program,
    sharesLoopback: false,
    async findFault() {
      return program ? undefined : { reason: 'neither docker nor podman is installed', suggestion: 'install one of them, or remove "container"' } // biome-ignore format: one line
    },
    confine(profile) {
      return {
        program: program!,
        arguments: toContainerWords(profile),
        // Of the client, which hands on the variables that are named to it.
        environment: { ...profile.environment, ...toOwn(profile) },
        workingDirectory: '/',
        sendsListeners: false,
      }
    },
  }
}

/** The words after `docker`. Values of variables are not among them: others could read them there. */
export function toContainerWords(profile: Profile): string[] {
  const { words, environment, network, image = '', home: ownHome, packages, mayInstall, read, write } = profile
  const names = Object.keys({ ...environment, ...toOwn(profile) }).filter((name) => !ofTheMachine.includes(name))
  const mount = (from: string, to: string, mode: string) => ['--volume', `${from}:${to}${mode}`]
  const uid = process.getuid?.()
  return [
    ...['run', '--interactive', '--rm', '--init', '--read-only', '--network', network === 'any' ? 'bridge' : 'none'],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--pids-limit', '512', '--memory', '4g'],
    ...['--tmpfs', '/tmp:rw,size=512m'],
    ...(uid === undefined ? [] : ['--user', `${uid}:${process.getgid!()}`]),
    ...(ownHome === undefined ? [] : mount(ownHome, home, '')),
    ...(packages === undefined ? [] : mount(packages, packages, mayInstall ? '' : ':ro')),
    ...read.flatMap((path) => mount(path, path, ':ro')),
    ...write.flatMap((path) => mount(path, path, '')),
    ...names.flatMap((name) => ['--env', name]),
    ...['--workdir', home, image, ...words],
  ]
}

/** What the image has its own of. */
const ofTheMachine = ['PATH', 'SHELL', 'USER', 'LOGNAME', 'TERM']

function toOwn(profile: Profile): { [name: string]: string } {
  return toConfinedEnvironment({ ...profile, environment: {} }, { home, temporary: '/tmp', proxy: undefined })
}
