import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/cli-agent/read-file.test.ts')
const tool = '[`read_file`](tools.md#workspaceread_file)'

export const readFile: Group = {
  title: 'read_file',
  statements: [
    checked('E201', 'The tool is called `read_file`.', tool),
    checked('E202', 'It reads the contents of a file.', tool),
    checked('E203', 'It reads a range of lines where one is given.', `${tool}: \`start_line\`, \`end_line\``),
    checked('E204', 'The parameter `path` is a string.', `${tool}: \`path\``),
    checked('E205', '`path` is described as the relative path of the file to read.', `${tool}: \`path\``),
    checked('E206', '`path` is required.', `${tool}: \`path\``),
    checked('E207', 'The parameter `start_line` is an integer.', `${tool}: \`start_line\``),
    checked('E208', '`start_line` is described as the first line, counted from 1.', `${tool}: \`start_line\``),
    checked('E209', '`start_line` is optional.', `${tool}: \`start_line\``),
    checked('E210', 'The parameter `end_line` is an integer.', `${tool}: \`end_line\``),
    checked('E211', '`end_line` is described as the last line, counted from 1 and included.', `${tool}: \`end_line\``),
    checked('E212', '`end_line` is optional.', `${tool}: \`end_line\``),
    checked('E213', '`path` must be inside the working directory.', `${tool}: \`path_outside_working_dir\``),
    checked('E214', '`path` must exist.', `${tool}: \`file_not_found\``),
    checked('E215', '`path` must be a regular file.', `${tool}: \`not_a_file\``),
    checked('E216', '`start_line` must be positive.', `${tool}: \`start_line\``),
    checked('E217', '`end_line` must not be less than `start_line`.', `${tool}: \`invalid_line_range\``),
    checked('E218', 'More than 10MB is cut, with a warning.', `${tool}: \`metadata.truncated\``),
    checked('E219', 'A success has `success: true`.', `${tool}: output`),
    checked(
      'E220',
      'Its `output` begins with what is shown: `Contents of hello.py (lines 1-10):`, and the lines follow.',
      `${tool}: output`,
    ),
    checked('E221', 'Its `files_affected` is empty.', `${tool}: output`),
    checked('E222', 'Its `execution_time_ms` is a whole number of milliseconds.', `${tool}: output`),
    checked('E223', '`metadata.total_lines` counts the lines of the file.', `${tool}: output`),
    checked('E224', '`metadata.lines_returned` counts the lines of the output.', `${tool}: output`),
    checked('E225', '`metadata.file_size_bytes` is the size of the file.', `${tool}: output`),
    checked('E226', "A missing file fails with `File 'missing.txt' not found`.", `${tool}: \`file_not_found\``),
    checked(
      'E227',
      'A range past the end fails with `Line range invalid - file has 20 lines, requested 30-40`.',
      `${tool}: \`invalid_line_range\``,
    ),
    checked(
      'E228',
      'A binary file gives the warning `File appears to be binary, displaying first 1KB as hex`.',
      `${tool}: \`metadata.binary\``,
    ),
    checked('E229', 'Of a binary file the first 1KB is shown as hex.', `${tool}: \`metadata.binary\``),
    checked('E230', 'Its risk is `read_only`.', `${tool}: risk`),
  ],
}
