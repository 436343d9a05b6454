import type { Page } from '../../../../tool-parts/html/tree.ts'
import { findByline } from './find-byline.ts'
import { findPublished } from './find-published.ts'
import { findTitle } from './find-title.ts'
import { type Survey, surveyPage } from './survey-page.ts'

/** Each value is plain text on one line, of bounded length, or null if unknown. */
export interface Metadata {
  readonly title: string | null
  /** Names of people, joined by commas. */
  readonly byline: string | null
  /** `YYYY-MM-DD`, or with time and zone if both are known. */
  readonly publishedAt: string | null
  /** A language tag such as `de` or `en-GB`. */
  readonly lang: string | null
}

export function readMetadata(page: Page, { url }: { readonly url: string }): Metadata {
  const survey = surveyPage(page, url)
  const title = findTitle(survey)
  return {
    title: title?.text ?? null,
    byline: findByline(survey, title),
    publishedAt: findPublished(survey, title?.heading),
    lang: findLang(survey),
  }
}

function findLang({ lang, metas, linked }: Survey): string | null {
  const said = [
    lang,
    metas.get('content-language')?.[0],
    metas.get('og:locale')?.[0],
    linked.lang,
    metas.get('dc.language')?.[0],
  ]
  for (const text of said) {
    const tag = /^\s*([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?![a-z\d])/i.exec(text ?? '')
    if (!tag) continue
    const [, language, script, region] = tag
    const parts = [
      language!.toLowerCase(),
      script && script[0]!.toUpperCase() + script.slice(1).toLowerCase(),
      region?.toUpperCase(),
    ]
    return parts.filter((part) => part !== undefined).join('-')
  }
  return null
}
