import type { Contract } from '../../contract/contract.ts'
import { SimilarWords } from './similar-words.ts'
import { findSynonyms } from './synonyms.ts'
import { toFields } from './to-fields.ts'
import { toWords } from './words.ts'

/** A tool as listed in the catalog. */
export interface Searchable {
  readonly id: string
  readonly toolset: string
  readonly tool: { readonly contract: Contract }
}

interface Posting {
  readonly places: number[]
  readonly weights: number[]
}

const maxQueryCharacters = 4000
const maxQueryWords = 64

/** BM25's k1 (term frequency saturation) and b (length normalization). */
const saturation = 0.8
const lengthShare = 0.85
/** Weights of words that are similar to the queried one. */
const formWeight = 0.3
const synonymWeight = 0.3
const meantWeight = 0.7

/**
 * Finds tools by words, offline: BM25 over weighted fields. The cost of a query is the length of its posting lists, and
 * an update costs only what has changed. docs/mcp.md has the measurements.
 */
export class ToolIndex<Entry extends Searchable> {
  /** By slot; undefined for removed tools, until the index is rebuilt. */
  #entries: (Entry | undefined)[] = []
  #places = new Map<string, number>()
  #postings = new Map<string, Posting>()
  #similar = new SimilarWords()
  #listed: readonly Entry[] | undefined
  /** By slot, all zero between searches. */
  #scores = new Float64Array(0)
  #weights = new Float64Array(0)

  /** Replaces the list to search. Tools with the same contract objects as before are not indexed again. */
  update(entries: readonly Entry[]): void {
    if (entries === this.#listed) return
    this.#listed = entries
    const kept = new Set<string>()
    for (const entry of entries) {
      kept.add(entry.id)
      const place = this.#places.get(entry.id)
      if (place !== undefined && this.#entries[place]?.tool.contract === entry.tool.contract) {
        this.#entries[place] = entry
        continue
      }
      if (place !== undefined) this.#remove(entry.id)
      this.#add(entry)
    }
    for (const id of this.#places.keys()) if (!kept.has(id)) this.#remove(id)
    if (this.#entries.length > 2 * this.#places.size + 100) this.#rebuild(entries)
    if (this.#scores.length < this.#entries.length) {
      this.#scores = new Float64Array(this.#entries.length * 2)
      this.#weights = new Float64Array(this.#entries.length * 2)
    }
  }

  /** The best matches, best first, without tools that `isAllowed` rejects or that contain no word of the query. */
  search(query: string, limit: number, isAllowed: (entry: Entry) => boolean = () => true): Entry[] {
    const words = new Set(toWords(query.slice(0, maxQueryCharacters)))
    const scores = this.#scores
    const found: number[] = []
    for (const word of [...words].slice(0, maxQueryWords)) {
      const places = this.#weigh(word)
      const rarity = Math.log(1 + Math.max(0, this.#places.size - places.length + 0.5) / (places.length + 0.5))
      for (const place of places) {
        const weight = this.#weights[place]!
        this.#weights[place] = 0
        if (scores[place] === 0) found.push(place)
        scores[place]! += ((rarity + minRarity) * weight) / (weight + saturation)
      }
    }
    const best = this.#pickBest(found, limit, isAllowed)
    for (const place of found) scores[place] = 0
    return best
  }

  /** Adds to `#weights` how much each tool has of a word and its variants. Returns the slots of those tools. */
  #weigh(word: string): number[] {
    const places: number[] = []
    const isKnown = this.#collect(word, 1, places)
    for (const form of this.#similar.findForms(word)) this.#collect(form, formWeight, places)
    for (const synonym of findSynonyms(word)) this.#collect(synonym, synonymWeight, places)
    const meant = isKnown ? undefined : this.#similar.findMeant(word)
    if (meant !== undefined) this.#collect(meant, meantWeight, places)
    return places
  }

  #collect(word: string, factor: number, found: number[]): boolean {
    const posting = this.#postings.get(word)
    if (!posting) return false
    const { places, weights } = posting
    for (let at = 0; at < places.length; at++) {
      const place = places[at]!
      if (this.#weights[place] === 0) found.push(place)
      this.#weights[place]! += weights[at]! * factor
    }
    return true
  }

  /** Insertion into a short sorted list: sorting all matches would cost more than the search. */
  #pickBest(found: readonly number[], limit: number, isAllowed: (entry: Entry) => boolean): Entry[] {
    const scores = this.#scores
    const isBetter = (a: number, b: number) => scores[a]! > scores[b]! || (scores[a] === scores[b] && a < b)
    const best: number[] = []
    for (const place of found) {
      if (best.length === limit && !isBetter(place, best[limit - 1]!)) continue
      const entry = this.#entries[place]
      if (!entry || !isAllowed(entry)) continue
      let at = best.length === limit ? limit - 1 : best.length
      for (; at > 0 && isBetter(place, best[at - 1]!); at--) best[at] = best[at - 1]!
      best[at] = place
    }
    return best.slice(0, limit).map((place) => this.#entries[place]!)
  }

  #add(entry: Entry): void {
    const place = this.#entries.push(entry) - 1
    this.#places.set(entry.id, place)
    const weights = new Map<string, number>()
    for (const { text, weight, usualWords } of toFields(entry.toolset, entry.tool.contract)) {
      const words = toWords(text)
      const each = weight / (1 - lengthShare + (lengthShare * words.length) / usualWords)
      for (const word of words) weights.set(word, (weights.get(word) ?? 0) + each)
    }
    for (const [word, weight] of weights) {
      const posting = this.#postings.get(word) ?? this.#addWord(word)
      posting.places.push(place)
      posting.weights.push(weight)
    }
  }

  #addWord(word: string): Posting {
    const posting: Posting = { places: [], weights: [] }
    this.#postings.set(word, posting)
    this.#similar.add(word)
    return posting
  }

  #remove(id: string): void {
    this.#entries[this.#places.get(id)!] = undefined
    this.#places.delete(id)
  }

  /** Drops removed tools. */
  #rebuild(entries: readonly Entry[]): void {
    this.#entries = []
    this.#places = new Map()
    this.#postings = new Map()
    this.#similar = new SimilarWords()
    for (const entry of entries) this.#add(entry)
  }
}

/** A word that every tool has still counts a little. */
const minRarity = 0.01
