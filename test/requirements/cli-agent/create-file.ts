import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/cli-agent/create-file.test.ts')
const tool = '[`create_file`](tools.md#workspacecreate_file)'

const forbidden = 'src/toolsets/workspace/permission.test.ts: permission errors use the wording of the requirements'

export const createFile: Group = {
  title: 'create_file',
  statements: [
    checked('E101', 'The tool is called `create_file`.', tool),
    checked('E102', 'It creates a new file with the given content.', tool),
    checked('E103', 'The parameter `path` is a string.', `${tool}: \`path\``),
    checked('E104', '`path` is described as the relative path of the new file.', `${tool}: \`path\``),
    checked('E105', '`path` is required.', `${tool}: \`path\``),
    checked('E106', 'The parameter `content` is a string.', `${tool}: \`content\``),
    checked('E107', '`content` is described as what is written to the file.', `${tool}: \`content\``),
    checked('E108', '`content` is required.', `${tool}: \`content\``),
    checked('E109', '`path` must be inside the working directory.', `${tool}: \`path_outside_working_dir\``),
    checked('E110', '`path` must not exist: the call fails and the file stays as it is.', `${tool}: \`file_exists\``),
    checked('E111', 'Missing directories of `path` are created.', `${tool}: \`metadata.created_parents\``),
    checked('E112', '`content` of 10MB is written; one byte more is refused.', `${tool}: \`content_too_large\``),
    checked('E113', 'A success has `success: true`.', `${tool}: output`),
    checked(
      'E114',
      'Its `output` names the file and its size: `Created file: hello.py (125 bytes)`.',
      `${tool}: output`,
    ),
    checked('E115', 'Its `files_affected` contains the new file.', `${tool}: output`),
    checked('E116', 'Its `execution_time_ms` is a whole number of milliseconds.', `${tool}: output`),
    checked(
      'E117',
      "A path outside fails with `Path '../etc/passwd' is outside working directory`.",
      `${tool}: \`path_outside_working_dir\``,
    ),
    checked(
      'E118',
      "An existing file fails with `File 'test.txt' already exists. Use replace_string_in_file to modify`.",
      `${tool}: \`file_exists\``,
    ),
    {
      id: 'E119',
      says: "A file that the system forbids fails with `Cannot create file 'protected.txt' - permission denied`.",
      where: `${tool}: \`permission_denied\``,
      tests: [forbidden],
    },
    checked('E120', 'Its risk is `safe_write`.', `${tool}: risk`),
  ],
}
