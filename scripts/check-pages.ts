/** Checks the links of all pages and the wording of hand-written ones. markdownlint and cspell check the rest: see `npm run check`. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findBrokenLinks, withoutCode } from '../test/documents/document-checks.ts'

/** Words that read like a translation, and what to write instead. */
const poorWords: readonly (readonly [RegExp, string])[] = [
  [/\bgo(?:es)? before (?:it|them|those|what)\b/gi, '"overrides" or "takes precedence over"'],
  [/\bunder way\b/gi, '"in flight", "running" or "pending"'],
  [/\btaken back\b/gi, '"cancelled" or "withdrawn"'],
  [/\bwhoever\b/gi, '"anyone who", or name the person'],
  [/\bnobody\b/gi, '"no one" or "not"'],
  [/\b(?:is|are) none\b/gi, '"is not" or "there is no"'],
  [/\bheard of lately\b/gi, '"recently healthy"'],
  [/\bso long is waited\b/gi, '"debounce" or "wait up to"'],
  [/\bwhat stands\b|\bstands (?:in(?! for)|there|beside)\b/gi, '"is in" or "contains"'],
  [/tells(?! (?:you|a|the|it|them|clients|models|your|people|tools))/gi, '"reports", "shows" or "says"'],
  [/\bhas come\b/gi, '"has arrived" or "has resolved"'],
  [/\bin the midst of\b/gi, '"during"'],
  [/\bwill do\b/gi, '"works" or "is enough"'],
  [/\b(?:most|longest|fewest) (?:bytes|characters|milliseconds)\b/gi, '"max" or "min"'],
]

const root = new URL('../', import.meta.url)
const pages = globSync(['*.md', 'docs/**/*.md', '.github/**/*.md'], { cwd: fileURLToPath(root) }).sort()
for (const page of pages) {
  const address = new URL(page, root)
  const text = readFileSync(address, 'utf8').replaceAll('\r\n', '\n')
  for (const link of findBrokenLinks(text, address).broken) report(page, `broken link: ${link}`)
  // Records are not rewritten; what is generated from code or measurements is checked there.
  if (!/^docs\/(?:decisions\/|profiles\/|api\.md|tools\.md|errors\.md|requirements\.md|benchmarks\.md|failure-matrix\.md)/.test(page)) checkWording(page, text) // biome-ignore format: one line
}

function checkWording(page: string, text: string): void {
  const current = page === 'CHANGELOG.md' ? text.split(/^## (?!Unreleased)/m)[0]! : text
  for (const [index, line] of withoutCode(current).split('\n').entries())
    for (const [pattern, instead] of poorWords)
      for (const [found] of line.matchAll(pattern)) report(`${page}:${index + 1}`, `"${found}": write ${instead}`)
}

function report(place: string, problem: string): void {
  console.error(`${place}: ${problem}`)
  process.exitCode = 1
}
