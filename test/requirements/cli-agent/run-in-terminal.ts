import type { Group } from '../requirement.ts'

const own = (id: string) => [`test/requirements/cli-agent/run-in-terminal.test.ts: ${id}`]
const tool = '[`run_in_terminal`](tools.md#workspacerun_in_terminal)'

export const runInTerminal: Group = {
  title: 'run_in_terminal',
  statements: [
    { id: 'E701', says: 'The tool is called `run_in_terminal`.', where: tool, tests: own('E701') },
    { id: 'E702', says: 'It executes a shell command.', where: tool, tests: own('E702') },
    { id: 'E703', says: 'The parameter `command` is a string.', where: `${tool}: \`command\``, tests: own('E703') },
    {
      id: 'E704',
      says: '`command` is described as the shell command.',
      where: `${tool}: \`command\``,
      tests: own('E704'),
    },
    { id: 'E705', says: '`command` is required.', where: `${tool}: \`command\``, tests: own('E705') },
    {
      id: 'E706',
      says: 'The parameter `timeout_seconds` is an integer.',
      where: `${tool}: \`timeout_seconds\``,
      tests: own('E706'),
    },
    {
      id: 'E707',
      says: '`timeout_seconds` is described, with its default.',
      where: `${tool}: \`timeout_seconds\``,
      tests: own('E707'),
    },
    { id: 'E708', says: '`timeout_seconds` is optional.', where: `${tool}: \`timeout_seconds\``, tests: own('E708') },
    {
      id: 'E709',
      says: 'The default of `timeout_seconds` is 30, and the schema declares it.',
      where: `${tool}: \`timeout_seconds\``,
      tests: own('E709'),
    },
    { id: 'E710', says: '`command` must not be empty.', where: `${tool}: \`command\``, tests: own('E710') },
    {
      id: 'E711',
      says: '`timeout_seconds` must be between 1 and 300.',
      where: `${tool}: \`timeout_seconds\``,
      tests: own('E711'),
    },
    {
      id: 'E712',
      says: "The command runs in the user's default shell.",
      where: `${tool}: \`metadata.shell\``,
      tests: own('E712'),
    },
    { id: 'E713', says: 'It runs in the working directory of the session.', where: tool, tests: own('E713') },
    { id: 'E714', says: 'A success has `success: true`.', where: `${tool}: output`, tests: own('E714') },
    {
      id: 'E715',
      says: 'Its `output` is `Command output:` and what the command wrote.',
      where: `${tool}: output`,
      tests: own('E715'),
    },
    { id: 'E716', says: 'Its `files_affected` is empty.', where: `${tool}: output`, tests: own('E716') },
    {
      id: 'E717',
      says: 'Its `execution_time_ms` is a whole number of milliseconds.',
      where: `${tool}: output`,
      tests: own('E717'),
    },
    { id: 'E718', says: '`metadata.exit_code` is 0.', where: `${tool}: output`, tests: own('E718') },
    {
      id: 'E719',
      says: '`metadata.stdout_lines` counts the lines of standard output.',
      where: `${tool}: output`,
      tests: own('E719'),
    },
    {
      id: 'E720',
      says: '`metadata.stderr_lines` counts the lines of standard error.',
      where: `${tool}: output`,
      tests: own('E720'),
    },
    {
      id: 'E721',
      says: "A missing program fails with `Command 'invalid_cmd' not found`.",
      where: `${tool}: \`command_not_found\``,
      tests: own('E721'),
    },
    {
      id: 'E722',
      says: 'A command that takes too long fails with `Command timed out after 30 seconds`.',
      where: `${tool}: \`timeout\``,
      tests: own('E722'),
    },
    {
      id: 'E723',
      says: 'Another exit code fails with `Command failed with exit code 1:` and standard error on the next lines.',
      where: `${tool}: \`command_failed\``,
      tests: own('E723'),
    },
    { id: 'E724', says: 'Its risk is `dangerous`.', where: `${tool}: risk`, tests: own('E724') },
  ],
}
