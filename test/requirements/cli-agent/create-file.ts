import type { Group } from '../requirement.ts'

const own = (id: string) => [`test/requirements/cli-agent/create-file.test.ts: ${id}`]
const tool = '[`create_file`](tools.md#workspacecreate_file)'

const forbidden =
  'src/toolsets/workspace/permission.test.ts: what the system forbids is reported in the words of the document'

export const createFile: Group = {
  title: 'create_file',
  statements: [
    { id: 'E101', says: 'The tool is called `create_file`.', where: tool, tests: own('E101') },
    { id: 'E102', says: 'It creates a new file with the given content.', where: tool, tests: own('E102') },
    { id: 'E103', says: 'The parameter `path` is a string.', where: `${tool}: \`path\``, tests: own('E103') },
    {
      id: 'E104',
      says: '`path` is described as the relative path of the new file.',
      where: `${tool}: \`path\``,
      tests: own('E104'),
    },
    { id: 'E105', says: '`path` is required.', where: `${tool}: \`path\``, tests: own('E105') },
    { id: 'E106', says: 'The parameter `content` is a string.', where: `${tool}: \`content\``, tests: own('E106') },
    {
      id: 'E107',
      says: '`content` is described as what is written to the file.',
      where: `${tool}: \`content\``,
      tests: own('E107'),
    },
    { id: 'E108', says: '`content` is required.', where: `${tool}: \`content\``, tests: own('E108') },
    {
      id: 'E109',
      says: '`path` must be inside the working directory.',
      where: `${tool}: \`path_outside_working_dir\``,
      tests: own('E109'),
    },
    {
      id: 'E110',
      says: '`path` must not exist: the call fails and the file stays as it is.',
      where: `${tool}: \`file_exists\``,
      tests: own('E110'),
    },
    {
      id: 'E111',
      says: 'Missing directories of `path` are created.',
      where: `${tool}: \`metadata.created_parents\``,
      tests: own('E111'),
    },
    {
      id: 'E112',
      says: '`content` of 10MB is written; one byte more is refused.',
      where: `${tool}: \`content_too_large\``,
      tests: own('E112'),
    },
    { id: 'E113', says: 'A success has `success: true`.', where: `${tool}: output`, tests: own('E113') },
    {
      id: 'E114',
      says: 'Its `output` names the file and its size: `Created file: hello.py (125 bytes)`.',
      where: `${tool}: output`,
      tests: own('E114'),
    },
    { id: 'E115', says: 'Its `files_affected` contains the new file.', where: `${tool}: output`, tests: own('E115') },
    {
      id: 'E116',
      says: 'Its `execution_time_ms` is a whole number of milliseconds.',
      where: `${tool}: output`,
      tests: own('E116'),
    },
    {
      id: 'E117',
      says: "A path outside fails with `Path '../etc/passwd' is outside working directory`.",
      where: `${tool}: \`path_outside_working_dir\``,
      tests: own('E117'),
    },
    {
      id: 'E118',
      says: "An existing file fails with `File 'test.txt' already exists. Use replace_string_in_file to modify`.",
      where: `${tool}: \`file_exists\``,
      tests: own('E118'),
    },
    {
      id: 'E119',
      says: "A file that the system forbids fails with `Cannot create file 'protected.txt' - permission denied`.",
      where: `${tool}: \`permission_denied\``,
      tests: [forbidden],
    },
    { id: 'E120', says: 'Its risk is `safe_write`.', where: `${tool}: risk`, tests: own('E120') },
  ],
}
