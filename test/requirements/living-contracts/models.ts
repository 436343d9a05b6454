import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/living-contracts.test.ts')
const clean = '[`transcript.clean`](tools.md#transcript-cleantranscriptclean)'
const load = '[`mlx.load`](tools.md#mlxctlmlxload)'
const unload = '[`mlx.unload`](tools.md#mlxctlmlxunload)'

/** The toolsets `transcript-clean` and `mlxctl`. */
export const models: readonly Group[] = [
  {
    title: 'transcript.clean',
    statements: [
      checked('C73', 'Its status is planned.', clean, { decision: ['0025'] }),
      {
        id: 'C74',
        says: 'Its transport is MCP over HTTP or stdio.',
        where: clean,
        tests: [
          'test/seed-toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
          'test/seed-toolsets.test.ts: over HTTP it has the same tools, and REST answers with the statuses of the document',
        ],
      },
      checked('C75', 'Its endpoint is the MCP server `transcript-clean`.', clean),
      checked('C76', 'The input is an object.', clean),
      checked('C77', 'The input requires `text`.', clean),
      checked('C78', 'The input has no other properties.', clean),
      checked('C79', '`text` is a string.', clean),
      checked('C80', '`text` has at least one character.', clean),
      checked('C81', 'The output is an object.', clean),
      checked('C82', 'The output requires `clean_text`.', clean),
      checked('C83', 'The output has no other properties.', clean),
      checked('C84', '`clean_text` is a string.', clean),
      checked('C85', '`clean_text` has at least one character.', clean, {
        tests: ['src/toolsets/transcript/transcript-clean.test.ts: %s is no reason to return nothing'],
      }),
      checked('C86', 'A failure of the model is `model_error`, 502.', clean, {
        tests: [
          'src/toolsets/transcript/transcript-clean.test.ts: an endpoint that %s is an error, and not silently the rules',
        ],
      }),
      checked('C87', 'A model that takes too long is `timeout`, 504.', clean, {
        tests: ['src/toolsets/transcript/transcript-clean.test.ts: a model that stalls ends as a timeout'],
      }),
    ],
  },
  {
    title: 'mlx.load',
    statements: [
      checked('C88', 'Its status is planned.', load, { decision: ['0025'] }),
      {
        id: 'C89',
        says: 'Its transport is MCP over stdio.',
        where: load,
        tests: [
          'test/seed-toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
        ],
      },
      checked('C90', 'Its endpoint is the MCP server `mlxctl`.', load),
      {
        id: 'C91',
        says: '`mlxctl` is a wrapper that reaches another machine.',
        where: '[Who does the work](mlx.md#who-does-the-work)',
        tests: [
          'src/capabilities/model-servers/mlxctl-driver.test.ts: mlxctl %s loads and unloads; what it leaves running stays',
        ],
      },
      checked('C92', 'The input is an object.', load),
      checked('C93', 'The input requires `model` and `port`.', load),
      checked('C94', 'The input has no other properties.', load),
      checked('C95', '`model` is a string.', load),
      checked('C96', '`model` has at least one character.', load),
      checked('C97', '`port` is an integer.', load),
      checked('C98', '`port` is at least 8100.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: port %j is invalid'],
      }),
      checked('C99', '`port` is at most 8139.', load, { tests: ['src/toolsets/mlx/load.test.ts: port %j is invalid'] }),
      checked('C100', 'The output is an object.', load),
      checked('C101', 'The output requires `ok`, `message`, `port` and `model`.', load),
      checked('C102', 'The output has no other properties.', load),
      checked('C103', '`ok` is a boolean.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: a model is loaded: it answers on the port, and its process runs'],
        decision: ['0050'],
      }),
      checked('C104', '`message` is a string.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: a model is loaded: it answers on the port, and its process runs'],
      }),
      checked('C105', '`port` of the output is an integer.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: a model is loaded: it answers on the port, and its process runs'],
      }),
      checked('C106', '`model` of the output is a string.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: a model is loaded: it answers on the port, and its process runs'],
      }),
      checked('C107', 'A port outside the range is `invalid_port`, 400.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: port %j is invalid'],
      }),
      checked('C108', 'An unknown model is `model_not_found`, 404.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: %s: the load fails and leaves nothing'],
      }),
      checked('C109', 'A port that is in use is `port_busy`, 409.', load, {
        tests: [
          'src/toolsets/mlx/load.test.ts: a port that serves a model is busy, and says which one, for every process',
          'src/toolsets/mlx/load.test.ts: a port that something else listens on is busy, and nothing is started',
        ],
      }),
      checked('C110', 'A server that cannot be started is `launch_failed`, 500.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: %s: the load fails and leaves nothing'],
      }),
    ],
  },
  {
    title: 'mlx.unload',
    statements: [
      checked('C111', 'Its status is planned.', unload, { decision: ['0025'] }),
      {
        id: 'C112',
        says: 'Its transport is MCP over stdio.',
        where: unload,
        tests: [
          'test/seed-toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
        ],
      },
      checked('C113', 'Its endpoint is the MCP server `mlxctl`.', unload),
      checked('C114', 'The input is an object.', unload),
      checked('C115', 'The input requires `port`.', unload),
      checked('C116', 'The input has no other properties.', unload),
      checked('C117', '`port` is an integer.', unload),
      checked('C118', '`port` is at least 8100.', unload, {
        tests: ['src/toolsets/mlx/unload.test.ts: port %j is invalid'],
      }),
      checked('C119', '`port` is at most 8139.', unload, {
        tests: ['src/toolsets/mlx/unload.test.ts: port %j is invalid'],
      }),
      checked('C120', 'The output is an object.', unload),
      checked('C121', 'The output requires `ok`, `message` and `port`.', unload),
      checked('C122', 'The output has no other properties.', unload),
      checked('C123', '`ok` is a boolean.', unload, {
        tests: [
          'src/toolsets/mlx/unload.test.ts: a model is unloaded by whoever comes later: process and port are gone',
        ],
        decision: ['0050'],
      }),
      checked('C124', '`message` is a string.', unload, {
        tests: [
          'src/toolsets/mlx/unload.test.ts: a model is unloaded by whoever comes later: process and port are gone',
        ],
      }),
      checked('C125', '`port` of the output is an integer.', unload, {
        tests: [
          'src/toolsets/mlx/unload.test.ts: a model is unloaded by whoever comes later: process and port are gone',
        ],
      }),
      checked('C126', 'A port outside the range is `invalid_port`, 400.', unload, {
        tests: ['src/toolsets/mlx/unload.test.ts: port %j is invalid'],
      }),
      checked('C127', 'A port without a model is `not_listening`, 404.', unload, {
        tests: ['src/toolsets/mlx/unload.test.ts: a port without a model is not listening'],
      }),
    ],
  },
]
