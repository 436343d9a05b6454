import type { Group } from '../requirement.ts'

const own = (id: string) => [`test/requirements/cli-agent/list-dir.test.ts: ${id}`]
const tool = '[`list_dir`](tools.md#workspacelist_dir)'

const forbidden =
  'src/toolsets/workspace/permission.test.ts: what the system forbids is reported in the words of the document'

export const listDir: Group = {
  title: 'list_dir',
  statements: [
    { id: 'E401', says: 'The tool is called `list_dir`.', where: tool, tests: own('E401') },
    { id: 'E402', says: 'It lists the contents of a directory.', where: tool, tests: own('E402') },
    { id: 'E403', says: 'The parameter `path` is a string.', where: `${tool}: \`path\``, tests: own('E403') },
    {
      id: 'E404',
      says: '`path` is described as the relative path of the directory, with its default.',
      where: `${tool}: \`path\``,
      tests: own('E404'),
    },
    { id: 'E405', says: '`path` is optional.', where: `${tool}: \`path\``, tests: own('E405') },
    {
      id: 'E406',
      says: 'The default of `path` is `.`, and the schema declares it.',
      where: `${tool}: \`path\``,
      tests: own('E406'),
    },
    {
      id: 'E407',
      says: '`path` must be inside the working directory.',
      where: `${tool}: \`path_outside_working_dir\``,
      tests: own('E407'),
    },
    { id: 'E408', says: '`path` must exist.', where: `${tool}: \`file_not_found\``, tests: own('E408') },
    { id: 'E409', says: '`path` must be a directory.', where: `${tool}: \`not_a_directory\``, tests: own('E409') },
    { id: 'E410', says: 'A page has at most 1000 entries.', where: `${tool}: \`page\``, tests: own('E410') },
    {
      id: 'E411',
      says: 'More than 1000 entries are paginated: every entry is on exactly one page.',
      where: `${tool}: \`page\``,
      tests: own('E411'),
    },
    { id: 'E412', says: 'A success has `success: true`.', where: `${tool}: output`, tests: own('E412') },
    {
      id: 'E413',
      says: 'Its `output` begins with `Contents of ./src:` and lists one entry per line, indented; directories end in `/`.',
      where: `${tool}: output`,
      tests: own('E413'),
    },
    { id: 'E414', says: 'Its `files_affected` is empty.', where: `${tool}: output`, tests: own('E414') },
    {
      id: 'E415',
      says: 'Its `execution_time_ms` is a whole number of milliseconds.',
      where: `${tool}: output`,
      tests: own('E415'),
    },
    { id: 'E416', says: '`metadata.total_entries` counts the entries.', where: `${tool}: output`, tests: own('E416') },
    { id: 'E417', says: '`metadata.files` counts the files.', where: `${tool}: output`, tests: own('E417') },
    {
      id: 'E418',
      says: '`metadata.directories` counts the directories.',
      where: `${tool}: output`,
      tests: own('E418'),
    },
    {
      id: 'E419',
      says: "A file fails with `Path 'file.txt' is not a directory`.",
      where: `${tool}: \`not_a_directory\``,
      tests: own('E419'),
    },
    {
      id: 'E420',
      says: 'A directory that the system forbids fails with `Cannot list directory - permission denied`.',
      where: `${tool}: \`permission_denied\``,
      tests: [forbidden],
    },
    { id: 'E421', says: 'Its risk is `read_only`.', where: `${tool}: risk`, tests: own('E421') },
  ],
}
