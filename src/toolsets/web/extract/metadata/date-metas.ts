/** Names of `<meta>` elements with dates, in lower case. */

export const articleMetas = [
  'article:published_time',
  'og:article:published_time',
  'og:published_time',
  'article:published',
]

export const statedMetas = [
  'datepublished',
  'dc.date.issued',
  'dcterms.issued',
  'dcterms.available',
  'citation_publication_date',
  'citation_date',
  'citation_online_date',
  'parsely-pub-date',
  'sailthru.date',
  'publish-date',
  'publish_date',
  'publication_date',
  'publicationdate',
  'published_time',
  'published',
  'pubdate',
  'article.published',
  'cxenseparse:recs:publishtime',
  'bt:pubdate',
  'originalpublicationdate',
  'article_date_original',
  'video:release_date',
  'displaydate',
  'dateposted',
  'pdate',
]

/** Systems use these for the date of publication, and of the last edition, and of the record. */
export const vagueMetas = [
  'dc.date.created',
  'dcterms.created',
  'dc.date',
  'dcterms.date',
  'date',
  'article.created',
  'created',
  'creation_date',
  'datecreated',
  'last.published',
  'date_created',
  'dc.created',
  'doc_date',
  'timestamp',
  'release_date',
]

/**
 * Other names that say the same, such as `w-published-date` and `vr:published_time`; dates first, because a time may be
 * that of the last build.
 */
export function findPublicationMetas(names: Iterable<string>): string[] {
  const found = [...names].filter((name) => name.length < 60 && publication.test(name) && !changed.test(name))
  return found.sort((a, b) => Number(a.endsWith('time')) - Number(b.endsWith('time')))
}

const publication =
  /pub(?:lish(?:ed)?|lication)?[-_.: ]?(?:date|time|on|at)$|date[-_.: ]?(?:published|publication|issued)$/
const changed = /modif|updat|last/
