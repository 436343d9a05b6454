import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/living-contracts.test.ts')
const searchWeb = '[`search.web`](tools.md#web-fetchsearchweb)'
const fetchPage = '[`web.fetch`](tools.md#web-fetchwebfetch)'

/** The toolset `web-fetch`. */
export const web: readonly Group[] = [
  {
    title: 'search.web',
    statements: [
      checked('C22', 'Its status is active.', searchWeb),
      {
        id: 'C23',
        says: 'Its transport is MCP over stdio.',
        where: searchWeb,
        tests: [
          'test/seed-toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
        ],
      },
      checked('C24', 'Its endpoint is the MCP server `web-fetch`.', searchWeb),
      {
        id: 'C25',
        says: 'It is backed by `/v1/search` of LiteLLM.',
        where: '[search.web](web.md#searchweb)',
        tests: [
          'src/toolsets/web/search-web.test.ts: LiteLLM is asked for the query, and its results come back',
          'src/toolsets/web/search-web.test.ts: an address that ends in %s is understood',
        ],
      },
      checked('C26', 'The input is an object.', searchWeb),
      checked('C27', 'The input requires `query`.', searchWeb),
      checked('C28', 'The input has no other properties.', searchWeb),
      checked('C29', '`query` is a string.', searchWeb),
      checked('C30', '`query` has at least one character.', searchWeb),
      checked('C31', '`max_results` is an integer.', searchWeb),
      checked('C32', '`max_results` is at least 1.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: %s is refused'],
      }),
      checked('C33', '`max_results` is at most 25.', searchWeb, {
        tests: [
          'src/toolsets/web/search-web.test.ts: %s is refused',
          'src/toolsets/web/search-web.test.ts: never more results than were asked for, whatever the search answers',
        ],
      }),
      checked('C34', 'The output is an object.', searchWeb),
      checked('C35', 'The output requires `results`.', searchWeb),
      checked('C36', 'The output has no other properties.', searchWeb),
      checked('C37', '`results` is an array.', searchWeb),
      checked('C38', 'A result is an object.', searchWeb),
      checked('C39', 'A result requires `title`, `url` and `snippet`.', searchWeb),
      checked('C40', 'A result has no other properties.', searchWeb),
      checked('C41', '`title` of a result is a string.', searchWeb),
      checked('C42', '`url` of a result is a string.', searchWeb),
      checked('C43', '`snippet` of a result is a string.', searchWeb),
      checked('C44', '`date` of a result is a string or null, and optional.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: the date %j becomes %j'],
      }),
      checked('C45', 'An invalid query is `invalid_query`, 400.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: %s is an invalid query'],
      }),
      checked('C46', 'A failure of the search engine is `upstream_failure`, 502.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: %s is a failure of the search that says what to check'],
      }),
      checked('C47', 'A search that takes too long is `timeout`, 504.', searchWeb, {
        tests: ['src/toolsets/web/search-web.test.ts: a search that takes too long is a timeout'],
      }),
    ],
  },
  {
    title: 'web.fetch',
    statements: [
      checked('C48', 'Its status is planned.', fetchPage, { decision: ['0025'] }),
      {
        id: 'C49',
        says: 'Its transport is MCP over stdio.',
        where: fetchPage,
        tests: [
          'test/seed-toolsets.test.ts: over stdio it has the names and schemas of its document, and does what it says',
        ],
      },
      checked('C50', 'Its endpoint is the MCP server `web-fetch`.', fetchPage),
      checked('C51', 'The input is an object.', fetchPage),
      checked('C52', 'The input requires `url`.', fetchPage),
      checked('C53', 'The input has no other properties.', fetchPage),
      checked('C54', '`url` is a string.', fetchPage),
      checked('C55', '`url` is a URI.', fetchPage, { tests: ['src/toolsets/web/fetch-page.test.ts: %s is refused'] }),
      checked('C56', '`include_raw_html` is a boolean.', fetchPage),
      checked('C57', '`include_raw_html` is false by default.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: the page as it came is there exactly when it is asked for'],
      }),
      checked('C58', 'The output is an object.', fetchPage),
      checked('C59', 'The output requires `final_url` and `clean_text`.', fetchPage),
      checked('C60', 'The output has no other properties.', fetchPage),
      checked('C61', '`final_url` is a string, a URI.', fetchPage),
      checked('C62', '`title` is a string or null.', fetchPage, {
        tests: [
          'src/toolsets/web/fetch-page.test.ts: an article comes back as text, with what the page says about itself',
        ],
      }),
      checked('C63', '`byline` is a string or null.', fetchPage, {
        tests: [
          'src/toolsets/web/fetch-page.test.ts: an article comes back as text, with what the page says about itself',
        ],
      }),
      checked('C64', '`published_at` is a string or null.', fetchPage, {
        tests: [
          'src/toolsets/web/fetch-page.test.ts: an article comes back as text, with what the page says about itself',
        ],
      }),
      checked('C65', '`lang` is a string or null.', fetchPage, {
        tests: [
          'src/toolsets/web/fetch-page.test.ts: an article comes back as text, with what the page says about itself',
        ],
      }),
      checked('C66', '`clean_text` is a string.', fetchPage, {
        tests: [
          'src/toolsets/web/fetch-page.test.ts: an article comes back as text, with what the page says about itself',
        ],
      }),
      checked('C67', '`clean_text` has at least one character.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: %s cannot be read, and the failure says why'],
      }),
      checked('C68', '`raw_html` is a string.', fetchPage),
      {
        id: 'C69',
        says: 'The raw page is in the answer if it was asked for.',
        where: fetchPage,
        tests: ['src/toolsets/web/fetch-page.test.ts: the page as it came is there exactly when it is asked for'],
        decision: ['0026'],
      },
      checked('C70', 'A page that cannot be fetched is `fetch_failed`, 502.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: %s cannot be had, and the failure says why'],
      }),
      checked('C71', 'A page without text is `parse_failed`, 422.', fetchPage, {
        tests: ['src/toolsets/web/fetch-page.test.ts: %s cannot be read, and the failure says why'],
      }),
      checked('C72', 'A page that takes too long is `timeout`, 504.', fetchPage, {
        tests: ['src/capabilities/pages.test.ts: who waits for a turn can give up, and the time runs while waiting'],
      }),
    ],
  },
]
