import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/cli-agent/common-patterns.test.ts')
const errors = '[errors](errors.md)'
const rules = '[rules](rules.md#rules-that-allow)'
const output = '[`toolpact call`](cli.md#call)'

export const commonPatterns: readonly Group[] = [
  {
    title: 'Errors',
    statements: [
      checked('E1101', 'Every error has a code for programs.', `\`code\` in ${errors}`),
      checked('E1102', 'Every error has a message for people.', `\`message\` in ${errors}`),
      checked('E1103', 'Every error has a suggestion: what to do about it.', `\`suggestion\` in ${errors}`),
      checked('E1104', 'The code of a path outside is `path_outside_working_dir`.', errors),
      checked('E1105', 'The code of a missing file is `file_not_found`.', errors),
      checked('E1106', "The message of a missing file begins with `File 'missing.txt' not found`.", errors, {
        decision: ['0084'],
      }),
      checked('E1107', 'Its suggestion is to check the file name and try again, or to use `file_search`.', errors),
      checked(
        'E1108',
        "In a terminal an error is printed with the word: `Error: File 'missing.txt' not found`.",
        output,
        {
          decision: ['0084'],
        },
      ),
      checked('E1109', 'A warning begins with the word `Warning:`, and the result follows.', output),
    ],
  },
  {
    title: 'Rules that approve',
    statements: [
      checked('E1121', 'A rule applies only if the name of the tool matches exactly.', rules),
      checked('E1122', 'Its regular expression must match the parameters, serialized as JSON.', rules),
      checked('E1123', 'A rule that has expired does not apply.', rules),
      checked('E1124', 'A rule that is disabled does not apply.', rules),
      checked('E1125', 'A call that no rule matches asks.', rules),
    ],
  },
  {
    title: 'Output',
    statements: [
      checked(
        'E1131',
        'Output for people is the default, and begins with `✓ Created file: hello.py (125 bytes)`.',
        output,
      ),
      checked('E1132', 'It has the full path, as `Location:`.', output),
      checked('E1133', 'It has the time, as `Time: 5ms`.', output),
      checked('E1134', '`--json` prints JSON, and nothing else.', output),
      checked('E1135', '`tool` is the name of the tool: `create_file`.', output),
      checked('E1136', '`success` is true.', output),
      checked('E1137', '`output` is the text: `Created file: hello.py (125 bytes)`.', output),
      checked('E1138', '`files_affected` lists the files.', output),
      checked('E1139', '`execution_time_ms` is the time.', output),
    ],
  },
]
