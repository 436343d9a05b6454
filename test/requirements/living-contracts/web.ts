import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/living-contracts.test.ts')
const searchWeb = '[`search.web`](tools.md#web-fetchsearchweb)'
const fetchPage = '[`web.fetch`](tools.md#web-fetchwebfetch)'

/** The toolset `web-fetch`. */
export const web: readonly Group[] = [
  {
    title: 'search.web',
    statements: [
      checked('C24', 'Its status is active.', searchWeb),
      {
        id: 'C25',
        says: 'Its transport is MCP over stdio.',
        where: searchWeb,
        tests: [
          'test/seed-toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
        ],
      },
      checked('C26', 'Its endpoint is the MCP server `web-fetch`.', searchWeb),
      {
        id: 'C27',
        says: 'It is backed by `/v1/search` of LiteLLM.',
        where: '[search.web](web.md#searchweb)',
        tests: [
          'src/toolsets/web/search-web.test.ts: LiteLLM is asked for the query, and its results come back',
          'src/toolsets/web/search-web.test.ts: an address that ends in %s is understood',
        ],
      },
      checked('C28', 'The input is an object.', searchWeb),
      checked('C29', 'The input requires `query`.', searchWeb),
      checked('C30', 'The input has no other properties.', searchWeb),
      checked('C31', '`query` is a string.', searchWeb),
      checked('C32', '`query` has at least one character.', searchWeb),
      checked('C33', '`max_results` is an integer.', searchWeb),
      checked('C34', '`max_results` is at least 1.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: %s is refused'],
      }),
      checked('C35', '`max_results` is at most 25.', searchWeb, {
        tests: [
          'src/toolsets/web/search-web.test.ts: %s is refused',
          'src/toolsets/web/search-web.test.ts: never more results than were asked for, whatever the search answers',
        ],
      }),
      checked('C36', 'The output is an object.', searchWeb),
      checked('C37', 'The output requires `results`.', searchWeb),
      checked('C38', 'The output has no other properties.', searchWeb),
      checked('C39', '`results` is an array.', searchWeb),
      checked('C40', 'A result is an object.', searchWeb),
      checked('C41', 'A result requires `title`, `url` and `snippet`.', searchWeb),
      checked('C42', 'A result has no other properties.', searchWeb),
      checked('C43', '`title` of a result is a string.', searchWeb),
      checked('C44', '`url` of a result is a string.', searchWeb),
      checked('C45', '`snippet` of a result is a string.', searchWeb),
      checked('C46', '`date` of a result is a string or null, and optional.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: the date %j becomes %j'],
      }),
      checked('C47', 'An invalid query is `invalid_query`, 400.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: %s is an invalid query'],
      }),
      checked('C48', 'A failure of the search engine is `upstream_failure`, 502.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: %s is a failure of the search that says what to check'],
      }),
      checked('C49', 'A search that takes too long is `timeout`, 504.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: a search that takes too long is a timeout'],
      }),
    ],
  },
  {
    title: 'web.fetch',
    statements: [
      checked('C50', 'Its status is planned.', fetchPage, { decision: ['0025'] }),
      {
        id: 'C51',
        says: 'Its transport is MCP over stdio.',
        where: fetchPage,
        tests: [
          'test/seed-toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
        ],
      },
      checked('C52', 'Its endpoint is the MCP server `web-fetch`.', fetchPage),
      checked('C53', 'The input is an object.', fetchPage),
      checked('C54', 'The input requires `url`.', fetchPage),
      checked('C55', 'The input has no other properties.', fetchPage),
      checked('C56', '`url` is a string.', fetchPage),
      checked('C57', '`url` is a URI.', fetchPage, { tests: ['src/toolsets/web/fetch-page.test.ts: %s is refused'] }),
      checked('C58', '`include_raw_html` is a boolean.', fetchPage),
      checked('C59', '`include_raw_html` is false by default.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: the page as it came is there exactly when it is asked for'],
      }),
      checked('C60', 'The output is an object.', fetchPage),
      checked('C61', 'The output requires `final_url` and `clean_text`.', fetchPage),
      checked('C62', 'The output has no other properties.', fetchPage),
      checked('C63', '`final_url` is a string, a URI.', fetchPage),
      checked('C64', '`title` is a string or null.', fetchPage, {
        tests: [
          'src/toolsets/web/fetch-page.test.ts: an article comes back as text, with what the page says about itself',
        ],
      }),
      checked('C65', '`byline` is a string or null.', fetchPage, {
        tests: [
          'src/toolsets/web/fetch-page.test.ts: an article comes back as text, with what the page says about itself',
        ],
      }),
      checked('C66', '`published_at` is a string or null.', fetchPage, {
        tests: [
          'src/toolsets/web/fetch-page.test.ts: an article comes back as text, with what the page says about itself',
        ],
      }),
      checked('C67', '`lang` is a string or null.', fetchPage, {
        tests: [
          'src/toolsets/web/fetch-page.test.ts: an article comes back as text, with what the page says about itself',
        ],
      }),
      checked('C68', '`clean_text` is a string.', fetchPage, {
        tests: [
          'src/toolsets/web/fetch-page.test.ts: an article comes back as text, with what the page says about itself',
        ],
      }),
      checked('C69', '`clean_text` has at least one character.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: %s cannot be read, and the failure says why'],
      }),
      checked('C70', '`raw_html` is a string.', fetchPage),
      {
        id: 'C71',
        says: 'The raw page is in the answer if it was asked for.',
        where: fetchPage,
        tests: ['src/toolsets/web/fetch-page.test.ts: the page as it came is there exactly when it is asked for'],
        decision: ['0026'],
      },
      checked('C72', 'A page that cannot be fetched is `fetch_failed`, 502.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: %s cannot be had, and the failure says why'],
      }),
      checked('C73', 'A page without text is `parse_failed`, 422.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: %s cannot be read, and the failure says why'],
      }),
      checked('C74', 'A page that takes too long is `timeout`, 504.', fetchPage, {
        tests: ['src/capabilities/pages.test.ts: who waits for a turn can give up, and the time runs while waiting'],
      }),
    ],
  },
]
