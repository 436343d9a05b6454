import { realpathSync } from 'node:fs'
import { delimiter, isAbsolute, resolve } from 'node:path'
import { ToolError } from '../contract/tool-error.ts'
import { decideEnvironment } from '../policy/environment.ts'
import { isInside } from '../policy/path.ts'
import { toRealOrPlanned } from '../state/follow-links.ts'
import { findGitDirectories } from './git-directories.ts'
import { findGitPrograms } from './git-settings.ts'
import { decideGitAccess, type GitDecision } from './process/git-command.ts'
import { toHints } from './process/hints.ts'
import { type CommandLimits, defaultLimits } from './process/limits.ts'
import { type Launch, type RunOutcome, runCommand } from './process/run-command.ts'
import { chooseShell, findMissingCommand } from './process/shell.ts'
import { toWatchedWords } from './process/watched-words.ts'
import {
  type CommandSandbox,
  type CommandSandboxName,
  openCommandSandbox,
} from './sandbox/command/open-command-sandbox.ts'
import type { SandboxUnavailable } from './sandbox/sandbox.ts'

/** Runs commands in one working directory. Nothing that a command started outlives it, as far as the system allows. */
export interface Process {
  /** Fails with `command_failed` or `sandbox_unavailable` if nothing ran; every other outcome is in the result. */
  run(command: string, options?: RunOptions): Promise<CommandResult>
  /** Fails with `sandbox_unavailable` if every `run` would. */
  check(): Promise<undefined>
  /** Whether commands run in a sandbox, to show before approval. */
  sandbox(): Promise<SandboxState>
}

export interface ProcessOptions {
  /** The working directory. */
  readonly cwd: string
  /** `decideEnvironment` decides which variables commands see. */
  readonly environment: { readonly [name: string]: string | undefined }
  /** Variables that are passed on regardless of their names. */
  readonly keepEnvironment?: readonly string[]
  /** `auto` uses a sandbox where one works, `required` refuses to run without. Default: `auto`. */
  readonly sandbox?: 'auto' | 'required' | 'off'
  /** Whether a sandboxed command may use the network. Default: no. */
  readonly network?: boolean
  /** Whether a sandboxed command may use Unix sockets. Default: no. */
  readonly unixSockets?: boolean
  /**
   * Paths that a sandboxed command may read, in addition to the system, toolchains and the working directory; `~` is
   * the home directory.
   */
  readonly readable?: readonly string[]
  /** Overrides of the default limits for sandboxed commands. */
  readonly limits?: Partial<CommandLimits>
  /** Absolute paths that a sandboxed command finds empty, such as the state directory. */
  readonly hidden?: readonly string[]
  /** The result of `toProtectedPaths`: a sandboxed command must not write these. */
  readonly protectedPaths?: readonly string[]
  /** Between TERM and KILL. Default: 2,000. */
  readonly graceMs?: number
}

export interface RunOptions {
  /** Default: 30,000. */
  readonly timeoutMs?: number
  /** Limit for each stream: half from its start, half from its end. Default: 64 KiB. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
  /** Receives the output of both streams as it arrives, for a person who watches. */
  readonly onOutput?: (text: string) => void
}

export interface CommandResult extends Omit<RunOutcome, 'report'> {
  /** The path of the shell. */
  readonly shell: string
  /** The user's own shell, if it is a different one that cannot be used. */
  readonly shellInsteadOf?: string
  readonly sandbox: CommandSandboxName | 'none'
  /** Why it ran without a sandbox although one was wanted. */
  readonly unconfined?: SandboxUnavailable
  /** The program that the shell did not find, if it exited because of that. */
  readonly missingCommand?: string
  /** Files it left where the sandbox keeps nothing, such as `/tmp`; may be incomplete if there are many. */
  readonly discarded: readonly string[]
  /**
   * Programs that git would run from now on because of this command, such as hooks: the git directory and the setting
   * or hook.
   */
  readonly gitPrograms: readonly string[]
  /** How the sandbox may have caused the failure, and what to do. */
  readonly hints: readonly string[]
}

/**
 * @example
 * const { exitCode, stdout } = await openProcess({ cwd: '.', environment: process.env }).run('git status')
 */
export function openProcess(options: ProcessOptions): Process {
  const workingDirectory = realpathSync.native(options.cwd)
  const {
    sandbox: mode = 'auto',
    network = false,
    unixSockets = false,
    hidden = [],
    protectedPaths = [],
    graceMs = 2000,
  } = options
  const shell = chooseShell(options.environment.SHELL, workingDirectory)
  const environment: Record<string, string> = {
    ...decideEnvironment(options.environment, options.keepEnvironment).kept,
    ...forUnattendedUse,
    PWD: workingDirectory,
  }
  const limits = { ...defaultLimits, ...options.limits }
  let opened: Promise<CommandSandbox | SandboxUnavailable> | undefined
  function open() {
    const { PATH: searchPath, HOME: home } = options.environment
    const { readable = [] } = options
    const certificates = network ? authorities.flatMap((name) => options.environment[name] ?? []) : []
    opened ??= openCommandSandbox({
      workingDirectory,
      searchPath,
      home,
      network,
      unixSockets,
      read: [...readable, ...certificates].map((path) => resolve(path.replace(/^~(?=\/|$)/, home ?? '~'))),
      hidden,
      protected: protectedPaths,
      limits,
    })
    return opened
  }

  async function check() {
    const sandbox = mode === 'required' ? await open() : undefined
    if (!sandbox || !('reason' in sandbox)) return undefined
    throw new ToolError('sandbox_unavailable', `Commands may run only in a sandbox, and ${sandbox.reason}`, {
      suggestion: `Ask the operator to ${sandbox.suggestion}, or to allow commands without it ("policy": { "sandbox": "auto" }).`,
    })
  }

  return {
    check,
    async run(command, { timeoutMs = 30_000, maxBytes = 65_536, signal, onOutput } = {}) {
      await check()
      const found = mode === 'off' ? undefined : await open()
      const unconfined = found && 'reason' in found ? found : undefined
      const sandbox = found && !('reason' in found) ? found : undefined
      const words = [shell.program, ...shell.options, command]
      const directories = findGitDirectories(workingDirectory)
      const programs = new Set(listGitPrograms(directories))
      const git = decideGitAccess(command)
      const confined = sandbox?.confine({
        words,
        environment: { ...environment, ...toGitEnvironment(git, environment.PATH, workingDirectory) },
        git: { access: git.access, directories },
      })
      const launch = confined ? { ...confined, input: confined.filter } : { ...toLaunch(words), environment }
      const limited = { timeoutMs, graceMs, maxBytes, signal, usage: confined?.watched, onOutput }
      const { report, ...outcome } = await runCommand({ ...launch, workingDirectory }, limited).catch((cause) => {
        confined?.finish?.('')
        throw cause
      })
      const missingCommand = findMissingCommand(outcome.exitCode, outcome.stderr.text)
      return {
        ...outcome,
        shell: shell.program,
        ...(shell.insteadOf !== undefined && { shellInsteadOf: shell.insteadOf }),
        sandbox: sandbox?.name ?? 'none',
        ...(unconfined && { unconfined }),
        discarded: confined?.finish?.(report) ?? [],
        gitPrograms: listGitPrograms(findGitDirectories(workingDirectory)).filter((program) => !programs.has(program)),
        hints: sandbox ? toHints(outcome, { workingDirectory, git, sandbox: sandbox.name }) : [],
        ...(missingCommand !== undefined && { missingCommand }),
      }
    },
    async sandbox() {
      if (mode === 'off') return { state: 'off', reason: 'it is switched off', network: true }
      const sandbox = await open()
      return 'reason' in sandbox
        ? { state: 'unavailable', ...sandbox, network: true }
        : { state: 'active', name: sandbox.name, network, unixSockets }
    },
  }
}

/** Whether commands run in a sandbox, for prompts and results. */
export interface SandboxState extends Partial<SandboxUnavailable> {
  readonly state: 'active' | 'unavailable' | 'off'
  /** Set if active. */
  readonly name?: CommandSandboxName
  /** Whether a command may use the network. */
  readonly network: boolean
  /** Whether a sandboxed command may use Unix sockets. */
  readonly unixSockets?: boolean
}

/** Variables that name files with certificate authorities. */
const authorities = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_DIR', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']

/** There is no person to page, edit or answer: programs that would wait for one exit instead. */
const forUnattendedUse = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR: 'false',
}

/**
 * While a command may write the repository, no program of the workspace can replace git or a program that git runs, and
 * pushes to local repositories, whose hooks would run, are blocked.
 */
function toGitEnvironment(
  { access, pushes }: GitDecision,
  searchPath: string | undefined,
  workingDirectory: string,
): Record<string, string> {
  if (access === 'read') return {}
  const isForeign = (folder: string) =>
    isAbsolute(folder) && !isInside(workingDirectory, toRealOrPlanned(folder), 'linux')
  return {
    ...(searchPath !== undefined && { PATH: searchPath.split(delimiter).filter(isForeign).join(delimiter) }),
    ...(pushes && { GIT_ALLOW_PROTOCOL: 'git:http:https:ssh' }),
  }
}

function toLaunch(words: readonly string[]): Pick<Launch, 'program' | 'arguments' | 'descriptor' | 'verbatim'> {
  if (process.platform === 'win32')
    return { program: words[0]!, arguments: [...words.slice(1, -1), `"${words.at(-1)}"`], verbatim: true }
  const [program, ...rest] = toWatchedWords(words)
  return { program: program!, arguments: rest, descriptor: 'lifeline' }
}

function listGitPrograms(directories: readonly string[]): string[] {
  return directories.flatMap((directory) => findGitPrograms(directory).map((program) => `${directory}: ${program}`))
}
