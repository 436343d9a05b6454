import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/cli-agent/replace-string-in-file.test.ts')
const tool = '[`replace_string_in_file`](tools.md#workspacereplace_string_in_file)'

export const replaceStringInFile: Group = {
  title: 'replace_string_in_file',
  statements: [
    checked('E301', 'The tool is called `replace_string_in_file`.', tool),
    checked('E302', 'It replaces a string in a file with another.', tool),
    checked('E303', 'The parameter `path` is a string.', `${tool}: \`path\``),
    checked('E304', '`path` is described as the relative path of the file to modify.', `${tool}: \`path\``),
    checked('E305', '`path` is required.', `${tool}: \`path\``),
    checked('E306', 'The parameter `old_string` is a string.', `${tool}: \`old_string\``),
    checked('E307', '`old_string` is described as the exact string to find.', `${tool}: \`old_string\``),
    checked('E308', '`old_string` is required.', `${tool}: \`old_string\``),
    checked('E309', 'The parameter `new_string` is a string.', `${tool}: \`new_string\``),
    checked('E310', '`new_string` is described as the replacement.', `${tool}: \`new_string\``),
    checked('E311', '`new_string` is required.', `${tool}: \`new_string\``),
    checked('E312', '`path` must be inside the working directory.', `${tool}: \`path_outside_working_dir\``),
    checked('E313', '`path` must exist.', `${tool}: \`file_not_found\``),
    checked('E314', '`old_string` must not be empty.', `${tool}: \`old_string\``),
    checked(
      'E315',
      '`old_string` must occur in the file: otherwise the call fails and the file stays as it is.',
      `${tool}: \`string_not_found\``,
    ),
    checked('E316', 'Of several occurrences only the first is replaced.', tool),
    checked('E317', 'A success has `success: true`.', `${tool}: output`),
    checked('E318', 'Its `output` is `Replaced 1 occurrence in hello.py`.', `${tool}: output`),
    checked('E319', 'Its `files_affected` contains the file.', `${tool}: output`),
    checked('E320', 'Its `execution_time_ms` is a whole number of milliseconds.', `${tool}: output`),
    checked('E321', '`metadata.occurrences_found` counts the occurrences in the file.', `${tool}: output`),
    checked('E322', '`metadata.occurrences_replaced` counts those that were replaced.', `${tool}: output`),
    checked('E323', '`metadata.lines_changed` lists the lines that changed.', `${tool}: output`),
    checked(
      'E324',
      "A string that is not in the file fails with `String 'old_text' not found in file`.",
      `${tool}: \`string_not_found\``,
    ),
    checked(
      'E325',
      'Several occurrences give the warning `Found 3 occurrences, replaced only the first at line 5`.',
      `${tool}: \`metadata.warnings\``,
    ),
    checked('E326', 'Its risk is `dangerous`.', `${tool}: risk`),
  ],
}
