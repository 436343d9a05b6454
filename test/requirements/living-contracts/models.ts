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
      checked('C75', 'Its status is planned.', clean, { decision: ['0025'] }),
      {
        id: 'C76',
        says: 'Its transport is MCP over HTTP or stdio.',
        where: clean,
        tests: [
          'test/seed-toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
          'test/seed-toolsets.test.ts: over HTTP it has the same tools, and REST answers with the statuses of the document',
        ],
      },
      checked('C77', 'Its endpoint is the MCP server `transcript-clean`.', clean),
      checked('C78', 'The input is an object.', clean),
      checked('C79', 'The input requires `text`.', clean),
      checked('C80', 'The input has no other properties.', clean),
      checked('C81', '`text` is a string.', clean),
      checked('C82', '`text` has at least one character.', clean),
      checked('C83', 'The output is an object.', clean),
      checked('C84', 'The output requires `clean_text`.', clean),
      checked('C85', 'The output has no other properties.', clean),
      checked('C86', '`clean_text` is a string.', clean),
      checked('C87', '`clean_text` has at least one character.', clean, {
        tests: ['src/toolsets/transcript/transcript-clean.test.ts: %s is no reason to return nothing'],
      }),
      checked('C88', 'A failure of the model is `model_error`, 502.', clean, {
        tests: [
          'src/toolsets/transcript/transcript-clean.test.ts: an endpoint that %s is an error, and not silently the rules',
        ],
      }),
      checked('C89', 'A model that takes too long is `timeout`, 504.', clean, {
        tests: ['src/toolsets/transcript/transcript-clean.test.ts: a model that stalls ends as a timeout'],
      }),
    ],
  },
  {
    title: 'mlx.load',
    statements: [
      checked('C90', 'Its status is planned.', load, { decision: ['0025'] }),
      {
        id: 'C91',
        says: 'Its transport is MCP over stdio.',
        where: load,
        tests: [
          'test/seed-toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
        ],
      },
      checked('C92', 'Its endpoint is the MCP server `mlxctl`.', load),
      {
        id: 'C93',
        says: '`mlxctl` is a wrapper that reaches another machine.',
        where: '[Who does the work](mlx.md#who-does-the-work)',
        tests: [
          'src/capabilities/model-servers/mlxctl-driver.test.ts: mlxctl %s loads and unloads; what it leaves running stays',
        ],
      },
      checked('C94', 'The input is an object.', load),
      checked('C95', 'The input requires `model` and `port`.', load),
      checked('C96', 'The input has no other properties.', load),
      checked('C97', '`model` is a string.', load),
      checked('C98', '`model` has at least one character.', load),
      checked('C99', '`port` is an integer.', load),
      checked('C100', '`port` is at least 8100.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: port %j is invalid'],
      }),
      checked('C101', '`port` is at most 8139.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: port %j is invalid'],
      }),
      checked('C102', 'The output is an object.', load),
      checked('C103', 'The output requires `ok`, `message`, `port` and `model`.', load),
      checked('C104', 'The output has no other properties.', load),
      checked('C105', '`ok` is a boolean.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: a model is loaded: it answers on the port, and its process runs'],
        decision: ['0050'],
      }),
      checked('C106', '`message` is a string.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: a model is loaded: it answers on the port, and its process runs'],
      }),
      checked('C107', '`port` of the output is an integer.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: a model is loaded: it answers on the port, and its process runs'],
      }),
      checked('C108', '`model` of the output is a string.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: a model is loaded: it answers on the port, and its process runs'],
      }),
      checked('C109', 'A port outside the range is `invalid_port`, 400.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: port %j is invalid'],
      }),
      checked('C110', 'An unknown model is `model_not_found`, 404.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: %s: the load fails and leaves nothing'],
      }),
      checked('C111', 'A port that is in use is `port_busy`, 409.', load, {
        tests: [
          'src/toolsets/mlx/load.test.ts: a port that serves a model is busy, and says which one, for every process',
          'src/toolsets/mlx/load.test.ts: a port that something else listens on is busy, and nothing is started',
        ],
      }),
      checked('C112', 'A server that cannot be started is `launch_failed`, 500.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: %s: the load fails and leaves nothing'],
      }),
    ],
  },
  {
    title: 'mlx.unload',
    statements: [
      checked('C113', 'Its status is planned.', unload, { decision: ['0025'] }),
      {
        id: 'C114',
        says: 'Its transport is MCP over stdio.',
        where: unload,
        tests: [
          'test/seed-toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
        ],
      },
      checked('C115', 'Its endpoint is the MCP server `mlxctl`.', unload),
      checked('C116', 'The input is an object.', unload),
      checked('C117', 'The input requires `port`.', unload),
      checked('C118', 'The input has no other properties.', unload),
      checked('C119', '`port` is an integer.', unload),
      checked('C120', '`port` is at least 8100.', unload, {
        tests: ['src/toolsets/mlx/unload.test.ts: port %j is invalid'],
      }),
      checked('C121', '`port` is at most 8139.', unload, {
        tests: ['src/toolsets/mlx/unload.test.ts: port %j is invalid'],
      }),
      checked('C122', 'The output is an object.', unload),
      checked('C123', 'The output requires `ok`, `message` and `port`.', unload),
      checked('C124', 'The output has no other properties.', unload),
      checked('C125', '`ok` is a boolean.', unload, {
        tests: [
          'src/toolsets/mlx/unload.test.ts: a model is unloaded by whoever comes later: process and port are gone',
        ],
        decision: ['0050'],
      }),
      checked('C126', '`message` is a string.', unload, {
        tests: [
          'src/toolsets/mlx/unload.test.ts: a model is unloaded by whoever comes later: process and port are gone',
        ],
      }),
      checked('C127', '`port` of the output is an integer.', unload, {
        tests: [
          'src/toolsets/mlx/unload.test.ts: a model is unloaded by whoever comes later: process and port are gone',
        ],
      }),
      checked('C128', 'A port outside the range is `invalid_port`, 400.', unload, {
        tests: ['src/toolsets/mlx/unload.test.ts: port %j is invalid'],
      }),
      checked('C129', 'A port without a model is `not_listening`, 404.', unload, {
        tests: ['src/toolsets/mlx/unload.test.ts: a port without a model is not listening'],
      }),
    ],
  },
]
