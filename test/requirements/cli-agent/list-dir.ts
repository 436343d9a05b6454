import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/cli-agent/list-dir.test.ts')
const tool = '[`list_dir`](tools.md#workspacelist_dir)'

const forbidden = 'src/toolsets/workspace/permission.test.ts: permission errors use the wording of the requirements'

export const listDir: Group = {
  title: 'list_dir',
  statements: [
    checked('E401', 'The tool is called `list_dir`.', tool),
    checked('E402', 'It lists the contents of a directory.', tool),
    checked('E403', 'The parameter `path` is a string.', `${tool}: \`path\``),
    checked(
      'E404',
      '`path` is described as the relative path of the directory, with its default.',
      `${tool}: \`path\``,
    ),
    checked('E405', '`path` is optional.', `${tool}: \`path\``),
    checked('E406', 'The default of `path` is `.`, and the schema declares it.', `${tool}: \`path\``),
    checked('E407', '`path` must be inside the working directory.', `${tool}: \`path_outside_working_dir\``),
    checked('E408', '`path` must exist.', `${tool}: \`file_not_found\``),
    checked('E409', '`path` must be a directory.', `${tool}: \`not_a_directory\``),
    checked('E410', 'A page has at most 1000 entries.', `${tool}: \`page\``),
    checked('E411', 'More than 1000 entries are paginated: every entry is on exactly one page.', `${tool}: \`page\``),
    checked('E412', 'A success has `success: true`.', `${tool}: output`),
    checked(
      'E413',
      'Its `output` begins with `Contents of ./src:` and lists one entry per line, indented; directories end in `/`.',
      `${tool}: output`,
    ),
    checked('E414', 'Its `files_affected` is empty.', `${tool}: output`),
    checked('E415', 'Its `execution_time_ms` is a whole number of milliseconds.', `${tool}: output`),
    checked('E416', '`metadata.total_entries` counts the entries.', `${tool}: output`),
    checked('E417', '`metadata.files` counts the files.', `${tool}: output`),
    checked('E418', '`metadata.directories` counts the directories.', `${tool}: output`),
    checked('E419', "A file fails with `Path 'file.txt' is not a directory`.", `${tool}: \`not_a_directory\``),
    {
      id: 'E420',
      says: 'A directory that the system forbids fails with `Cannot list directory - permission denied`.',
      where: `${tool}: \`permission_denied\``,
      tests: [forbidden],
    },
    checked('E421', 'Its risk is `read_only`.', `${tool}: risk`),
  ],
}
