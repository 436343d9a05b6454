import { isObject, type JsonObject, type JsonValue } from '../../../../contract/json.ts'
import type { Found } from '../web-search.ts'
import type { SearchSettings } from './read-search-settings.ts'

/** Builds requests for one kind of search, and interprets the responses. Pure. */
export interface SearchProvider {
  readonly title: string
  /** The setting that holds its address. */
  readonly setting: string
  toRequest(settings: SearchSettings, query: string, maxResults: number): { url: string; body?: JsonObject }
  /** Undefined if the response is invalid. */
  toFound(answer: JsonValue): Found[] | undefined
  /** Why a request failed, and what to check. */
  explain(status: number, answer: JsonValue): { reason: string; check: string }
}

/** The objects in a list of results; undefined if there is no list. */
export function listResults(answer: JsonValue): JsonObject[] | undefined {
  const results = isObject(answer) ? answer.results : undefined
  return Array.isArray(results) ? results.filter(isObject) : undefined
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** The message in an error response: `{ error: { message } }`, `{ detail: { error } }`, `{ error }`. */
export function wordsOf(answer: JsonValue | undefined, depth = 0): string {
  if (typeof answer === 'string') return answer
  if (!isObject(answer) || depth === 3) return ''
  return wordsOf(answer.message ?? answer.error ?? answer.detail, depth + 1)
}
