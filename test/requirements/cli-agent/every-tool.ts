import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/cli-agent/every-tool.test.ts')
const contract = '[contract](contract.md#fields)'

export const everyTool: Group = {
  title: 'What every tool has',
  statements: [
    checked('E1', 'There are ten built-in tools.', '[`workspace`](tools.md#workspace)'),
    checked('E2', 'Each has a name that identifies it: no two are alike.', `\`name\` in the ${contract}`),
    checked(
      'E3',
      'Each has a description of what it does, for models and people.',
      `\`description\` in the ${contract}`,
    ),
    checked('E4', 'Each describes its parameters with JSON Schema.', `\`input\` in the ${contract}`),
    checked(
      'E5',
      'Each checks its parameters before it runs: what is invalid is refused, and nobody is asked.',
      '[validation](contract.md#validate)',
      { decision: ['0070'] },
    ),
    {
      id: 'E6',
      says: 'The check knows the working directory, and runs before a person is asked.',
      where: '[validation](contract.md#validate)',
      tests: [
        'src/runtime/pipeline/pipeline-check.test.ts: a tool is handed the capabilities that it lists, and nothing is opened for one that lists none',
      ],
    },
    checked(
      'E7',
      'Each runs with parameters in the working directory and returns a result.',
      '`toolpact.call(tool, input)`, [`run`](contract.md#run)',
    ),
    checked(
      'E8',
      'A result has `success`, `output`, `files_affected` and `execution_time_ms`.',
      '[output](tools.md#workspace)',
    ),
    checked('E9', 'Each says whether it needs approval.', `\`approval\` in the ${contract}`),
    checked('E10', 'Each has a risk level: `read_only`, `safe_write` or `dangerous`.', `\`risk\` in the ${contract}`),
    checked('E11', 'All of them are registered, checked, run and fail in the same way.', '[a call](how-it-works.md)'),
  ],
}
