import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { findProgram } from '../find-program.ts'
import { createMounts } from './mounts.ts'
import type { Sandbox, SandboxOptions } from './sandbox.ts'
import { isSupported, toSystemCallFilter } from './system-call-filter.ts'

export async function openBubblewrap(options: SandboxOptions): Promise<Sandbox | { readonly reason: string }> {
  if (process.platform !== 'linux') return { reason: 'bubblewrap runs on Linux only' }
  if (options.workingDirectory === '/') return { reason: 'the working directory is /, which cannot be set apart' }
  const program = findProgram('bwrap', options.searchPath, options.workingDirectory)
  if (!program) return { reason: 'bubblewrap is not installed' }
  const { arch } = process
  if (!isSupported(arch)) return { reason: `there is no system call filter for ${arch}` }
  const input = toSystemCallFilter(arch, options)
  const toMounts = createMounts(options)
  const toSandbox = (adapt: (words: string[]) => string[]): Sandbox => ({
    toLaunch: (words, git) => ({
      program,
      arguments: [...toNamespaces(options), ...adapt(toMounts(git)), ...toStart(options), ...words],
      input,
    }),
  })
  const sandbox = toSandbox((words) => words)
  const complaint = await probe(sandbox)
  if (complaint === undefined) return sandbox
  // Before bubblewrap 0.7 a temporary folder may take half of the machine's memory.
  const older = toSandbox(withoutSizes)
  if (/--size/.test(complaint) && (await probe(older)) === undefined) return older
  return { reason: `bubblewrap does not work here: ${complaint}` }
}

/** No other processes and their memory, no network, and no privileges. */
function toNamespaces({ network }: SandboxOptions): string[] {
  const isRoot = process.getuid?.() === 0
  return [
    ...['--die-with-parent', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL'],
    // Root without these could not use a working directory that belongs to somebody else.
    ...(isRoot ? ['CAP_DAC_OVERRIDE', 'CAP_CHOWN', 'CAP_FOWNER'].flatMap((name) => ['--cap-add', name]) : []),
  ]
}

function toStart({ workingDirectory }: SandboxOptions): string[] {
  return ['--seccomp', '4', '--setenv', 'TMPDIR', '/tmp', '--chdir', workingDirectory, '--']
}

function withoutSizes(words: string[]): string[] {
  return words.filter((word, index) => word !== '--size' && words[index - 1] !== '--size')
}

/** What it says if it cannot run even `true`; undefined if it can. */
function probe(sandbox: Sandbox): Promise<string | undefined> {
  const {
    program,
    arguments: words,
    input,
  } = sandbox.toLaunch(['/bin/sh', '-c', ':'], { access: 'read', directories: [] })
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'pipe'], timeout: 10_000 })
    const filter = child.stdio[4] as Writable
    filter.on('error', () => {}).end(input)
    let complaint = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      if (complaint.length < 300) complaint += text
    })
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => {
      const [line = ''] = complaint.trim().split('\n')
      resolve(code === 0 ? undefined : line || `it ended with ${signal ?? code}`)
    })
  })
}
