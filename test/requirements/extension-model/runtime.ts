import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/extension-model/runtime.test.ts')

export const runtime: readonly Group[] = [
  {
    title: 'Responses',
    statements: [
      checked('D25', 'A tool answers with a JSON-RPC 2.0 response that has the id of the request.', '[MCP](mcp.md)'),
      checked('D26', 'Its `structuredContent` is the payload for programs.', '[MCP](mcp.md#what-is-served)'),
      checked('D27', 'Its `content` has a text block.', '[MCP](mcp.md#what-is-served)'),
      checked('D28', 'Its `isError` is false for a success, and is always sent.', '[MCP](mcp.md#what-is-served)'),
      checked('D29', 'Its `isError` is true for a failure.', '[errors over MCP](mcp.md#errors)', {
        tests: ['test/e2e/mcp-clients.test.ts: gets every failure with its code and what to do'],
      }),
      checked(
        'D30',
        'A server that declares an output and sends no `structuredContent` breaks its contract.',
        '[results](upstreams.md#what-becomes-of-a-result)',
        {
          tests: [
            'src/host/to-tool.test.ts: a declared output that is not sent is a violation, whatever the text says',
          ],
        },
      ),
      checked(
        'D31',
        '`isError: true` from a server is a failure, whatever else it sends.',
        '`upstream_error` in [errors](errors.md)',
      ),
      checked(
        'D32',
        'A server that leaves out `isError` breaks its contract, where the operator says so (`"responses": "strict"`); elsewhere the result notes it, since MCP makes the field optional.',
        '[results](upstreams.md#what-becomes-of-a-result)',
        {
          tests: [
            'src/host/to-tool.test.ts: an isError that is neither true nor false is an error of the protocol, and not a success',
          ],
        },
      ),
    ],
  },
  {
    title: 'Typed parsing',
    statements: [
      {
        id: 'D33',
        says: 'Every tool has a typed parser in the host: it is made from the output schema, and `toolpact export validators` writes it as code.',
        where: '[projections](projections.md#typed-calls)',
        tests: ['src/projections/types.test.ts: validators are typed, and hold values to the contracts'],
      },
      checked(
        'D34',
        'The host parses `structuredContent` into a typed object.',
        '[results](upstreams.md#what-becomes-of-a-result)',
      ),
      checked('D35', 'The host rejects output that does not conform.', '`invalid_output` in [errors](errors.md)'),
      {
        id: 'D36',
        says: 'Rejected output is shown raw, to the person.',
        where:
          '[ask](chat.md#output-that-reaches-the-model), `call --raw` and `ledger show --raw` in [the command](cli.md)',
        tests: [
          'test/e2e/cli-ask.test.ts: what an MCP server returns without a contract, or against it, goes to people and to no model',
          'test/e2e/cli-servers.test.ts: call offers a person what a tool said against its contract, and prints it with --raw',
        ],
      },
      {
        id: 'D37',
        says: 'A model does not get invalid output.',
        where: '[ask](chat.md#output-that-reaches-the-model)',
        tests: [
          'test/e2e/cli-ask.test.ts: what an MCP server returns without a contract, or against it, goes to people and to no model',
        ],
      },
    ],
  },
  {
    title: 'Allowlist',
    statements: [
      {
        id: 'D38',
        says: 'The host builds its list of allowed tools from `tools/list`, and follows changes.',
        where: '[changes](upstreams.md#how-a-server-runs)',
        tests: ['src/host/upstream-changes.test.ts: tools that a server adds and removes are followed'],
      },
      checked('D39', 'Only tools that `tools/list` returned can be called.', '`tool_not_found` in [errors](errors.md)'),
      {
        id: 'D40',
        says: "There are no hidden tools: what the lists leave out is left out by the operator, the caller's rights or the contract.",
        where: '[admission](admission.md#completed)',
        tests: [
          'src/host/to-tool.test.ts: a tool for apps alone is in no list of tools for models, and programs can call it by its id',
        ],
        decision: ['0085'],
      },
      checked(
        'D41',
        'A tool cannot be created at run time: a plan that names an unknown tool is refused.',
        '`plan_unknown_tool` in [the plan](chat.md#plans)',
      ),
      checked(
        'D42',
        'The planner cannot call internal tools: only what it was offered.',
        '[the catalogue](chat.md#ask-one-question)',
      ),
    ],
  },
  {
    title: 'One step',
    statements: [
      checked(
        'D43',
        'A query may call at most one tool: `ask` refuses a plan with two calls.',
        '`plan_two_calls` in [the plan](chat.md#plans)',
      ),
      {
        id: 'D44',
        says: 'A second call of the same query fails.',
        where: '[queries](serving.md#one-call-per-query), `policy.singleStep`, `--single-step`',
        tests: [
          'src/app/app.test.ts: a query makes one call, also where it is demanded',
          'test/e2e/serve-single-step.test.ts: one call for each session over stdio, and one for each query that the client names',
          'test/e2e/serve-single-step.test.ts: over HTTP one call for each MCP session, and without a session one for each caller or header',
          'test/e2e/cli-chat.test.ts: with --single-step, or so the config says, a question makes one call',
        ],
        decision: ['0074'],
      },
      {
        id: 'D45',
        says: 'Work in several steps is explicit: `toolpact chat`, or a program that makes the calls.',
        where: '[chat](chat.md)',
        tests: [
          'src/agent/chat/chat.test.ts: where the operator allows one call for a question, a second one is refused',
        ],
      },
    ],
  },
  {
    title: 'Summaries',
    statements: [
      checked('D46', 'Summaries are optional: without `--summarize` there is none.', '[summaries](chat.md#summaries)'),
      checked('D47', 'A summary includes quotes as evidence.', '[summaries](chat.md#which-claims-are-shown)'),
      checked('D48', 'Every claim maps to text of the source.', '[summaries](chat.md#which-claims-are-shown)'),
      checked('D49', 'Claims without ground are rejected.', '[summaries](chat.md#which-claims-are-shown)'),
      checked(
        'D50',
        'A model answers with `type: "summary"` and `bullets` of `claim` and `evidence`; anything else is not used.',
        '[summaries](chat.md#summaries)',
      ),
      {
        id: 'D51',
        says: '`ask --summarize --json` prints a summary in that form.',
        where: '[ask](chat.md#json-for-scripts)',
        tests: [
          'src/cli/ask/print-asked.test.ts: programs get the type, and offsets in the text and in the value',
          'test/e2e/cli-ask.test.ts: with --summarize claims are printed with their quotes, and claims that are not in the output are dropped',
        ],
      },
    ],
  },
]
