import { checkedIn, type RequirementsDocument } from './requirement.ts'

const checked = checkedIn('test/requirements/practitioner-booster.test.ts')
const hello = '[`practitioner.hello`](tools.md#practitionerhello)'
const read = '[`practitioner.read_repo_file`](tools.md#practitionerread_repo_file)'
const write = '[`practitioner.write_memory_entry`](tools.md#practitionerwrite_memory_entry)'
const form = '[What import reads](compatibility.md#what-import-reads)'
const call = '`POST /v1/call`, [REST](rest.md)'
const summary = '[tools.md](tools.md#practitioner), `toolpact list --json`'
const errors = '[Errors](toolsets.md#errors)'
const blocked = {
  tests: [
    'src/toolsets/practitioner/read-repo-file.test.ts: a blocked path gets the same answer whether it exists or not',
  ],
  decision: ['0011'],
}

export const practitionerBooster: RequirementsDocument = {
  title: 'Tool Contracts (AI Practitioner Booster 2026)',
  about:
    'The same three tools with other contracts, and a table of error codes. They are the toolset [`practitioner`](toolsets.md#learning-and-practitioner).',
  names: [
    ['`parameters`, `returns`', '`input`, `output` in [the contract](contract.md)'],
    ['blocked paths', '`access_denied`: what is denied, [in every spelling](decisions/0011-what-is-denied.md)'],
    ['rate limit', '`limits.calls` in the contract'],
    ['access, side effects', '`summary.access`, `summary.sideEffects` in the contract'],
    ['approval required', '`approval`: `ask` or `never`'],
    [
      'error codes (numbers)',
      '`status`, beside a `code` in words ([decision 0010](decisions/0010-errors-of-the-repository.md))',
    ],
  ],
  groups: [
    {
      title: 'Form of a contract and of a call',
      statements: [
        checked('B1', 'A contract is one JSON object with the `name` of the tool.', form),
        checked('B2', 'The object has a `description`.', form),
        checked('B3', 'The object has `parameters`, a JSON Schema.', form),
        checked('B4', 'The object has `returns`, a JSON Schema.', form),
        checked('B5', 'The tools are available over MCP, with these schemas.', '[MCP](mcp.md)'),
        checked('B6', 'A request is an object with `tool`, the name of the tool.', call),
        checked('B7', 'A request has `parameters`, an object.', call),
        checked('B8', 'A response is the object that the tool returns.', call),
      ],
    },
    {
      title: 'practitioner.hello',
      statements: [
        checked('B9', 'There is a tool `hello` that verifies whether MCP is connected.', `${hello} over [MCP](mcp.md)`),
        checked('B10', 'Its description says that it returns a greeting and is for testing.', hello),
        checked('B11', 'The parameters are an object.', hello, { decision: ['0020'] }),
        checked('B12', '`name` is a string, described as the name to greet.', hello),
        checked('B13', '`name` has the default `World`.', hello),
        checked('B14', 'No parameter is required.', hello),
        checked('B15', 'It returns an object.', hello, { decision: ['0020'] }),
        checked('B16', 'It returns `message`, a string: the greeting.', hello),
        checked('B17', 'It returns `timestamp`, a date with time: that of the server.', hello, {
          tests: ['src/toolsets/practitioner/hello.test.ts: the timestamp is the time of the call, with its zone'],
        }),
        checked('B18', 'The example request greets `Learner`.', hello),
        checked('B19', 'The example response has the message `Hello, Learner!` and a timestamp.', hello),
        checked('B20', 'A caller makes at most 100 requests a minute.', hello, {
          tests: [
            'src/toolsets/practitioner/hello.test.ts: the limit outlives the process: it is kept in the state directory',
          ],
          decision: ['0082'],
        }),
        checked('B21', 'It has no side effects.', hello),
        checked(
          'B22',
          'It requires no authentication.',
          `${hello}; over HTTP with \`http.public\`, [serving](serving.md#public-tools)`,
          {
            tests: [
              'test/e2e/serve-public.test.ts: a tool whose contract declares public access needs no token, and its caller is public',
              'test/e2e/serve-public.test.ts: without http.public a token is needed, and nothing that is served says otherwise',
            ],
            decision: ['0075'],
          },
        ),
      ],
    },
    {
      title: 'practitioner.read_repo_file',
      statements: [
        checked('B23', 'There is a tool `read_repo_file` that reads a file of the repository.', read),
        checked('B24', 'Its description says that it is limited to safe paths.', read),
        checked('B25', 'The parameters are an object.', read, { decision: ['0020'] }),
        checked('B26', '`path` is a string, described as relative to the root of the repository.', read),
        checked('B27', '`path` has only letters, digits, `_`, `.`, `/` and `-`.', read),
        checked('B28', '`encoding` is a string, `utf-8` or `base64`.', read),
        checked('B29', '`encoding` has the default `utf-8`.', read),
        checked('B30', '`path` is required, `encoding` is not.', read),
        checked('B31', 'It returns an object.', read, { decision: ['0020'] }),
        checked('B32', 'It returns `content`, a string: the content of the file.', read),
        checked('B33', 'It returns `size`, an integer: the size of the file in bytes.', read),
        checked('B34', 'It returns `modified`, a date with time: when the file was last modified.', read),
        checked('B35', 'The example request reads `paths/Advanced/tracker.md`.', read, { decision: ['0024'] }),
        checked('B36', 'The example response has content, size and time of that file.', read, { decision: ['0024'] }),
        checked('B37', 'Only files in the repository are allowed.', read, {
          tests: ['src/toolsets/practitioner/read-repo-file.test.ts: %s is outside, and denied like the rest'],
          decision: ['0011', '0082'],
        }),
        checked('B38', '`.env*` files are blocked.', read, blocked),
        checked('B39', '`**/secrets/**` is blocked.', read, blocked),
        checked('B40', '`**/*.key` is blocked.', read, blocked),
        checked('B41', '`**/*.pem` is blocked.', read, blocked),
        checked('B42', 'A file has at most 1MB.', `${read}, 1,048,576 bytes`),
        checked('B43', 'It is read-only: it cannot modify files.', read),
      ],
    },
    {
      title: 'practitioner.write_memory_entry',
      statements: [
        checked('B44', 'There is a tool `write_memory_entry` that appends an entry to a memory file.', write),
        checked('B45', 'Its description says that it only appends.', write),
        checked('B46', 'The parameters are an object.', write, { decision: ['0020'] }),
        checked('B47', '`file` is `progress_log.jsonl`, `decisions.jsonl` or `best_practices.md`.', write),
        checked('B48', '`file` is described as the target file.', write),
        checked('B49', '`entry` is a string, described as the content to append.', write),
        checked('B50', '`file` and `entry` are required.', write),
        checked('B51', 'It returns an object.', write, { decision: ['0020'] }),
        checked('B52', 'It returns `success`, a boolean.', write, { decision: ['0021'] }),
        checked('B53', 'It returns `bytes_written`, an integer.', write, { decision: ['0012', '0021'] }),
        checked('B54', 'It returns `timestamp`, a date with time.', write, { decision: ['0021'] }),
        checked('B55', 'The example request appends a JSON line to `progress_log.jsonl`.', write),
        checked('B56', 'The example response has success, the bytes and the time.', write, { decision: ['0024'] }),
        checked('B57', 'It only appends: it cannot overwrite or delete.', write),
        checked('B58', 'Only memory files can be written.', write),
        checked('B59', 'An entry has at most 10KB.', `${write}, 10,240 bytes`, {
          tests: ['src/toolsets/practitioner/write-memory-entry.test.ts: 10KB are written to %s, and not a byte more'],
          decision: ['0012'],
        }),
        checked('B60', 'An entry of a `.jsonl` file is valid JSON.', write, { decision: ['0012', '0082'] }),
        checked('B61', 'An invalid entry is refused before a person is asked.', `${write}, \`validate\``, {
          tests: [
            'src/toolsets/practitioner/write-memory-entry.test.ts: an entry that is not a JSON value is refused without asking a person',
          ],
        }),
        checked('B62', 'A person must confirm before anything is written.', `${write}, [approval](approval.md)`),
      ],
    },
    {
      title: 'Summary of constraints',
      statements: [
        checked('B63', '`hello`: the access is public.', summary, { decision: ['0075'] }),
        checked('B64', '`hello`: no side effects.', summary),
        checked('B65', '`hello`: no approval required.', summary),
        checked('B66', '`read_repo_file`: the access is filtered.', summary),
        checked('B67', '`read_repo_file`: no side effects.', summary),
        checked('B68', '`read_repo_file`: no approval required.', summary),
        checked('B69', '`write_memory_entry`: the access is memory only.', summary),
        checked('B70', '`write_memory_entry`: the side effect is to append.', summary),
        checked('B71', '`write_memory_entry`: approval required.', summary),
      ],
    },
    {
      title: 'Error codes',
      statements: [
        checked('B72', 'Invalid parameters are 400.', errors, { decision: ['0010'] }),
        checked('B73', 'A blocked path is 403.', errors, { decision: ['0010'] }),
        checked('B74', 'A file that does not exist is 404.', errors, { decision: ['0010'] }),
        checked('B75', 'An entry that is too large is 413.', errors, { decision: ['0010'] }),
        checked('B76', 'A call over the rate limit is 429.', errors, { decision: ['0010'] }),
        checked('B77', 'An internal error is 500.', errors, { decision: ['0010'] }),
      ],
    },
    {
      title: 'Requests over HTTP',
      statements: [
        {
          id: 'B78',
          says: '`hello` needs no authentication.',
          where: '[tools without a token](serving.md#public-tools)',
          tests: [
            'test/e2e/serve-public.test.ts: a tool whose contract declares public access needs no token, and its caller is public',
          ],
          decision: ['0075'],
        },
        {
          id: 'B79',
          says: 'A request names the tool and its parameters: `tool`, `parameters`.',
          where: '`POST /v1/call` of [REST](rest.md)',
          tests: [
            'src/surfaces/rest/named-call.test.ts: a call with the tool and its parameters in the body is answered like one at the path of the tool',
          ],
        },
      ],
    },
  ],
}
