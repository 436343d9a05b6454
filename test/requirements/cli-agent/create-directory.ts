import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/cli-agent/create-directory.test.ts')
const tool = '[`create_directory`](tools.md#workspacecreate_directory)'

const forbidden = 'src/toolsets/workspace/permission.test.ts: permission errors use the wording of the requirements'

export const createDirectory: Group = {
  title: 'create_directory',
  statements: [
    checked('E901', 'The tool is called `create_directory`.', tool),
    checked('E902', 'It creates a directory structure, like `mkdir -p`.', tool),
    checked('E903', 'The parameter `path` is a string.', `${tool}: \`path\``),
    checked('E904', '`path` is described as the relative path of the new directory.', `${tool}: \`path\``),
    checked('E905', '`path` is required.', `${tool}: \`path\``),
    checked('E906', '`path` must be inside the working directory.', `${tool}: \`path_outside_working_dir\``),
    checked('E907', 'Parent directories are created as needed.', tool),
    checked('E908', 'A directory that exists is no error.', `${tool}: \`metadata.created\``),
    checked('E909', 'A success has `success: true`.', `${tool}: output`),
    checked('E910', 'Its `output` is `Created directory: src/models`.', `${tool}: output`),
    checked('E911', 'Its `files_affected` contains the directory.', `${tool}: output`),
    checked('E912', 'Its `execution_time_ms` is a whole number of milliseconds.', `${tool}: output`),
    checked('E913', '`metadata.created_parents` lists the parents that were created.', `${tool}: output`),
    checked(
      'E914',
      "A file fails with `Path 'test.txt' exists as a file, cannot create directory`.",
      `${tool}: \`not_a_directory\``,
    ),
    {
      id: 'E915',
      says: 'A directory that the system forbids fails with `Cannot create directory - permission denied`.',
      where: `${tool}: \`permission_denied\``,
      tests: [forbidden],
    },
    checked('E916', 'Its risk is `safe_write`.', `${tool}: risk`),
  ],
}
