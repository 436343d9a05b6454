import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/cli-agent/terminal-last-command.test.ts')
const tool = '[`terminal_last_command`](tools.md#workspaceterminal_last_command)'

export const terminalLastCommand: Group = {
  title: 'terminal_last_command',
  statements: [
    checked('E801', 'The tool is called `terminal_last_command`.', tool),
    checked('E802', 'It returns the last shell command that was executed.', tool),
    checked('E803', 'It has no parameters.', tool),
    checked('E804', 'A call without input is valid: there are no validation rules.', tool),
    checked('E805', 'A success has `success: true`.', `${tool}: output`),
    checked(
      'E806',
      'Its `output` is `Last command: git status`, then `Output:` and what the command wrote.',
      `${tool}: output`,
    ),
    checked('E807', 'Its `files_affected` is empty.', `${tool}: output`),
    checked('E808', 'Its `execution_time_ms` is a whole number of milliseconds.', `${tool}: output`),
    checked('E809', '`metadata.command` is the command.', `${tool}: output`),
    checked('E810', '`metadata.exit_code` is its exit code.', `${tool}: output`),
    checked('E811', '`metadata.executed_at` is the time at which it ran, as ISO 8601 in UTC.', `${tool}: output`),
    checked(
      'E812',
      'Without a command before it, it fails with `No previous command in this session`.',
      `${tool}: \`no_history\``,
    ),
    checked('E813', 'Its risk is `read_only`.', `${tool}: risk`),
  ],
}
