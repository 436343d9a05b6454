import type { Group } from '../requirement.ts'

const own = (id: string) => [`test/requirements/cli-agent/terminal-last-command.test.ts: ${id}`]
const tool = '[`terminal_last_command`](tools.md#workspaceterminal_last_command)'

export const terminalLastCommand: Group = {
  title: 'terminal_last_command',
  statements: [
    { id: 'E801', says: 'The tool is called `terminal_last_command`.', where: tool, tests: own('E801') },
    { id: 'E802', says: 'It returns the last shell command that was executed.', where: tool, tests: own('E802') },
    { id: 'E803', says: 'It has no parameters.', where: tool, tests: own('E803') },
    {
      id: 'E804',
      says: 'A call without input is valid: there are no validation rules.',
      where: tool,
      tests: own('E804'),
    },
    { id: 'E805', says: 'A success has `success: true`.', where: `${tool}: output`, tests: own('E805') },
    {
      id: 'E806',
      says: 'Its `output` is `Last command: git status`, then `Output:` and what the command wrote.',
      where: `${tool}: output`,
      tests: own('E806'),
    },
    { id: 'E807', says: 'Its `files_affected` is empty.', where: `${tool}: output`, tests: own('E807') },
    {
      id: 'E808',
      says: 'Its `execution_time_ms` is a whole number of milliseconds.',
      where: `${tool}: output`,
      tests: own('E808'),
    },
    { id: 'E809', says: '`metadata.command` is the command.', where: `${tool}: output`, tests: own('E809') },
    { id: 'E810', says: '`metadata.exit_code` is its exit code.', where: `${tool}: output`, tests: own('E810') },
    {
      id: 'E811',
      says: '`metadata.executed_at` is the time at which it ran, as ISO 8601 in UTC.',
      where: `${tool}: output`,
      tests: own('E811'),
    },
    {
      id: 'E812',
      says: 'Without a command before it, it fails with `No previous command in this session`.',
      where: `${tool}: \`no_history\``,
      tests: own('E812'),
    },
    { id: 'E813', says: 'Its risk is `read_only`.', where: `${tool}: risk`, tests: own('E813') },
  ],
}
