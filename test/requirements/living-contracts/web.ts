import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/living-contracts.test.ts')
const searchWeb = '[`search.web`](tools.md#web-fetchsearchweb)'
const fetchPage = '[`web.fetch`](tools.md#web-fetchwebfetch)'

/** The toolset `web-fetch`. */
export const web: readonly Group[] = [
  {
    title: 'search.web',
    statements: [
      checked('C26', 'Its status is active.', searchWeb),
      checked('C27', 'Its transport is MCP over stdio.', searchWeb, {
        tests: [
          'test/requirements/toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
        ],
        decision: ['0077'],
      }),
      checked('C28', 'Its endpoint is the MCP server `web-fetch`.', searchWeb, { decision: ['0077'] }),
      {
        id: 'C29',
        says: 'It is backed by `/v1/search` of LiteLLM.',
        where: '[search.web](toolsets.md#searchweb)',
        tests: [
          'src/toolsets/web/search-web.test.ts: LiteLLM receives the query, and its results are returned',
          'src/toolsets/web/search-web.test.ts: an address that ends in %s is understood',
        ],
      },
      checked('C30', 'The input is an object.', searchWeb),
      checked('C31', 'The input requires `query`.', searchWeb),
      checked('C32', 'The input has no other properties.', searchWeb),
      checked('C33', '`query` is a string.', searchWeb),
      checked('C34', '`query` has at least one character.', searchWeb),
      checked('C35', '`max_results` is an integer.', searchWeb, { decision: ['0077'] }),
      checked('C36', '`max_results` is at least 1.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: %s is refused'],
      }),
      checked('C37', '`max_results` is at most 25.', searchWeb, {
        tests: [
          'src/toolsets/web/search-web.test.ts: %s is refused',
          'src/toolsets/web/search-web.test.ts: never more results than requested, even if the provider sends more',
        ],
      }),
      checked('C38', 'The output is an object.', searchWeb),
      checked('C39', 'The output requires `results`.', searchWeb),
      checked('C40', 'The output has no other properties.', searchWeb),
      checked('C41', '`results` is an array.', searchWeb),
      checked('C42', 'A result is an object.', searchWeb),
      checked('C43', 'A result requires `title`, `url` and `snippet`.', searchWeb),
      checked('C44', 'A result has no other properties.', searchWeb),
      checked('C45', '`title` of a result is a string.', searchWeb),
      checked('C46', '`url` of a result is a string.', searchWeb),
      checked('C47', '`snippet` of a result is a string.', searchWeb),
      checked('C48', '`date` of a result is a string or null, and optional.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: the date %j becomes %j'],
      }),
      checked('C49', 'An invalid query is `invalid_query`, 400.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: %s is an invalid query'],
      }),
      checked('C50', 'A failure of the search engine is `upstream_failure`, 502.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: %s is a failure of the search that says what to check'],
      }),
      checked('C51', 'A search that takes too long is `timeout`, 504.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: a search that takes too long is a timeout'],
      }),
    ],
  },
  {
    title: 'web.fetch',
    statements: [
      checked('C52', 'Its status is planned.', fetchPage, { decision: ['0025'] }),
      checked('C53', 'Its transport is MCP over stdio.', fetchPage, {
        tests: [
          'test/requirements/toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
        ],
        decision: ['0077'],
      }),
      checked('C54', 'Its endpoint is the MCP server `web-fetch`.', fetchPage, { decision: ['0077'] }),
      checked('C55', 'The input is an object.', fetchPage),
      checked('C56', 'The input requires `url`.', fetchPage),
      checked('C57', 'The input has no other properties.', fetchPage),
      checked('C58', '`url` is a string.', fetchPage),
      checked('C59', '`url` is a URI.', fetchPage, { tests: ['src/toolsets/web/fetch-page.test.ts: %s is refused'] }),
      checked('C60', '`include_raw_html` is a boolean.', fetchPage),
      checked('C61', '`include_raw_html` is false by default.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: the unprocessed page is returned only on request'],
      }),
      checked('C62', 'The output is an object.', fetchPage),
      checked('C63', 'The output requires `final_url` and `clean_text`.', fetchPage),
      checked('C64', 'The output has no other properties.', fetchPage),
      checked('C65', '`final_url` is a string, a URI.', fetchPage),
      checked('C66', '`title` is a string or null.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: an article is returned as text, with its metadata'],
      }),
      checked('C67', '`byline` is a string or null.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: an article is returned as text, with its metadata'],
      }),
      checked('C68', '`published_at` is a string or null.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: an article is returned as text, with its metadata'],
      }),
      checked('C69', '`lang` is a string or null.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: an article is returned as text, with its metadata'],
      }),
      checked('C70', '`clean_text` is a string.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: an article is returned as text, with its metadata'],
      }),
      checked('C71', '`clean_text` has at least one character.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: %s cannot be read, and the failure says why'],
      }),
      checked('C72', '`raw_html` is a string.', fetchPage),
      {
        id: 'C73',
        says: 'The raw page is in the answer if it was asked for.',
        where: fetchPage,
        tests: ['src/toolsets/web/fetch-page.test.ts: the unprocessed page is returned only on request'],
        decision: ['0026'],
      },
      checked('C74', 'A page that cannot be fetched is `fetch_failed`, 502.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: %s cannot be had, and the failure says why'],
      }),
      checked('C75', 'A page without text is `parse_failed`, 422.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: %s cannot be read, and the failure says why'],
      }),
      checked('C76', 'A page that takes too long is `timeout`, 504.', fetchPage, {
        tests: [
          'src/toolsets/web/capability/pages.test.ts: who waits for a turn can give up, and the time runs while waiting',
        ],
      }),
    ],
  },
]
