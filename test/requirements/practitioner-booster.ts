import { checkedIn, type RequirementsDocument } from './requirement.ts'

const checked = checkedIn('test/requirements/practitioner-booster.test.ts')
const hello = '[`practitioner.hello`](tools.md#practitionerhello)'
const read = '[`practitioner.read_repo_file`](tools.md#practitionerread_repo_file)'
const write = '[`practitioner.write_memory_entry`](tools.md#practitionerwrite_memory_entry)'
const summary = '[tools.md](tools.md#practitioner), `toolpact list --json`'
const errors = '[Errors](learning.md#errors)'
const blocked = {
  tests: [
    'src/toolsets/practitioner/read-repo-file.test.ts: what is blocked gets the same answer whether it is there or not',
  ],
  decision: ['0011'],
}

export const practitionerBooster: RequirementsDocument = {
  title: 'Tool Contracts (AI Practitioner Booster 2026)',
  about:
    'The same three tools with other contracts, and a table of error codes. They are the toolset [`practitioner`](learning.md).',
  groups: [
    {
      title: 'practitioner.hello',
      statements: [
        checked('B1', 'There is a tool `hello` that verifies whether MCP is connected.', `${hello} over [MCP](mcp.md)`),
        checked('B2', 'Its description says that it returns a greeting and is for testing.', hello),
        checked('B3', 'The parameters are an object.', hello, { decision: ['0020'] }),
        checked('B4', '`name` is a string, described as the name to greet.', hello),
        checked('B5', '`name` has the default `World`.', hello),
        checked('B6', 'No parameter is required.', hello),
        checked('B7', 'It returns an object.', hello, { decision: ['0020'] }),
        checked('B8', 'It returns `message`, a string: the greeting.', hello),
        checked('B9', 'It returns `timestamp`, a date with time: that of the server.', hello, {
          tests: ['src/toolsets/practitioner/hello.test.ts: the timestamp is the time of the call, with its zone'],
        }),
        checked('B10', 'The example request greets `Learner`.', hello),
        checked('B11', 'The example response has the message `Hello, Learner!` and a timestamp.', hello),
        checked('B12', 'A caller makes at most 100 requests a minute.', hello, {
          tests: [
            'src/toolsets/practitioner/hello.test.ts: the limit outlives the process: it is kept in the state directory',
          ],
        }),
        checked('B13', 'It has no side effects.', hello),
      ],
    },
    {
      title: 'practitioner.read_repo_file',
      statements: [
        checked('B14', 'There is a tool `read_repo_file` that reads a file of the repository.', read),
        checked('B15', 'Its description says that it is limited to safe paths.', read),
        checked('B16', 'The parameters are an object.', read, { decision: ['0020'] }),
        checked('B17', '`path` is a string, described as relative to the root of the repository.', read),
        checked('B18', '`path` has only letters, digits, `_`, `.`, `/` and `-`.', read),
        checked('B19', '`encoding` is a string, `utf-8` or `base64`.', read),
        checked('B20', '`encoding` has the default `utf-8`.', read),
        checked('B21', '`path` is required, `encoding` is not.', read),
        checked('B22', 'It returns an object.', read, { decision: ['0020'] }),
        checked('B23', 'It returns `content`, a string: the content of the file.', read),
        checked('B24', 'It returns `size`, an integer: the size of the file in bytes.', read),
        checked('B25', 'It returns `modified`, a date with time: when the file was last modified.', read),
        checked('B26', 'The example request reads `paths/Advanced/tracker.md`.', read, { decision: ['0024'] }),
        checked('B27', 'The example response has content, size and time of that file.', read, { decision: ['0024'] }),
        checked('B28', 'Only files in the repository are allowed.', read, {
          tests: ['src/toolsets/practitioner/read-repo-file.test.ts: %s is outside, and denied like the rest'],
          decision: ['0011'],
        }),
        checked('B29', '`.env*` files are blocked.', read, blocked),
        checked('B30', '`**/secrets/**` is blocked.', read, blocked),
        checked('B31', '`**/*.key` is blocked.', read, blocked),
        checked('B32', '`**/*.pem` is blocked.', read, blocked),
        checked('B33', 'A file has at most 1MB.', `${read}, 1,048,576 bytes`),
        checked('B34', 'It is read-only: it cannot modify files.', read),
      ],
    },
    {
      title: 'practitioner.write_memory_entry',
      statements: [
        checked('B35', 'There is a tool `write_memory_entry` that appends an entry to a memory file.', write),
        checked('B36', 'Its description says that it only appends.', write),
        checked('B37', 'The parameters are an object.', write, { decision: ['0020'] }),
        checked('B38', '`file` is `progress_log.jsonl`, `decisions.jsonl` or `best_practices.md`.', write),
        checked('B39', '`file` is described as the target file.', write),
        checked('B40', '`entry` is a string, described as the content to append.', write),
        checked('B41', '`file` and `entry` are required.', write),
        checked('B42', 'It returns an object.', write, { decision: ['0020'] }),
        checked('B43', 'It returns `success`, a boolean.', write, { decision: ['0021'] }),
        checked('B44', 'It returns `bytes_written`, an integer.', write, { decision: ['0012', '0021'] }),
        checked('B45', 'It returns `timestamp`, a date with time.', write, { decision: ['0021'] }),
        checked('B46', 'The example request appends a JSON line to `progress_log.jsonl`.', write),
        checked('B47', 'The example response has success, the bytes and the time.', write, { decision: ['0024'] }),
        checked('B48', 'It only appends: it cannot overwrite or delete.', write),
        checked('B49', 'Only memory files can be written.', write),
        checked('B50', 'An entry has at most 10KB.', `${write}, 10,240 bytes`, {
          tests: ['src/toolsets/practitioner/write-memory-entry.test.ts: 10KB are written to %s, and not a byte more'],
          decision: ['0012'],
        }),
        checked('B51', 'An entry of a `.jsonl` file is valid JSON.', write, { decision: ['0012'] }),
        checked('B52', 'A person must confirm before anything is written.', `${write}, [approval](approval.md)`),
      ],
    },
    {
      title: 'Summary of constraints',
      statements: [
        checked('B53', '`hello`: the access is public.', summary),
        checked('B54', '`hello`: no side effects.', summary),
        checked('B55', '`hello`: no approval required.', summary),
        checked('B56', '`read_repo_file`: the access is filtered.', summary),
        checked('B57', '`read_repo_file`: no side effects.', summary),
        checked('B58', '`read_repo_file`: no approval required.', summary),
        checked('B59', '`write_memory_entry`: the access is memory only.', summary),
        checked('B60', '`write_memory_entry`: the side effect is to append.', summary),
        checked('B61', '`write_memory_entry`: approval required.', summary),
      ],
    },
    {
      title: 'Error codes',
      statements: [
        checked('B62', 'Invalid parameters are 400.', errors, { decision: ['0010'] }),
        checked('B63', 'A blocked path is 403.', errors, { decision: ['0010'] }),
        checked('B64', 'A file that does not exist is 404.', errors, { decision: ['0010'] }),
        checked('B65', 'An entry that is too large is 413.', errors, { decision: ['0010'] }),
        checked('B66', 'A call over the rate limit is 429.', errors, { decision: ['0010'] }),
        checked('B67', 'An internal error is 500.', errors, { decision: ['0010'] }),
      ],
    },
  ],
}
