import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/cli-agent/fetch-webpage.test.ts')
const tool = '[`fetch_webpage`](tools.md#workspacefetch_webpage)'

export const fetchWebpage: Group = {
  title: 'fetch_webpage',
  statements: [
    checked('E1001', 'The tool is called `fetch_webpage`.', tool),
    checked('E1002', 'It fetches the content of a web page.', tool),
    checked('E1003', 'The parameter `url` is a string.', `${tool}: \`url\``),
    checked('E1004', '`url` is described as the URL to fetch, http or https.', `${tool}: \`url\``),
    checked('E1005', '`url` is required.', `${tool}: \`url\``),
    checked('E1006', 'The parameter `timeout_seconds` is an integer.', `${tool}: \`timeout_seconds\``),
    checked(
      'E1007',
      '`timeout_seconds` is described as the request timeout, with its default.',
      `${tool}: \`timeout_seconds\``,
    ),
    checked('E1008', '`timeout_seconds` is optional.', `${tool}: \`timeout_seconds\``),
    checked(
      'E1009',
      'The default of `timeout_seconds` is 10, and the schema declares it.',
      `${tool}: \`timeout_seconds\``,
    ),
    checked('E1010', '`url` must begin with `http://` or `https://`.', `${tool}: \`invalid_url\``),
    checked('E1011', '`url` must be a valid URL.', `${tool}: \`invalid_url\``),
    checked('E1012', '`timeout_seconds` must be between 1 and 60.', `${tool}: \`timeout_seconds\``),
    checked('E1013', 'At most 1MB of a response is read.', `${tool}: \`metadata.truncated\``),
    checked('E1014', 'A success has `success: true`.', `${tool}: output`),
    checked(
      'E1015',
      'Its `output` begins with the URL and the size: `Fetched content from https://example.com (5.2 KB)`.',
      `${tool}: output`,
    ),
    checked('E1016', 'Its `files_affected` is empty.', `${tool}: output`),
    checked('E1017', 'Its `execution_time_ms` is a whole number of milliseconds.', `${tool}: output`),
    checked('E1018', '`metadata.url` is the URL.', `${tool}: output`),
    checked('E1019', '`metadata.status_code` is the HTTP status.', `${tool}: output`),
    checked('E1020', '`metadata.content_length` is the size in bytes.', `${tool}: output`),
    checked('E1021', '`metadata.content_type` is the media type.', `${tool}: output`),
    checked('E1022', 'A bad URL fails with `Invalid URL format`.', `${tool}: \`invalid_url\``),
    checked('E1023', 'A network error fails with `Failed to fetch - connection refused`.', `${tool}: \`fetch_failed\``),
    checked(
      'E1024',
      'A server that is too slow fails with `Request timed out after 10 seconds`.',
      `${tool}: \`timeout\``,
    ),
    checked(
      'E1025',
      'A larger response is reported with `Response too large (>1MB), truncating`.',
      `${tool}: \`metadata.warnings\``,
    ),
    checked('E1026', 'The first 1MB of a larger response is returned.', `${tool}: \`metadata.truncated\``),
    checked('E1027', 'Its risk is `dangerous`.', `${tool}: risk`),
  ],
}
