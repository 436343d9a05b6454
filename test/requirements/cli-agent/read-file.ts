import type { Group } from '../requirement.ts'

const own = (id: string) => [`test/requirements/cli-agent/read-file.test.ts: ${id}`]
const tool = '[`read_file`](tools.md#workspaceread_file)'

export const readFile: Group = {
  title: 'read_file',
  statements: [
    { id: 'E201', says: 'The tool is called `read_file`.', where: tool, tests: own('E201') },
    { id: 'E202', says: 'It reads the contents of a file.', where: tool, tests: own('E202') },
    {
      id: 'E203',
      says: 'It reads a range of lines where one is given.',
      where: `${tool}: \`start_line\`, \`end_line\``,
      tests: own('E203'),
    },
    { id: 'E204', says: 'The parameter `path` is a string.', where: `${tool}: \`path\``, tests: own('E204') },
    {
      id: 'E205',
      says: '`path` is described as the relative path of the file to read.',
      where: `${tool}: \`path\``,
      tests: own('E205'),
    },
    { id: 'E206', says: '`path` is required.', where: `${tool}: \`path\``, tests: own('E206') },
    {
      id: 'E207',
      says: 'The parameter `start_line` is an integer.',
      where: `${tool}: \`start_line\``,
      tests: own('E207'),
    },
    {
      id: 'E208',
      says: '`start_line` is described as the first line, counted from 1.',
      where: `${tool}: \`start_line\``,
      tests: own('E208'),
    },
    { id: 'E209', says: '`start_line` is optional.', where: `${tool}: \`start_line\``, tests: own('E209') },
    { id: 'E210', says: 'The parameter `end_line` is an integer.', where: `${tool}: \`end_line\``, tests: own('E210') },
    {
      id: 'E211',
      says: '`end_line` is described as the last line, counted from 1 and included.',
      where: `${tool}: \`end_line\``,
      tests: own('E211'),
    },
    { id: 'E212', says: '`end_line` is optional.', where: `${tool}: \`end_line\``, tests: own('E212') },
    {
      id: 'E213',
      says: '`path` must be inside the working directory.',
      where: `${tool}: \`path_outside_working_dir\``,
      tests: own('E213'),
    },
    { id: 'E214', says: '`path` must exist.', where: `${tool}: \`file_not_found\``, tests: own('E214') },
    { id: 'E215', says: '`path` must be a regular file.', where: `${tool}: \`not_a_file\``, tests: own('E215') },
    { id: 'E216', says: '`start_line` must be positive.', where: `${tool}: \`start_line\``, tests: own('E216') },
    {
      id: 'E217',
      says: '`end_line` must not be less than `start_line`.',
      where: `${tool}: \`invalid_line_range\``,
      tests: own('E217'),
    },
    {
      id: 'E218',
      says: 'More than 10MB is cut, with a warning.',
      where: `${tool}: \`metadata.truncated\``,
      tests: own('E218'),
    },
    { id: 'E219', says: 'A success has `success: true`.', where: `${tool}: output`, tests: own('E219') },
    {
      id: 'E220',
      says: 'Its `output` begins with what is shown: `Contents of hello.py (lines 1-10):`, and the lines follow.',
      where: `${tool}: output`,
      tests: own('E220'),
    },
    { id: 'E221', says: 'Its `files_affected` is empty.', where: `${tool}: output`, tests: own('E221') },
    {
      id: 'E222',
      says: 'Its `execution_time_ms` is a whole number of milliseconds.',
      where: `${tool}: output`,
      tests: own('E222'),
    },
    {
      id: 'E223',
      says: '`metadata.total_lines` counts the lines of the file.',
      where: `${tool}: output`,
      tests: own('E223'),
    },
    {
      id: 'E224',
      says: '`metadata.lines_returned` counts the lines of the output.',
      where: `${tool}: output`,
      tests: own('E224'),
    },
    {
      id: 'E225',
      says: '`metadata.file_size_bytes` is the size of the file.',
      where: `${tool}: output`,
      tests: own('E225'),
    },
    {
      id: 'E226',
      says: "A missing file fails with `File 'missing.txt' not found`.",
      where: `${tool}: \`file_not_found\``,
      tests: own('E226'),
    },
    {
      id: 'E227',
      says: 'A range past the end fails with `Line range invalid - file has 20 lines, requested 30-40`.',
      where: `${tool}: \`invalid_line_range\``,
      tests: own('E227'),
    },
    {
      id: 'E228',
      says: 'A binary file gives the warning `File appears to be binary, displaying first 1KB as hex`.',
      where: `${tool}: \`metadata.binary\``,
      tests: own('E228'),
    },
    {
      id: 'E229',
      says: 'Of a binary file the first 1KB is shown as hex.',
      where: `${tool}: \`metadata.binary\``,
      tests: own('E229'),
    },
    { id: 'E230', says: 'Its risk is `read_only`.', where: `${tool}: risk`, tests: own('E230') },
  ],
}
