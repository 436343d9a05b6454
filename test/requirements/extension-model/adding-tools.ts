import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/extension-model/adding-tools.test.ts')

export const addingTools: readonly Group[] = [
  {
    title: 'Adding a tool',
    statements: [
      {
        id: 'D52',
        says: 'A contributor implements the tool on a server; `toolpact mcp add` connects the server.',
        where: '[upstreams](upstreams.md#decide-how-its-tools-may-be-used)',
        tests: ['test/e2e/cli-mcp.test.ts: a server is added to a new config, which is trusted with it'],
      },
      checked(
        'D53',
        'The contributor defines `inputSchema`; the host reports what is wrong with it.',
        '[admission](admission.md#withheld)',
      ),
      checked(
        'D54',
        'The contributor defines `outputSchema`; the host reports what is wrong with it.',
        '[admission](admission.md#withheld)',
      ),
      checked(
        'D55',
        'There is a typed parser for the new tool, without code in the host.',
        '[projections](projections.md#typed-calls)',
      ),
      checked(
        'D56',
        'Tests with valid input: `toolpact test` derives them.',
        '`examples`, `minimal`, `maximal`, `random` in [scenarios](adding-a-tool.md#the-scenarios)',
      ),
      checked(
        'D57',
        'Tests with invalid input: `toolpact test` derives them.',
        '`missing-required`, `wrong-type`, `unknown-property`, `bounds` in [scenarios](adding-a-tool.md#the-scenarios)',
      ),
      checked(
        'D58',
        'Tests with malformed output: `toolpact test` derives them.',
        '`corrupted-output` in [scenarios](adding-a-tool.md#the-scenarios)',
      ),
      checked('D59', 'The new tool appears in `tools/list`.', '`toolpact mcp inspect`, [MCP](mcp.md#what-is-served)'),
      checked('D60', 'The new tool is on the list of allowed tools.', '`toolpact mcp inspect`'),
      checked('D61', 'The answer of the new tool is parsed.', '`toolpact call`'),
    ],
  },
  {
    title: 'What is not allowed',
    statements: [
      checked(
        'D62',
        'Side effects without safeguards: a tool that changes something asks first, and so does every tool of a server until a person decides otherwise.',
        '[approval](approval.md)',
        {
          tests: [
            'src/contract/define-tool.test.ts: a tool that changes something asks, unless its author says otherwise',
          ],
          decision: ['0072'],
        },
      ),
      checked('D63', 'Undocumented parameters.', '[admission](admission.md#completed)'),
      checked('D64', 'Free-form output without a schema.', '`no_output_schema` in [admission](admission.md#withheld)', {
        decision: ['0073'],
      }),
      {
        id: 'D65',
        says: 'A planner that controls the logic of tools: a plan is the name of a tool and its input, and nothing else.',
        where: '[the plan](chat.md#plans)',
        tests: ['src/agent/ask/plan.test.ts: a plan with one character added or removed is refused or read literally'],
      },
      checked(
        'D66',
        'Hidden or conditional tools: the host lists what the server lists, before and after every call, and gives a reason for each tool that it withholds.',
        '[admission](admission.md#withheld)',
        { decision: ['0085'] },
      ),
    ],
  },
  {
    title: 'Tools as boundaries',
    statements: [
      {
        id: 'D67',
        says: 'The host does not trust tools: definitions, output and changes are checked.',
        where: '[security](security.md)',
        tests: [
          'test/e2e/incidents.test.ts: tool poisoning, CVE-2025-54135: hidden characters anywhere withhold the tool, with the reason',
        ],
      },
      checked('D68', 'Schemas are explicit and enforced on both sides.', '[schemas](contract.md#schemas)'),
      checked('D69', 'A tool that does not conform does not run.', '[admission](admission.md#withheld)'),
      checked('D70', 'A program cannot serve a tool that does not conform either.', '[checks](contract.md#lint-rules)'),
      {
        id: 'D71',
        says: 'Many servers can be used at once; a broken one does not harm the others.',
        where: '[states](upstreams.md#how-a-server-runs)',
        tests: [
          'src/host/open-upstreams.test.ts: of twenty servers three are broken or slow, and the rest lists and answers without them',
        ],
      },
    ],
  },
]
