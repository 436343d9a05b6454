import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/living-contracts.test.ts')

/** The format of contracts, and what is made from them. */
export const format: readonly Group[] = [
  {
    title: 'Format',
    statements: [
      checked(
        'C1',
        'A contract is strict and schema-first: the source of truth for inputs.',
        '[the contract](contract.md)',
      ),
      checked('C2', 'The contract is the source of truth for outputs.', '[the contract](contract.md)'),
      checked('C3', 'The contract is the source of truth for errors.', '[the contract](contract.md)', {
        tests: [
          'src/runtime/pipeline/pipeline-violations.test.ts: a tool chooses neither status nor code beyond what it declares',
        ],
      }),
      checked('C4', 'An error has a `code`.', '`errors` in [the contract](contract.md)', {
        tests: [
          'src/authoring/markdown/from-markdown.test.ts: errors are read with either name of their status, and from prose',
        ],
      }),
      checked('C5', 'An error has an `http_status`.', '`status` of an error in [the contract](contract.md)', {
        tests: [
          'src/authoring/markdown/from-markdown.test.ts: errors are read with either name of their status, and from prose',
        ],
      }),
      checked('C6', 'Each tool has a `name`.', '`name` in [the contract](contract.md)'),
      checked('C7', 'Each tool has a `status`.', '`status` in [the contract](contract.md)'),
      checked('C8', 'Each tool has a `transport`.', '`transport` in [the contract](contract.md)', {
        decision: ['0077'],
      }),
      checked('C9', 'Each tool has an `endpoint`.', '`endpoint` in [the contract](contract.md)', {
        decision: ['0077'],
      }),
      {
        id: 'C10',
        says: 'Status, transport and endpoint are read from the list of a tool.',
        where: '[What import reads](compatibility.md#what-import-reads)',
        tests: [
          'src/authoring/markdown/from-markdown.test.ts: status, risk, approval, endpoint, transport, limits and effects are taken from a list',
        ],
      },
      {
        id: 'C11',
        says: 'What is made from a contract has its status, transport and endpoint.',
        where: 'OpenAPI, `_meta` over [MCP](mcp.md), [tools.md](tools.md), `toolpact show`, `list --json` and `diff`',
        tests: [
          'src/projections/openapi.test.ts: transport and endpoint are there where the contract says them',
          'src/projections/mcp.test.ts: a tool whose contract says how it is reached has that and its status in _meta',
          'src/authoring/markdown/tools-markdown.test.ts: a transport and an endpoint of the contract are written as they are, beside its toolset',
        ],
      },
      checked('C12', 'Each tool has a JSON Schema for its input.', '`input`, [schemas](contract.md#schemas)'),
      checked('C13', 'Each tool has a JSON Schema for its output.', '`output`, [schemas](contract.md#schemas)'),
      checked('C14', 'The schemas validate tool calls.', '[the pipeline](how-it-works.md)'),
      checked('C15', 'The schemas validate responses.', '[the pipeline](how-it-works.md)', {
        tests: [
          'src/runtime/pipeline/pipeline-violations.test.ts: a tool that %s is found out, and the caller sees nothing of it',
        ],
      }),
      {
        id: 'C16',
        says: 'The document itself can be kept in this format, and is held to the tools.',
        where: '[Living documents](compatibility.md#contracts-as-markdown), `toolpact check`',
        tests: [
          'src/authoring/markdown/compare-document.test.ts: a document that was written from the contracts agrees with them',
          'src/authoring/markdown/compare-document.test.ts: a difference in %j is found where the document has it',
        ],
      },
    ],
  },
  {
    title: 'OpenAPI and MCP',
    statements: [
      checked(
        'C17',
        'An OpenAPI 3.1 document of the HTTP tools is kept in sync with the schemas.',
        '[openapi.json](openapi.json), [REST](rest.md)',
        {
          tests: [
            'test/e2e/openapi.test.ts: is valid OpenAPI 3.1',
            'test/documents/generate.test.ts: the contracts of this repository lint clean, and its generated files are up to date',
          ],
        },
      ),
      checked('C18', 'OpenAPI documents the paths.', '[openapi.json](openapi.json), [REST](rest.md)'),
      checked('C19', 'OpenAPI documents the methods.', '[openapi.json](openapi.json), [REST](rest.md)'),
      checked('C20', 'OpenAPI documents the authentication.', '[openapi.json](openapi.json), [REST](rest.md)'),
      checked('C21', 'OpenAPI documents the statuses.', '[openapi.json](openapi.json), [REST](rest.md)', {
        tests: ['test/e2e/openapi-responses.test.ts: every way to fail that a tool has is in the document'],
      }),
      checked('C22', 'An MCP tool schema is kept in sync with the schemas.', '[MCP](mcp.md)', {
        tests: ['src/projections/mcp.test.ts: a contract becomes a tool with its schemas as they are'],
      }),
      {
        id: 'C23',
        says: 'MCP tool schemas describe calls over stdio.',
        where: '[MCP](mcp.md)',
        tests: [
          'test/requirements/toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
        ],
      },
      {
        id: 'C24',
        says: 'MCP tool schemas describe calls over HTTP.',
        where: '[MCP](mcp.md)',
        tests: [
          'test/requirements/toolsets.test.ts: over HTTP it has the same tools, and REST answers with the statuses of the document',
        ],
      },
      checked('C25', 'A tool that is accessible over HTTP has both.', '[openapi.json](openapi.json), [MCP](mcp.md)'),
    ],
  },
]
