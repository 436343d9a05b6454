import type { Group } from '../requirement.ts'

const own = (id: string) => [`test/requirements/cli-agent/create-directory.test.ts: ${id}`]
const tool = '[`create_directory`](tools.md#workspacecreate_directory)'

const forbidden =
  'src/toolsets/workspace/permission.test.ts: what the system forbids is reported in the words of the document'

export const createDirectory: Group = {
  title: 'create_directory',
  statements: [
    { id: 'E901', says: 'The tool is called `create_directory`.', where: tool, tests: own('E901') },
    { id: 'E902', says: 'It creates a directory structure, like `mkdir -p`.', where: tool, tests: own('E902') },
    { id: 'E903', says: 'The parameter `path` is a string.', where: `${tool}: \`path\``, tests: own('E903') },
    {
      id: 'E904',
      says: '`path` is described as the relative path of the new directory.',
      where: `${tool}: \`path\``,
      tests: own('E904'),
    },
    { id: 'E905', says: '`path` is required.', where: `${tool}: \`path\``, tests: own('E905') },
    {
      id: 'E906',
      says: '`path` must be inside the working directory.',
      where: `${tool}: \`path_outside_working_dir\``,
      tests: own('E906'),
    },
    { id: 'E907', says: 'Parent directories are created as needed.', where: tool, tests: own('E907') },
    {
      id: 'E908',
      says: 'A directory that exists is no error.',
      where: `${tool}: \`metadata.created\``,
      tests: own('E908'),
    },
    { id: 'E909', says: 'A success has `success: true`.', where: `${tool}: output`, tests: own('E909') },
    {
      id: 'E910',
      says: 'Its `output` is `Created directory: src/models`.',
      where: `${tool}: output`,
      tests: own('E910'),
    },
    { id: 'E911', says: 'Its `files_affected` contains the directory.', where: `${tool}: output`, tests: own('E911') },
    {
      id: 'E912',
      says: 'Its `execution_time_ms` is a whole number of milliseconds.',
      where: `${tool}: output`,
      tests: own('E912'),
    },
    {
      id: 'E913',
      says: '`metadata.created_parents` lists the parents that were created.',
      where: `${tool}: output`,
      tests: own('E913'),
    },
    {
      id: 'E914',
      says: "A file fails with `Path 'test.txt' exists as a file, cannot create directory`.",
      where: `${tool}: \`not_a_directory\``,
      tests: own('E914'),
    },
    {
      id: 'E915',
      says: 'A directory that the system forbids fails with `Cannot create directory - permission denied`.',
      where: `${tool}: \`permission_denied\``,
      tests: [forbidden],
    },
    { id: 'E916', says: 'Its risk is `safe_write`.', where: `${tool}: risk`, tests: own('E916') },
  ],
}
