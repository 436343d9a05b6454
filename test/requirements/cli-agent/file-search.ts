import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/cli-agent/file-search.test.ts')
const tool = '[`file_search`](tools.md#workspacefile_search)'

export const fileSearch: Group = {
  title: 'file_search',
  statements: [
    checked('E501', 'The tool is called `file_search`.', tool),
    checked('E502', 'It finds files that match a glob pattern.', tool),
    checked('E503', 'The parameter `pattern` is a string.', `${tool}: \`pattern\``),
    checked(
      'E504',
      '`pattern` is described as a glob, with the examples `**/*.py` and `src/**/*.go`.',
      `${tool}: \`pattern\``,
    ),
    checked('E505', '`pattern` is required.', `${tool}: \`pattern\``),
    checked('E506', 'The parameter `base_path` is a string.', `${tool}: \`base_path\``),
    checked(
      'E507',
      '`base_path` is described as the directory to search from, with its default.',
      `${tool}: \`base_path\``,
    ),
    checked('E508', '`base_path` is optional.', `${tool}: \`base_path\``),
    checked('E509', 'The default of `base_path` is `.`, and the schema declares it.', `${tool}: \`base_path\``),
    checked('E510', '`base_path` must be inside the working directory.', `${tool}: \`path_outside_working_dir\``),
    checked('E511', '`pattern` must be a valid glob.', `${tool}: \`invalid_glob\``),
    checked('E512', 'At most 1000 files are listed.', `${tool}: \`metadata.returned\``),
    checked('E513', 'A search goes at most 20 levels deep, and says so where there are deeper files.', tool),
    checked('E514', 'A success has `success: true`.', `${tool}: output`),
    checked(
      'E515',
      "Its `output` begins with `Found 5 files matching '**/*.go':` and lists one path per line, indented.",
      `${tool}: output`,
    ),
    checked('E516', 'Its `files_affected` is empty.', `${tool}: output`),
    checked('E517', 'Its `execution_time_ms` is a whole number of milliseconds.', `${tool}: output`),
    checked('E518', '`metadata.matches` counts the files that match.', `${tool}: output`),
    checked('E519', '`metadata.pattern` repeats the pattern.', `${tool}: output`),
    checked('E520', "A bad pattern fails with `Invalid glob pattern '**/*[.go'`.", `${tool}: \`invalid_glob\``),
    checked(
      'E521',
      'Too many files give the warning `Found 2000 matches, showing first 1000`.',
      `${tool}: \`metadata.warnings\``,
    ),
    checked('E522', 'Its risk is `read_only`.', `${tool}: risk`),
  ],
}
