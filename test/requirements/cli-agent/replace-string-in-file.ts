import type { Group } from '../requirement.ts'

const own = (id: string) => [`test/requirements/cli-agent/replace-string-in-file.test.ts: ${id}`]
const tool = '[`replace_string_in_file`](tools.md#workspacereplace_string_in_file)'

export const replaceStringInFile: Group = {
  title: 'replace_string_in_file',
  statements: [
    { id: 'E301', says: 'The tool is called `replace_string_in_file`.', where: tool, tests: own('E301') },
    { id: 'E302', says: 'It replaces a string in a file with another.', where: tool, tests: own('E302') },
    { id: 'E303', says: 'The parameter `path` is a string.', where: `${tool}: \`path\``, tests: own('E303') },
    {
      id: 'E304',
      says: '`path` is described as the relative path of the file to modify.',
      where: `${tool}: \`path\``,
      tests: own('E304'),
    },
    { id: 'E305', says: '`path` is required.', where: `${tool}: \`path\``, tests: own('E305') },
    {
      id: 'E306',
      says: 'The parameter `old_string` is a string.',
      where: `${tool}: \`old_string\``,
      tests: own('E306'),
    },
    {
      id: 'E307',
      says: '`old_string` is described as the exact string to find.',
      where: `${tool}: \`old_string\``,
      tests: own('E307'),
    },
    { id: 'E308', says: '`old_string` is required.', where: `${tool}: \`old_string\``, tests: own('E308') },
    {
      id: 'E309',
      says: 'The parameter `new_string` is a string.',
      where: `${tool}: \`new_string\``,
      tests: own('E309'),
    },
    {
      id: 'E310',
      says: '`new_string` is described as the replacement.',
      where: `${tool}: \`new_string\``,
      tests: own('E310'),
    },
    { id: 'E311', says: '`new_string` is required.', where: `${tool}: \`new_string\``, tests: own('E311') },
    {
      id: 'E312',
      says: '`path` must be inside the working directory.',
      where: `${tool}: \`path_outside_working_dir\``,
      tests: own('E312'),
    },
    { id: 'E313', says: '`path` must exist.', where: `${tool}: \`file_not_found\``, tests: own('E313') },
    { id: 'E314', says: '`old_string` must not be empty.', where: `${tool}: \`old_string\``, tests: own('E314') },
    {
      id: 'E315',
      says: '`old_string` must occur in the file: otherwise the call fails and the file stays as it is.',
      where: `${tool}: \`string_not_found\``,
      tests: own('E315'),
    },
    { id: 'E316', says: 'Of several occurrences only the first is replaced.', where: tool, tests: own('E316') },
    { id: 'E317', says: 'A success has `success: true`.', where: `${tool}: output`, tests: own('E317') },
    {
      id: 'E318',
      says: 'Its `output` is `Replaced 1 occurrence in hello.py`.',
      where: `${tool}: output`,
      tests: own('E318'),
    },
    { id: 'E319', says: 'Its `files_affected` contains the file.', where: `${tool}: output`, tests: own('E319') },
    {
      id: 'E320',
      says: 'Its `execution_time_ms` is a whole number of milliseconds.',
      where: `${tool}: output`,
      tests: own('E320'),
    },
    {
      id: 'E321',
      says: '`metadata.occurrences_found` counts the occurrences in the file.',
      where: `${tool}: output`,
      tests: own('E321'),
    },
    {
      id: 'E322',
      says: '`metadata.occurrences_replaced` counts those that were replaced.',
      where: `${tool}: output`,
      tests: own('E322'),
    },
    {
      id: 'E323',
      says: '`metadata.lines_changed` lists the lines that changed.',
      where: `${tool}: output`,
      tests: own('E323'),
    },
    {
      id: 'E324',
      says: "A string that is not in the file fails with `String 'old_text' not found in file`.",
      where: `${tool}: \`string_not_found\``,
      tests: own('E324'),
    },
    {
      id: 'E325',
      says: 'Several occurrences give the warning `Found 3 occurrences, replaced only the first at line 5`.',
      where: `${tool}: \`metadata.warnings\``,
      tests: own('E325'),
    },
    { id: 'E326', says: 'Its risk is `dangerous`.', where: `${tool}: risk`, tests: own('E326') },
  ],
}
