import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/cli-agent/grep-search.test.ts')
const tool = '[`grep_search`](tools.md#workspacegrep_search)'

export const grepSearch: Group = {
  title: 'grep_search',
  statements: [
    checked('E601', 'The tool is called `grep_search`.', tool),
    checked('E602', 'It searches the contents of files for text.', tool),
    checked('E603', 'It searches for a regular expression where `is_regex` is true.', `${tool}: \`is_regex\``),
    checked('E604', 'The parameter `pattern` is a string.', `${tool}: \`pattern\``),
    checked('E605', '`pattern` is described as text or a regular expression.', `${tool}: \`pattern\``),
    checked('E606', '`pattern` is required.', `${tool}: \`pattern\``),
    checked('E607', 'The parameter `is_regex` is a boolean.', `${tool}: \`is_regex\``),
    checked('E608', '`is_regex` is described, with its default.', `${tool}: \`is_regex\``),
    checked('E609', '`is_regex` is optional.', `${tool}: \`is_regex\``),
    checked('E610', 'The default of `is_regex` is false, and the schema declares it.', `${tool}: \`is_regex\``),
    checked('E611', 'The parameter `file_pattern` is a string.', `${tool}: \`file_pattern\``),
    checked(
      'E612',
      '`file_pattern` is described as a glob that limits the files searched.',
      `${tool}: \`file_pattern\``,
    ),
    checked('E613', '`file_pattern` is optional.', `${tool}: \`file_pattern\``),
    checked(
      'E614',
      'Without `file_pattern` all files are searched: ignored and hidden ones with `include_ignored`, otherwise a warning reports how many there are.',
      `${tool}: \`include_ignored\`, \`metadata.skipped\``,
      { decision: ['0023', '0078'] },
    ),
    checked('E615', 'The parameter `max_results` is an integer.', `${tool}: \`max_results\``),
    checked(
      'E616',
      '`max_results` is described as the maximum number of results, with its default.',
      `${tool}: \`max_results\``,
    ),
    checked('E617', '`max_results` is optional.', `${tool}: \`max_results\``),
    checked('E618', 'The default of `max_results` is 100, and the schema declares it.', `${tool}: \`max_results\``),
    checked('E619', '`pattern` must not be empty.', `${tool}: \`pattern\``),
    checked('E620', 'With `is_regex` the pattern must be a valid regular expression.', `${tool}: \`invalid_regex\``),
    checked('E621', '`max_results` must be between 1 and 1000.', `${tool}: \`max_results\``),
    checked('E622', 'Binary files are skipped.', tool),
    checked('E623', 'A success has `success: true`.', `${tool}: output`),
    checked(
      'E624',
      "Its `output` begins with `Found 3 matches for 'TODO':` and lists each match as `app.py:15: # TODO: implement`, indented.",
      `${tool}: output`,
    ),
    checked('E625', 'Its `files_affected` is empty.', `${tool}: output`),
    checked('E626', 'Its `execution_time_ms` is a whole number of milliseconds.', `${tool}: output`),
    checked('E627', '`metadata.total_matches` counts the matches.', `${tool}: output`),
    checked('E628', '`metadata.files_searched` counts the files searched.', `${tool}: output`),
    checked('E629', '`metadata.pattern` repeats the pattern.', `${tool}: output`),
    checked(
      'E630',
      'A bad regular expression fails with `Invalid regex pattern: unclosed group`.',
      `${tool}: \`invalid_regex\``,
    ),
    checked(
      'E631',
      'A search that takes 30 seconds gives the warning `Search timed out after 30s, returning partial results`.',
      `${tool}: \`metadata.warnings\``,
    ),
    checked('E632', 'What was found until then is returned.', `${tool}: \`metadata.truncated\``),
    checked('E633', 'Its risk is `read_only`.', `${tool}: risk`),
  ],
}
