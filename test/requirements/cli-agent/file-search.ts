import type { Group } from '../requirement.ts'

const own = (id: string) => [`test/requirements/cli-agent/file-search.test.ts: ${id}`]
const tool = '[`file_search`](tools.md#workspacefile_search)'

export const fileSearch: Group = {
  title: 'file_search',
  statements: [
    { id: 'E501', says: 'The tool is called `file_search`.', where: tool, tests: own('E501') },
    { id: 'E502', says: 'It finds files that match a glob pattern.', where: tool, tests: own('E502') },
    { id: 'E503', says: 'The parameter `pattern` is a string.', where: `${tool}: \`pattern\``, tests: own('E503') },
    {
      id: 'E504',
      says: '`pattern` is described as a glob, with the examples `**/*.py` and `src/**/*.go`.',
      where: `${tool}: \`pattern\``,
      tests: own('E504'),
    },
    { id: 'E505', says: '`pattern` is required.', where: `${tool}: \`pattern\``, tests: own('E505') },
    { id: 'E506', says: 'The parameter `base_path` is a string.', where: `${tool}: \`base_path\``, tests: own('E506') },
    {
      id: 'E507',
      says: '`base_path` is described as the directory to search from, with its default.',
      where: `${tool}: \`base_path\``,
      tests: own('E507'),
    },
    { id: 'E508', says: '`base_path` is optional.', where: `${tool}: \`base_path\``, tests: own('E508') },
    {
      id: 'E509',
      says: 'The default of `base_path` is `.`, and the schema declares it.',
      where: `${tool}: \`base_path\``,
      tests: own('E509'),
    },
    {
      id: 'E510',
      says: '`base_path` must be inside the working directory.',
      where: `${tool}: \`path_outside_working_dir\``,
      tests: own('E510'),
    },
    { id: 'E511', says: '`pattern` must be a valid glob.', where: `${tool}: \`invalid_glob\``, tests: own('E511') },
    { id: 'E512', says: 'At most 1000 files are listed.', where: `${tool}: \`metadata.returned\``, tests: own('E512') },
    {
      id: 'E513',
      says: 'A search goes at most 20 levels deep, and says so where there are deeper files.',
      where: tool,
      tests: own('E513'),
    },
    { id: 'E514', says: 'A success has `success: true`.', where: `${tool}: output`, tests: own('E514') },
    {
      id: 'E515',
      says: "Its `output` begins with `Found 5 files matching '**/*.go':` and lists one path per line, indented.",
      where: `${tool}: output`,
      tests: own('E515'),
    },
    { id: 'E516', says: 'Its `files_affected` is empty.', where: `${tool}: output`, tests: own('E516') },
    {
      id: 'E517',
      says: 'Its `execution_time_ms` is a whole number of milliseconds.',
      where: `${tool}: output`,
      tests: own('E517'),
    },
    {
      id: 'E518',
      says: '`metadata.matches` counts the files that match.',
      where: `${tool}: output`,
      tests: own('E518'),
    },
    { id: 'E519', says: '`metadata.pattern` repeats the pattern.', where: `${tool}: output`, tests: own('E519') },
    {
      id: 'E520',
      says: "A bad pattern fails with `Invalid glob pattern '**/*[.go'`.",
      where: `${tool}: \`invalid_glob\``,
      tests: own('E520'),
    },
    {
      id: 'E521',
      says: 'Too many files give the warning `Found 2000 matches, showing first 1000`.',
      where: `${tool}: \`metadata.warnings\``,
      tests: own('E521'),
    },
    { id: 'E522', says: 'Its risk is `read_only`.', where: `${tool}: risk`, tests: own('E522') },
  ],
}
