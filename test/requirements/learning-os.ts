import { checkedIn, type RequirementsDocument } from './requirement.ts'

const checked = checkedIn('test/requirements/learning-os.test.ts')
const hello = '[`learning.hello`](tools.md#learninghello)'
const read = '[`learning.read_repo_file`](tools.md#learningread_repo_file)'
const write = '[`learning.write_memory_entry`](tools.md#learningwrite_memory_entry)'
const denied = {
  tests: ['src/toolsets/learning/read-repo-file.test.ts: a denied path gets the same answer whether it exists or not'],
  decision: ['0011'],
}

export const learningOs: RequirementsDocument = {
  title: 'Tool Contracts (learning OS)',
  about:
    'Three tools of a repository in which a person learns with an assistant. They are the toolset [`learning`](toolsets.md#learning-and-practitioner).',
  names: [
    ['the repository', 'the workspace: the current folder, or `--workspace`'],
    ['`Input Schema`, `Output Schema`', '`input`, `output` in [the contract](contract.md)'],
    [
      '`server_stub/server.py`',
      'the handler beside the contract ([Adding a tool](adding-a-tool.md)), or `src/toolsets/`',
    ],
    ['`safety.md`', '[Security](security.md), and [what tools may touch](capabilities.md)'],
    ['`examples.md`', '`examples` in the contract, shown in [tools.md](tools.md)'],
    ['`TOOL_SCHEMAS`', '[contracts.json](contracts.json)'],
    [
      '`validate_input`',
      '`defineValidator`, and `toolpact export validators` ([Typed calls](projections.md#typed-calls))',
    ],
  ],
  groups: [
    {
      title: 'What a contract specifies',
      statements: [
        checked('A1', 'A contract has a name, the identifier of the tool.', '`name` in [the contract](contract.md)'),
        checked('A2', 'A contract has a description of what the tool does.', '`description`'),
        checked('A3', 'A contract has an input schema, as JSON Schema.', '`input`, [schemas](contract.md#schemas)'),
        checked('A4', 'A contract has an output schema, the format of the return value.', '`output`'),
        checked('A5', 'A contract has constraints: limitations and safety rules.', '`constraints`'),
        checked('A6', 'The tools are available over MCP, with these schemas.', '[MCP](mcp.md)'),
      ],
    },
    {
      title: 'learning.hello',
      statements: [
        checked('A7', 'There is a tool `hello` that greets.', hello),
        checked('A8', 'It tests whether MCP is connected.', `${hello} over [MCP](mcp.md)`),
        checked('A9', 'The input is an object.', hello, { decision: ['0020'] }),
        checked('A10', '`name` is a string, described as the name to greet.', hello),
        checked('A11', '`name` has at most 100 characters.', hello),
        checked('A12', '`name` is required.', hello),
        checked('A13', 'The output is an object.', hello, { decision: ['0020'] }),
        checked('A14', 'It returns `greeting`, a string.', hello, { decision: ['0021'] }),
        checked('A15', 'It has no side effects.', `${hello}, \`risk: read_only\` and no effects`),
        checked('A16', 'It always succeeds.', `${hello}, no errors of its own`, { decision: ['0082'] }),
        checked('A17', 'It says that it is for testing only.', `${hello}, constraints`),
      ],
    },
    {
      title: 'learning.read_repo_file',
      statements: [
        checked('A18', 'There is a tool `read_repo_file` that reads a file of the repository.', read),
        checked('A19', 'The input is an object.', read, { decision: ['0020'] }),
        checked('A20', '`path` is a string, described as relative to the root of the repository.', read),
        checked('A21', '`path` has only letters, digits, `/`, `_`, `.` and `-`.', read),
        checked('A22', '`path` has at most 256 characters.', read),
        checked('A23', '`path` is required.', read),
        checked('A24', 'The output is an object.', read, { decision: ['0020'] }),
        checked('A25', 'It returns `content`, a string: the content of the file.', read),
        checked('A26', 'It returns `size`, an integer: the size of the file in bytes.', read),
        checked('A27', 'Files under `docs/` can be read.', read),
        checked('A28', 'Files under `paths/` can be read.', read),
        checked('A29', 'Files under `stacks/` can be read.', read),
        checked('A30', 'Files under `.claude/memory/` can be read.', read),
        checked('A31', 'Files under `.claude/memory/` are read-only for this tool.', read),
        checked('A32', '`README.md` and `CLAUDE.md` can be read.', read),
        checked('A33', 'No other path can be read: the tool is limited to safe paths.', read, denied),
        checked('A34', '`.env*` is denied.', read, denied),
        checked('A35', '`**/secrets/**` is denied.', read, denied),
        checked('A36', '`**/.git/**` is denied.', read, denied),
        checked('A37', 'Any path with `..` is denied.', read, denied),
        checked('A38', 'A file has at most 1MB.', `${read}, 1,048,576 bytes`),
        checked('A39', 'Only text files in UTF-8 are read.', read, {
          tests: ['src/toolsets/learning/read-repo-file.test.ts: %s are no text'],
          decision: ['0013'],
        }),
      ],
    },
    {
      title: 'learning.write_memory_entry',
      statements: [
        checked('A40', 'There is a tool `write_memory_entry` that appends an entry to a memory file.', write),
        checked('A41', 'The input is an object.', write, { decision: ['0020'] }),
        checked(
          'A42',
          '`file` is `progress_log.jsonl` or `decisions.jsonl`, described as the file to append to.',
          write,
        ),
        checked('A43', '`entry` is a JSON object, described as the object to append.', write),
        checked('A44', '`entry.timestamp` is a string, a date with time.', write),
        checked('A45', '`entry.type` is a string.', write),
        checked('A46', 'An entry requires `timestamp` and `type`.', write),
        checked('A47', '`file` and `entry` are required.', write),
        checked('A48', 'The output is an object.', write, { decision: ['0020'] }),
        checked('A49', 'It returns `success`, a boolean.', write, { decision: ['0021'] }),
        checked('A50', 'It returns `line_number`, an integer: the line of the appended entry.', write, {
          tests: ['src/toolsets/learning/write-memory-entry.test.ts: fifty calls at once each get a line of their own'],
        }),
        checked('A51', 'It only appends, and never modifies or overwrites existing content.', write, {
          tests: [
            'src/toolsets/learning/write-memory-entry.test.ts: a line truncated by a crash is kept and terminated, with a warning',
          ],
        }),
        checked('A52', 'No other file can be written.', write),
        checked('A53', 'An entry without `timestamp` or `type` is refused.', write),
        checked('A54', 'A person must approve each call before it runs.', `${write}, [approval](approval.md)`),
        checked('A55', 'An entry has at most 10KB.', `${write}, 10,240 bytes`, { decision: ['0012'] }),
      ],
    },
    {
      title: 'Adding a tool',
      statements: [
        checked(
          'A56',
          'A new tool is defined first by its contract in the document.',
          '[`toolpact contracts import`](compatibility.md#contracts-as-markdown)',
        ),
        {
          id: 'A57',
          says: 'The tool is then implemented in the server.',
          where: 'a handler beside the contract, [Adding a tool](adding-a-tool.md)',
          tests: [
            'test/package/adding-a-tool.test.ts: docs/adding-a-tool.md, followed to the letter, gives a tool that works',
            'test/package/adding-a-tool.test.ts: CONTRIBUTING.md, followed to the letter, adds a tool to this repository',
          ],
        },
        checked(
          'A58',
          'A tool gets safety checks.',
          '`risk`, `effects` and [capabilities](capabilities.md); [Security](security.md)',
        ),
        {
          id: 'A59',
          says: 'A tool is documented by examples.',
          where: '`examples` in [the contract](contract.md), shown in [tools.md](tools.md)',
          tests: ['src/toolsets/examples.test.ts: does what its examples show'],
        },
        {
          id: 'A60',
          says: 'A tool is tested thoroughly.',
          where: '[Scenarios that come from the contract](adding-a-tool.md#test-it)',
          tests: ['test/e2e/derived-scenarios.test.ts: keeps its contract in every scenario that comes from it'],
        },
        checked('A61', 'The template has a heading `Tool: NAME`.', '[Import](compatibility.md#what-import-reads)'),
        checked('A62', 'The template has a part `Description`.', '[Import](compatibility.md#what-import-reads)'),
        checked(
          'A63',
          'The template has an `Input Schema` with `type`, `properties` and `required`.',
          '[Import](compatibility.md#what-import-reads)',
        ),
        checked(
          'A64',
          'The template has an `Output Schema` with `type` and `properties`.',
          '[Import](compatibility.md#what-import-reads)',
        ),
        checked('A65', 'The template has a list `Constraints`.', '[Import](compatibility.md#what-import-reads)'),
        checked(
          'A66',
          'A tool that is written to the template runs as soon as it is implemented.',
          '[Adding a tool](adding-a-tool.md)',
          {
            tests: [
              'src/authoring/markdown/read/read-tool.test.ts: a contract in the form of the template, with open objects, is closed, and the report says so',
            ],
            decision: ['0077'],
          },
        ),
      ],
    },
    {
      title: 'Validation',
      statements: [
        checked(
          'A67',
          'Every input is validated against its schema before the tool runs.',
          '[The pipeline](how-it-works.md), validate input',
        ),
        checked(
          'A68',
          'An invalid input returns an error, and the tool does not run.',
          '`invalid_input`, [error codes](errors.md)',
        ),
        checked(
          'A69',
          'A function says whether an input fits the schema of a tool, true or false.',
          '`defineValidator`; `toolpact export validators`, [Typed calls](projections.md#typed-calls)',
        ),
      ],
    },
  ],
}
