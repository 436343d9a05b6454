import type { Lesson } from './lessons.ts'
import { scoreArticles } from './score-articles.ts'
import { scorePages } from './score-pages.ts'
import { scoreSegments } from './score-segments.ts'

/** The scores of texts by the metric of each set. */
export function scoreTexts(texts: readonly { lesson: Lesson; text: string }[]) {
  return {
    articles: scoreArticles(
      texts.flatMap(({ lesson: { page }, text }) =>
        'articleBody' in page ? [{ expected: page.articleBody, found: text }] : [],
      ),
    ),
    segments: scoreSegments(
      texts.flatMap(({ lesson: { page }, text }) => ('with' in page ? [{ ...page, found: text }] : [])),
    ),
    pages: scorePages(
      texts.flatMap(({ lesson: { page }, text }) =>
        'content' in page ? [{ expected: page.content, found: text }] : [],
      ),
    ),
  }
}
