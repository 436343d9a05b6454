import type { Group } from '../requirement.ts'

const own = (id: string) => [`test/requirements/cli-agent/fetch-webpage.test.ts: ${id}`]
const tool = '[`fetch_webpage`](tools.md#workspacefetch_webpage)'

export const fetchWebpage: Group = {
  title: 'fetch_webpage',
  statements: [
    { id: 'E1001', says: 'The tool is called `fetch_webpage`.', where: tool, tests: own('E1001') },
    { id: 'E1002', says: 'It fetches the content of a web page.', where: tool, tests: own('E1002') },
    { id: 'E1003', says: 'The parameter `url` is a string.', where: `${tool}: \`url\``, tests: own('E1003') },
    {
      id: 'E1004',
      says: '`url` is described as the URL to fetch, http or https.',
      where: `${tool}: \`url\``,
      tests: own('E1004'),
    },
    { id: 'E1005', says: '`url` is required.', where: `${tool}: \`url\``, tests: own('E1005') },
    {
      id: 'E1006',
      says: 'The parameter `timeout_seconds` is an integer.',
      where: `${tool}: \`timeout_seconds\``,
      tests: own('E1006'),
    },
    {
      id: 'E1007',
      says: '`timeout_seconds` is described as the request timeout, with its default.',
      where: `${tool}: \`timeout_seconds\``,
      tests: own('E1007'),
    },
    { id: 'E1008', says: '`timeout_seconds` is optional.', where: `${tool}: \`timeout_seconds\``, tests: own('E1008') },
    {
      id: 'E1009',
      says: 'The default of `timeout_seconds` is 10, and the schema declares it.',
      where: `${tool}: \`timeout_seconds\``,
      tests: own('E1009'),
    },
    {
      id: 'E1010',
      says: '`url` must begin with `http://` or `https://`.',
      where: `${tool}: \`invalid_url\``,
      tests: own('E1010'),
    },
    { id: 'E1011', says: '`url` must be a valid URL.', where: `${tool}: \`invalid_url\``, tests: own('E1011') },
    {
      id: 'E1012',
      says: '`timeout_seconds` must be between 1 and 60.',
      where: `${tool}: \`timeout_seconds\``,
      tests: own('E1012'),
    },
    {
      id: 'E1013',
      says: 'At most 1MB of a response is read.',
      where: `${tool}: \`metadata.truncated\``,
      tests: own('E1013'),
    },
    { id: 'E1014', says: 'A success has `success: true`.', where: `${tool}: output`, tests: own('E1014') },
    {
      id: 'E1015',
      says: 'Its `output` begins with the URL and the size: `Fetched content from https://example.com (5.2 KB)`.',
      where: `${tool}: output`,
      tests: own('E1015'),
    },
    { id: 'E1016', says: 'Its `files_affected` is empty.', where: `${tool}: output`, tests: own('E1016') },
    {
      id: 'E1017',
      says: 'Its `execution_time_ms` is a whole number of milliseconds.',
      where: `${tool}: output`,
      tests: own('E1017'),
    },
    { id: 'E1018', says: '`metadata.url` is the URL.', where: `${tool}: output`, tests: own('E1018') },
    { id: 'E1019', says: '`metadata.status_code` is the HTTP status.', where: `${tool}: output`, tests: own('E1019') },
    {
      id: 'E1020',
      says: '`metadata.content_length` is the size in bytes.',
      where: `${tool}: output`,
      tests: own('E1020'),
    },
    { id: 'E1021', says: '`metadata.content_type` is the media type.', where: `${tool}: output`, tests: own('E1021') },
    {
      id: 'E1022',
      says: 'A bad URL fails with `Invalid URL format`.',
      where: `${tool}: \`invalid_url\``,
      tests: own('E1022'),
    },
    {
      id: 'E1023',
      says: 'A network error fails with `Failed to fetch - connection refused`.',
      where: `${tool}: \`fetch_failed\``,
      tests: own('E1023'),
    },
    {
      id: 'E1024',
      says: 'A server that is too slow fails with `Request timed out after 10 seconds`.',
      where: `${tool}: \`timeout\``,
      tests: own('E1024'),
    },
    {
      id: 'E1025',
      says: 'A larger response is reported with `Response too large (>1MB), truncating`.',
      where: `${tool}: \`metadata.warnings\``,
      tests: own('E1025'),
    },
    {
      id: 'E1026',
      says: 'The first 1MB of a larger response is returned.',
      where: `${tool}: \`metadata.truncated\``,
      tests: own('E1026'),
    },
    { id: 'E1027', says: 'Its risk is `dangerous`.', where: `${tool}: risk`, tests: own('E1027') },
  ],
}
