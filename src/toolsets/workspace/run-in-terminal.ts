import type { CommandResult, Process } from '../../capabilities/process.ts'
import type { History } from './capability/history.ts'
import { toCount } from './to-count.ts'
import { toShownName } from './to-shown-name.ts'
import { defineWorkspaceTool } from './workspace-tool.ts'

/** Per stream. Both together fit in an error message. */
const maxBytes = 32_000

export const runInTerminal = defineWorkspaceTool(
  {
    name: 'run_in_terminal',
    description:
      'Runs a shell command in the working directory and returns its output. Each call is a new shell: directories ' +
      'and variables do not carry over, so chain with &&. There is no terminal and no input, ' +
      'so use flags such as --yes. After timeout_seconds it is stopped; everything that it started ends with it, ' +
      'including background processes. Of long output the beginning and the end are returned, 32KB of each stream. A ' +
      'non-zero exit code is the error command_failed, with the output in its message. Secrets are removed from the ' +
      'environment, and with a sandbox the network is usually off, nothing outside the working directory can be ' +
      'written, /tmp is empty for each command, other folders are hidden, and .git is writable only for a command that ' +
      'runs git alone. To read, change or search files, prefer read_file, replace_string_in_file and grep_search.',
    risk: 'dangerous',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['command'],
      properties: {
        command: {
          type: 'string',
          description: 'Shell command to execute',
          pattern: '^\\s*[^\\s\\x00][^\\x00]*$',
          minLength: 1,
          maxLength: 30_000,
        },
        timeout_seconds: {
          type: 'integer',
          description: 'Timeout in seconds, 1 to 300 (default: 30)',
          default: 30,
          minimum: 1,
          maximum: 300,
        },
      },
    },
    metadata: {
      required: ['exit_code', 'stdout_lines', 'stderr_lines', 'omitted_bytes', 'shell', 'sandbox'],
      properties: {
        exit_code: { const: 0, description: 'Always 0: any other exit code is an error' },
        stdout_lines: { type: 'integer', minimum: 0, description: 'Number of lines on standard output' },
        stderr_lines: { type: 'integer', minimum: 0, description: 'Number of lines on standard error' },
        omitted_bytes: { type: 'integer', minimum: 0, description: 'Number of bytes left out of the output' },
        shell: { type: 'string', description: 'The shell that ran it' },
        sandbox: { enum: ['bubblewrap', 'seatbelt', 'none'], description: 'What isolated it from the system' },
      },
    },
    errors: [
      {
        code: 'command_failed',
        status: 422,
        when: 'The command ended with a non-zero exit code or by a signal, or could not be started.',
        suggestion: 'Read the output in the message, correct the command or its cause, and run it again.',
      },
      {
        code: 'command_not_found',
        status: 422,
        when: 'The shell did not find a program.',
        suggestion: 'Check the spelling, install the program, or use another one.',
      },
      {
        code: 'timeout',
        status: 504,
        when: 'The command was still running after timeout_seconds and was stopped.',
        suggestion: 'Increase timeout_seconds (at most 300), or split the work.',
      },
      {
        code: 'sandbox_unavailable',
        status: 503,
        when: 'The operator requires a sandbox, but none is available.',
        suggestion: 'Ask the operator to make a sandbox work, as the message says, or to allow commands without it.',
      },
    ],
    limits: { timeoutMs: 330_000, outputBytes: 1_048_576 },
    effects: { runs: ['command'], returns: ['private', 'untrusted'] },
    examples: [
      {
        title: 'A command that works',
        input: { command: 'echo hello' },
        returns: {
          output: 'Command output:\nhello\n',
          metadata: {
            exit_code: 0,
            stdout_lines: 1,
            stderr_lines: 0,
            omitted_bytes: 0,
            shell: '/bin/sh',
            sandbox: 'none',
          },
        },
        varies: ['/metadata/shell', '/metadata/sandbox'],
      },
      { title: 'A command that fails', input: { command: 'ls no-such-file' }, error: 'command_failed' },
      { title: 'A program that is not installed', input: { command: 'no_such_program' }, error: 'command_not_found' },
      { title: 'A command that takes too long', input: { command: 'sleep 60', timeout_seconds: 1 }, error: 'timeout' },
    ],
  },
  async (
    { command, timeout_seconds: seconds },
    { fail, signal, caller },
    { process, history }: { process: Process; history: History },
  ) => {
    const begun = new Date().toISOString()
    const ran = await process.run(command, { timeoutMs: seconds * 1000, maxBytes, signal })
    const { stdout, stderr, exitCode } = ran
    const said = toText(ran)
    const last = { command, exit_code: exitCode, executed_at: begun, output: said }
    const isRemembered = await history.remember(caller, last).then(
      () => true,
      () => false,
    )
    if (ran.ended === 'timeout')
      return fail('timeout', toMessage(`Command timed out after ${toCount(seconds, 'second')}`, ran))
    if (ran.missingCommand !== undefined) {
      const what = `Command '${ran.missingCommand}' not found`
      return fail('command_not_found', stdout.bytes > 0 ? toMessage(what, ran) : withWarnings(what, ran))
    }
    if (ran.limit !== undefined)
      return fail('command_failed', toMessage(`Command was stopped at the limit on ${ran.limit}`, ran))
    if (exitCode !== 0) {
      const how = exitCode === null ? `signal ${ran.signal}` : `exit code ${exitCode}`
      return fail('command_failed', toMessage(`Command failed with ${how}`, ran))
    }
    const omitted = stdout.omittedBytes + stderr.omittedBytes
    return {
      output: `Command output:\n${said || '(none)\n'}`,
      metadata: {
        exit_code: 0,
        stdout_lines: stdout.lines,
        stderr_lines: stderr.lines,
        omitted_bytes: omitted,
        shell: ran.shell,
        sandbox: ran.sandbox,
      },
      warnings: [
        ...(omitted > 0 ? [`Output is long, omitted ${toCount(omitted, 'byte')} in the middle`] : []),
        ...(isRemembered ? [] : ['Command could not be saved for terminal_last_command']),
        ...toWarnings(ran),
      ],
    }
  },
  {
    needs: ['process', 'history'],
    validate: async (_input, _context, { process }) => process.check(),
    async preview(_input, { process }) {
      const { state, name, reason, network, unixSockets } = await process.sandbox()
      if (state !== 'active') return { sandbox: `none: ${reason}` }
      return {
        sandbox: `${name}, ${network ? 'with' : 'without'} network${unixSockets ? ', with Unix sockets' : ''}`,
      }
    },
  },
)

type Streams = Pick<CommandResult, 'stdout' | 'stderr'>

function toText({ stdout, stderr }: Streams): string {
  return stderr.bytes > 0 ? `${toLines(stdout.text)}Error output:\n${toLines(stderr.text)}` : toLines(stdout.text)
}

/** Stderr first, because it explains the failure; then stdout. */
function toMessage(what: string, ran: CommandResult): string {
  const { stdout, stderr } = ran
  const complaint = stderr.bytes > 0 ? `${what}:\n${toLines(stderr.text)}` : `${what}\n`
  const message = stdout.bytes > 0 ? `${complaint}Command output:\n${toLines(stdout.text)}` : complaint
  return withWarnings(message.trimEnd(), ran)
}

function withWarnings(message: string, ran: CommandResult): string {
  return [message, ...toWarnings(ran).map((warning) => `Warning: ${warning}`)].join('\n')
}

/** Differences from the user's own terminal that may explain the result. */
function toWarnings({ shell, shellInsteadOf, unconfined, discarded, gitPrograms, hints }: CommandResult): string[] {
  const names = discarded.slice(0, 3).map(toShownName).join(', ')
  return [
    ...(shellInsteadOf === undefined ? [] : [`Shell ${toShownName(shellInsteadOf)} is not supported, used ${shell}`]),
    ...(unconfined ? [`The command ran without a sandbox: ${unconfined.reason}. The operator can ${unconfined.suggestion}`] : []), // biome-ignore format: one line
    ...(discarded.length > 0
      ? [
          `The sandbox keeps no files outside the working directory, and discarded ${names}${discarded.length > 3 ? ' and others' : ''}`,
        ]
      : []),
    ...(gitPrograms.length > 0
      ? [
          `Git would now run programs because of this command: ${gitPrograms.slice(0, 3).map(toShownName).join(', ')}${gitPrograms.length > 3 ? ' and others' : ''}. A person should review this before git is used there`,
        ]
      : []),
    ...hints,
  ]
}

function toLines(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
