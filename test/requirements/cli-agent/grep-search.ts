import type { Group } from '../requirement.ts'

const own = (id: string) => [`test/requirements/cli-agent/grep-search.test.ts: ${id}`]
const tool = '[`grep_search`](tools.md#workspacegrep_search)'

export const grepSearch: Group = {
  title: 'grep_search',
  statements: [
    { id: 'E601', says: 'The tool is called `grep_search`.', where: tool, tests: own('E601') },
    { id: 'E602', says: 'It searches the contents of files for text.', where: tool, tests: own('E602') },
    {
      id: 'E603',
      says: 'It searches for a regular expression where `is_regex` is true.',
      where: `${tool}: \`is_regex\``,
      tests: own('E603'),
    },
    { id: 'E604', says: 'The parameter `pattern` is a string.', where: `${tool}: \`pattern\``, tests: own('E604') },
    {
      id: 'E605',
      says: '`pattern` is described as text or a regular expression.',
      where: `${tool}: \`pattern\``,
      tests: own('E605'),
    },
    { id: 'E606', says: '`pattern` is required.', where: `${tool}: \`pattern\``, tests: own('E606') },
    { id: 'E607', says: 'The parameter `is_regex` is a boolean.', where: `${tool}: \`is_regex\``, tests: own('E607') },
    {
      id: 'E608',
      says: '`is_regex` is described, with its default.',
      where: `${tool}: \`is_regex\``,
      tests: own('E608'),
    },
    { id: 'E609', says: '`is_regex` is optional.', where: `${tool}: \`is_regex\``, tests: own('E609') },
    {
      id: 'E610',
      says: 'The default of `is_regex` is false, and the schema declares it.',
      where: `${tool}: \`is_regex\``,
      tests: own('E610'),
    },
    {
      id: 'E611',
      says: 'The parameter `file_pattern` is a string.',
      where: `${tool}: \`file_pattern\``,
      tests: own('E611'),
    },
    {
      id: 'E612',
      says: '`file_pattern` is described as a glob that limits the files searched.',
      where: `${tool}: \`file_pattern\``,
      tests: own('E612'),
    },
    { id: 'E613', says: '`file_pattern` is optional.', where: `${tool}: \`file_pattern\``, tests: own('E613') },
    {
      id: 'E614',
      says: 'Without `file_pattern` all files are searched: ignored and hidden ones with `include_ignored`, otherwise a warning reports how many there are.',
      where: `${tool}: \`include_ignored\`, \`metadata.skipped\``,
      tests: own('E614'),
      decision: ['0023', '0078'],
    },
    {
      id: 'E615',
      says: 'The parameter `max_results` is an integer.',
      where: `${tool}: \`max_results\``,
      tests: own('E615'),
    },
    {
      id: 'E616',
      says: '`max_results` is described as the maximum number of results, with its default.',
      where: `${tool}: \`max_results\``,
      tests: own('E616'),
    },
    { id: 'E617', says: '`max_results` is optional.', where: `${tool}: \`max_results\``, tests: own('E617') },
    {
      id: 'E618',
      says: 'The default of `max_results` is 100, and the schema declares it.',
      where: `${tool}: \`max_results\``,
      tests: own('E618'),
    },
    { id: 'E619', says: '`pattern` must not be empty.', where: `${tool}: \`pattern\``, tests: own('E619') },
    {
      id: 'E620',
      says: 'With `is_regex` the pattern must be a valid regular expression.',
      where: `${tool}: \`invalid_regex\``,
      tests: own('E620'),
    },
    {
      id: 'E621',
      says: '`max_results` must be between 1 and 1000.',
      where: `${tool}: \`max_results\``,
      tests: own('E621'),
    },
    { id: 'E622', says: 'Binary files are skipped.', where: tool, tests: own('E622') },
    { id: 'E623', says: 'A success has `success: true`.', where: `${tool}: output`, tests: own('E623') },
    {
      id: 'E624',
      says: "Its `output` begins with `Found 3 matches for 'TODO':` and lists each match as `app.py:15: # TODO: implement`, indented.",
      where: `${tool}: output`,
      tests: own('E624'),
    },
    { id: 'E625', says: 'Its `files_affected` is empty.', where: `${tool}: output`, tests: own('E625') },
    {
      id: 'E626',
      says: 'Its `execution_time_ms` is a whole number of milliseconds.',
      where: `${tool}: output`,
      tests: own('E626'),
    },
    { id: 'E627', says: '`metadata.total_matches` counts the matches.', where: `${tool}: output`, tests: own('E627') },
    {
      id: 'E628',
      says: '`metadata.files_searched` counts the files searched.',
      where: `${tool}: output`,
      tests: own('E628'),
    },
    { id: 'E629', says: '`metadata.pattern` repeats the pattern.', where: `${tool}: output`, tests: own('E629') },
    {
      id: 'E630',
      says: 'A bad regular expression fails with `Invalid regex pattern: unclosed group`.',
      where: `${tool}: \`invalid_regex\``,
      tests: own('E630'),
    },
    {
      id: 'E631',
      says: 'A search that takes 30 seconds gives the warning `Search timed out after 30s, returning partial results`.',
      where: `${tool}: \`metadata.warnings\``,
      tests: own('E631'),
    },
    {
      id: 'E632',
      says: 'What was found until then is returned.',
      where: `${tool}: \`metadata.truncated\``,
      tests: own('E632'),
    },
    { id: 'E633', says: 'Its risk is `read_only`.', where: `${tool}: risk`, tests: own('E633') },
  ],
}
