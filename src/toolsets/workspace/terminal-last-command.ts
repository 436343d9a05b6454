import type { History } from './capability/history.ts'
import { defineWorkspaceTool } from './workspace-tool.ts'

export const terminalLastCommand = defineWorkspaceTool(
  {
    name: 'terminal_last_command',
    description:
      'Returns the last command that run_in_terminal ran in this session, successful or not, with its ' +
      'exit code, time and output (shortened). Nothing is run again; use run_in_terminal for that.',
    risk: 'read_only',
    input: { type: 'object', additionalProperties: false, properties: {} },
    metadata: {
      required: ['command', 'exit_code', 'executed_at'],
      properties: {
        command: { type: 'string', description: 'The command' },
        exit_code: {
          type: ['integer', 'null'],
          description: 'Its exit code; null if a signal ended it, as after a timeout',
        },
        executed_at: { type: 'string', format: 'date-time', description: 'When it began' },
      },
    },
    errors: [
      {
        code: 'no_history',
        status: 404,
        when: 'No command has run in this session.',
        suggestion: 'Run a command with run_in_terminal first.',
      },
    ],
    limits: { outputBytes: 8_388_608 },
    effects: { returns: ['private', 'untrusted'] },
    summary: { access: 'Own history', sideEffects: 'None' },
    examples: [{ title: 'Nothing has run yet', input: {}, error: 'no_history' }],
  },
  async (_input, { fail, caller }, { history }: { history: History }) => {
    const last = await history.last(caller)
    if (!last) return fail(...noHistory)
    const { command, exit_code, executed_at, output } = last
    return {
      output: `Last command: ${command}\nOutput: ${output || '(none)'}`,
      metadata: { command, exit_code, executed_at },
    }
  },
  {
    needs: ['history'],
    validate: async (_input, { fail, caller }, { history }) =>
      (await history.last(caller)) ? undefined : fail(...noHistory),
    checkedByRun: true,
  },
)

const noHistory = ['no_history', 'No previous command in this session'] as const
