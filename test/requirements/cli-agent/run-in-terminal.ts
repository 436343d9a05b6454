import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/cli-agent/run-in-terminal.test.ts')
const tool = '[`run_in_terminal`](tools.md#workspacerun_in_terminal)'

export const runInTerminal: Group = {
  title: 'run_in_terminal',
  statements: [
    checked('E701', 'The tool is called `run_in_terminal`.', tool),
    checked('E702', 'It executes a shell command.', tool),
    checked('E703', 'The parameter `command` is a string.', `${tool}: \`command\``),
    checked('E704', '`command` is described as the shell command.', `${tool}: \`command\``),
    checked('E705', '`command` is required.', `${tool}: \`command\``),
    checked('E706', 'The parameter `timeout_seconds` is an integer.', `${tool}: \`timeout_seconds\``),
    checked('E707', '`timeout_seconds` is described, with its default.', `${tool}: \`timeout_seconds\``),
    checked('E708', '`timeout_seconds` is optional.', `${tool}: \`timeout_seconds\``),
    checked(
      'E709',
      'The default of `timeout_seconds` is 30, and the schema declares it.',
      `${tool}: \`timeout_seconds\``,
    ),
    checked('E710', '`command` must not be empty.', `${tool}: \`command\``),
    checked('E711', '`timeout_seconds` must be between 1 and 300.', `${tool}: \`timeout_seconds\``),
    checked('E712', "The command runs in the user's default shell.", `${tool}: \`metadata.shell\``),
    checked('E713', 'It runs in the working directory of the session.', tool),
    checked('E714', 'A success has `success: true`.', `${tool}: output`),
    checked('E715', 'Its `output` is `Command output:` and what the command wrote.', `${tool}: output`),
    checked('E716', 'Its `files_affected` is empty.', `${tool}: output`),
    checked('E717', 'Its `execution_time_ms` is a whole number of milliseconds.', `${tool}: output`),
    checked('E718', '`metadata.exit_code` is 0.', `${tool}: output`),
    checked('E719', '`metadata.stdout_lines` counts the lines of standard output.', `${tool}: output`),
    checked('E720', '`metadata.stderr_lines` counts the lines of standard error.', `${tool}: output`),
    checked(
      'E721',
      "A missing program fails with `Command 'invalid_cmd' not found`.",
      `${tool}: \`command_not_found\``,
    ),
    checked(
      'E722',
      'A command that takes too long fails with `Command timed out after 30 seconds`.',
      `${tool}: \`timeout\``,
    ),
    checked(
      'E723',
      'Another exit code fails with `Command failed with exit code 1:` and standard error on the next lines.',
      `${tool}: \`command_failed\``,
    ),
    checked('E724', 'Its risk is `dangerous`.', `${tool}: risk`),
  ],
}
