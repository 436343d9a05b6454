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
      checked('C77', 'Its status is planned.', clean, { decision: ['0025'] }),
      checked('C78', 'Its transport is MCP over HTTP or stdio.', clean, {
        tests: [
          'test/requirements/toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
          'test/requirements/toolsets.test.ts: over HTTP it has the same tools, and REST answers with the statuses of the document',
        ],
        decision: ['0077'],
      }),
      checked('C79', 'Its endpoint is the MCP server `transcript-clean`.', clean, { decision: ['0077'] }),
      checked('C80', 'The input is an object.', clean),
      checked('C81', 'The input requires `text`.', clean),
      checked('C82', 'The input has no other properties.', clean),
      checked('C83', '`text` is a string.', clean),
      checked('C84', '`text` has at least one character.', clean),
      checked('C85', 'The output is an object.', clean),
      checked('C86', 'The output requires `clean_text`.', clean),
      checked('C87', 'The output has no other properties.', clean),
      checked('C88', '`clean_text` is a string.', clean),
      checked('C89', '`clean_text` has at least one character.', clean, {
        tests: ['src/toolsets/transcript/transcript-clean.test.ts: %s still returns a text'],
      }),
      checked('C90', 'A failure of the model is `model_error`, 502.', clean, {
        tests: [
          'src/toolsets/transcript/transcript-clean.test.ts: an endpoint that %s is an error, not a silent fallback to rules',
        ],
      }),
      checked('C91', 'A model that takes too long is `timeout`, 504.', clean, {
        tests: ['src/toolsets/transcript/transcript-clean.test.ts: a model that stalls ends as a timeout'],
      }),
    ],
  },
  {
    title: 'mlx.load',
    statements: [
      checked('C92', 'Its status is planned.', load, { decision: ['0025'] }),
      checked('C93', 'Its transport is MCP over stdio.', load, {
        tests: [
          'test/requirements/toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
        ],
        decision: ['0077'],
      }),
      checked('C94', 'Its endpoint is the MCP server `mlxctl`.', load, { decision: ['0077'] }),
      {
        id: 'C95',
        says: '`mlxctl` is a wrapper that reaches another machine.',
        where: '[Who does the work](toolsets.md#drivers)',
        tests: [
          'src/toolsets/mlx/capability/model-servers/mlxctl-driver.test.ts: mlxctl %s loads and unloads; servers that it started keep running',
        ],
      },
      checked('C96', 'The input is an object.', load),
      checked('C97', 'The input requires `model` and `port`.', load),
      checked('C98', 'The input has no other properties.', load),
      checked('C99', '`model` is a string.', load),
      checked('C100', '`model` has at least one character.', load),
      checked('C101', '`port` is an integer.', load),
      checked('C102', '`port` is at least 8100.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: port %j is invalid'],
      }),
      checked('C103', '`port` is at most 8139.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: port %j is invalid'],
      }),
      checked('C104', 'The output is an object.', load),
      checked('C105', 'The output requires `ok`, `message`, `port` and `model`.', load),
      checked('C106', 'The output has no other properties.', load),
      checked('C107', '`ok` is a boolean.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: a model is loaded: it answers on the port, and its process runs'],
        decision: ['0050'],
      }),
      checked('C108', '`message` is a string.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: a model is loaded: it answers on the port, and its process runs'],
      }),
      checked('C109', '`port` of the output is an integer.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: a model is loaded: it answers on the port, and its process runs'],
      }),
      checked('C110', '`model` of the output is a string.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: a model is loaded: it answers on the port, and its process runs'],
      }),
      checked('C111', 'A port outside the range is `invalid_port`, 400.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: port %j is invalid'],
      }),
      checked('C112', 'An unknown model is `model_not_found`, 404.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: %s: the load fails and leaves nothing'],
      }),
      checked('C113', 'A port that is in use is `port_busy`, 409.', load, {
        tests: [
          'src/toolsets/mlx/load.test.ts: a port that serves a model is busy for every process, and the error names the model',
          'src/toolsets/mlx/load.test.ts: a port that something else listens on is busy, and nothing is started',
        ],
      }),
      checked('C114', 'A server that cannot be started is `launch_failed`, 500.', load, {
        tests: ['src/toolsets/mlx/load.test.ts: %s: the load fails and leaves nothing'],
      }),
    ],
  },
  {
    title: 'mlx.unload',
    statements: [
      checked('C115', 'Its status is planned.', unload, { decision: ['0025'] }),
      checked('C116', 'Its transport is MCP over stdio.', unload, {
        tests: [
          'test/requirements/toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
        ],
        decision: ['0077'],
      }),
      checked('C117', 'Its endpoint is the MCP server `mlxctl`.', unload, { decision: ['0077'] }),
      checked('C118', 'The input is an object.', unload),
      checked('C119', 'The input requires `port`.', unload),
      checked('C120', 'The input has no other properties.', unload),
      checked('C121', '`port` is an integer.', unload),
      checked('C122', '`port` is at least 8100.', unload, {
        tests: ['src/toolsets/mlx/unload.test.ts: port %j is invalid'],
      }),
      checked('C123', '`port` is at most 8139.', unload, {
        tests: ['src/toolsets/mlx/unload.test.ts: port %j is invalid'],
      }),
      checked('C124', 'The output is an object.', unload),
      checked('C125', 'The output requires `ok`, `message` and `port`.', unload),
      checked('C126', 'The output has no other properties.', unload),
      checked('C127', '`ok` is a boolean.', unload, {
        tests: [
          'src/toolsets/mlx/unload.test.ts: a model can be unloaded by a later process: its process and port are gone',
        ],
        decision: ['0050'],
      }),
      checked('C128', '`message` is a string.', unload, {
        tests: [
          'src/toolsets/mlx/unload.test.ts: a model can be unloaded by a later process: its process and port are gone',
        ],
      }),
      checked('C129', '`port` of the output is an integer.', unload, {
        tests: [
          'src/toolsets/mlx/unload.test.ts: a model can be unloaded by a later process: its process and port are gone',
        ],
      }),
      checked('C130', 'A port outside the range is `invalid_port`, 400.', unload, {
        tests: ['src/toolsets/mlx/unload.test.ts: port %j is invalid'],
      }),
      checked('C131', 'A port without a model is `not_listening`, 404.', unload, {
        tests: ['src/toolsets/mlx/unload.test.ts: a port without a model is not listening'],
      }),
    ],
  },
]
