/** Gives headings the anchors that GitHub gives them: the second heading of a name ends in -1. */
export function countSlugs(headings: readonly string[]): (heading: string) => string {
  const counts = new Map<string, number>()
  function toSlug(heading: string): string {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-')
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
  for (const heading of headings) toSlug(heading)
  return toSlug
}
