import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { ToolError, type ToolErrorOptions } from '../../contract/tool-error.ts'
import { AnswerTooLargeError } from './fetch-bounded.ts'
import type { ModelSettings, SettingNames } from './read-model-settings.ts'
import { dispensable, type Setting } from './to-body.ts'

/** The codes that `model` fails with. */
export type ModelErrorCode = 'model_error' | 'timeout'

/** The endpoint answered with an error status. */
export class EndpointError extends ToolError<ModelErrorCode> {
  readonly status: number
  /** The endpoint's message, redacted and shortened; may be empty. */
  readonly said: string

  constructor(message: string, { status, said, ...options }: ToolErrorOptions & { status: number; said: string }) {
    super('model_error', message, options)
    this.status = status
    this.said = said
  }
}

/** A stream that ended without its end marker. */
export class BrokenOffError extends Error {}

export interface Failure {
  readonly error: ToolError<ModelErrorCode>
  /** Whether a retry may help. */
  readonly again?: boolean
  /** How long the endpoint asks to wait before a retry. */
  readonly waitMs?: number
  /** Parameters of the request that the endpoint rejects. */
  readonly refused?: Setting
}

/** The cause of a failure if the endpoint works and only this answer of the model is invalid. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

/** The endpoint responded, but not with an answer. */
export function toNoAnswer(reason: string, about?: 'url' | 'limit' | 'endpoint'): ToolError<ModelErrorCode> {
  const suggestions = {
    url: 'Check the URL of the model (TOOLPACT_MODEL_URL, or model.url in the config): it must be an OpenAI-compatible endpoint, usually one that ends in /v1.',
    limit: 'Ask for less, or use a model or endpoint with a higher token limit.',
    other: 'Try again, or use another model (TOOLPACT_MODEL, or model.model in the config).',
    endpoint: "Try again, use another model (TOOLPACT_MODEL), or look into the endpoint's own log.",
  }
  return new ToolError('model_error', `The model gave no answer: ${printable(reason)}.`, {
    suggestion: suggestions[about ?? 'other'],
    ...(about !== 'url' && about !== 'endpoint' && { cause: new NoAnswerError(reason) }),
  })
}

/** `hasBegun`: the answer was streamed, and stopped in the middle. */
export function toModelTimeout(
  { model, url }: ModelSettings,
  timeoutMs: number,
  hasBegun: boolean,
): ToolError<ModelErrorCode> {
  const seconds = timeoutMs / 1000
  const what = hasBegun ? `stopped in its answer: silent for ${seconds} s` : `did not answer within ${seconds} s`
  return new ToolError('timeout', `The model ${model} at ${toPlace(url)} ${what}.`, {
    suggestion:
      'Try again, allow more time (model.timeoutMs in the config, or --timeout SECONDS of chat and ask), or use a faster model.',
  })
}

/** The model cannot be reached as configured. */
export function toNotConfigured({
  fault,
  suggestion,
}: {
  fault: string
  suggestion: string
}): ToolError<ModelErrorCode> {
  return new ToolError('model_error', fault, { suggestion })
}

/** What went wrong, without the key, and whether to retry. The library's errors are not passed on. */
export function judgeFailure(cause: unknown, settings: ModelSettings): Failure {
  if (cause instanceof ToolError) return { error: withoutKey(cause, settings) }
  if (chainOf(cause).some((error) => error instanceof AnswerTooLargeError))
    return { error: toNoAnswer('the answer is larger than 16 MiB') }
  if (cause instanceof BrokenOffError) return toUnreachable(settings, 'the connection closed before the answer ended')
  if (cause instanceof SyntaxError) return { error: toNoAnswer('the stream contains invalid JSON', 'url') }
  const { status, error, headers } = cause as ApiError
  if (typeof status === 'number') return judgeStatus(status, { error, headers }, settings)
  // An error in the middle of a stream.
  if (error !== undefined)
    return { error: toNoAnswer(`the endpoint returned an error${toWords(error, settings)}`, 'endpoint') }
  return toUnreachable(settings, toReason(cause))
}

/** The fields of the library's error that we read, declared here so that the library need not be loaded. */
interface ApiError {
  readonly status?: number
  readonly error?: unknown
  readonly headers?: Headers
}

function judgeStatus(
  status: number,
  { error: body, headers }: Pick<ApiError, 'error' | 'headers'>,
  settings: ModelSettings,
): Failure {
  const place = toPlace(settings.url)
  const said = toWords(body, settings)
  const names = namesOf(settings)
  const fail = (message: string, suggestion: string) => new EndpointError(message, { status, said, suggestion })
  if (status === 401 || status === 403) {
    const isMissing = settings.key === undefined
    return {
      error: fail(
        `The endpoint of the model at ${place} ${isMissing ? 'requires a key, and none is set' : 'refused the key'} (${status}).`,
        isMissing
          ? 'Set TOOLPACT_MODEL_KEY to the key, or name the variable that holds it as model.keyEnv in the config.'
          : `Set ${names.key} to a key that is valid there.`,
      ),
    }
  }
  if (status === 404) return { error: /model/i.test(said) ? toUnknownModel() : toNoEndpoint() }
  if (status >= 300 && status < 400) {
    return {
      error: fail(
        `The endpoint of the model at ${place} redirects elsewhere (${status}), which is not followed.`,
        `Set ${names.url} to the address itself.`,
      ),
    }
  }
  if (status === 429 || status === 408 || status >= 500) {
    const waitMs = toWait(headers)
    const words = status === 429 ? 'has had enough requests for now' : 'failed'
    const later = waitMs === undefined ? 'Try again later' : `Try again in ${Math.ceil(waitMs / 1000)} s`
    const suggestion =
      status === 429
        ? `${later}, check the limits and the quota of your account there, or set ${names.model} to another model.`
        : `${later}, or look into the endpoint's own log.`
    return {
      error: new EndpointError(`The endpoint of the model at ${place} ${words} (${status})${said}.`, {
        ...{ status, said, suggestion },
        ...(waitMs !== undefined && { retryAfterMs: waitMs }),
      }),
      again: !/insufficient_quota/.test(JSON.stringify(body ?? '')),
      ...(waitMs !== undefined && { waitMs }),
    }
  }
  return {
    error: fail(
      `The endpoint of the model at ${place} refused the request (${status})${said}.`,
      'Check that the model and its endpoint support the request, such as tools and long texts.',
    ),
    ...toRefused(body),
  }

  function toUnknownModel() {
    return fail(
      `The endpoint at ${place} does not know the model ${settings.model} (404)${said}.`,
      `Set ${names.model} to a model that it serves. To list them: curl ${place}/models`,
    )
  }

  function toNoEndpoint() {
    const guess = /\/v\d+$/.test(new URL(settings.url).pathname) ? '' : `, such as ${place}/v1`
    return fail(
      `There is no chat endpoint at ${place}, or it does not know the model ${settings.model} (404)${said}.`,
      `Set ${names.url} to the address of an OpenAI-compatible endpoint, which usually ends in /v1${guess}; or set ${names.model} to a model that it serves.`,
    )
  }
}

/** Settings that were not read from the environment or the config have the usual names. */
function namesOf({ names }: ModelSettings): Required<SettingNames> {
  const url = 'TOOLPACT_MODEL_URL (model.url in the config)'
  const model = 'TOOLPACT_MODEL (model.model in the config)'
  return { url, model, key: 'TOOLPACT_MODEL_KEY', ...names }
}

/** Reasoning models reject `temperature`, and some endpoints lack parameters that others have. */
function toRefused(body: unknown): { refused?: Setting } {
  const said = JSON.stringify(body ?? '')
  if (!/unsupported|not support|unknown|unrecogni[sz]ed|unexpected|extra|not permitted/i.test(said)) return {}
  const refused = dispensable.find((setting) => said.includes(setting))
  return refused ? { refused } : {}
}

function toUnreachable(settings: ModelSettings, reason: string): Failure {
  const message = `The model at ${toPlace(settings.url)} cannot be reached: ${reason}.`
  return {
    error: new ToolError('model_error', message, {
      suggestion: `Check that the endpoint is running, and that ${namesOf(settings).url} is its address.`,
    }),
    again: true,
  }
}

const reasons: { readonly [code: string]: string } = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'the name could not be resolved',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
}

function toReason(cause: unknown): string {
  const code = chainOf(cause)
    .map((error) => (error as NodeJS.ErrnoException).code)
    .find((code) => typeof code === 'string')
  return code === undefined ? 'the connection was closed' : (reasons[code] ?? code)
}

function chainOf(cause: unknown): Error[] {
  const chain: Error[] = []
  for (let error = cause; error instanceof Error && chain.length < 8; error = error.cause) chain.push(error)
  return chain
}

const maxWords = 200

/** The endpoint's message, shortened, on one line and without the key. */
function toWords(body: unknown, { key }: ModelSettings): string {
  const message = findMessage(body)
  if (!message) return ''
  const redacted = key === undefined ? message : message.replaceAll(key, '[key]')
  return `: ${printable(shorten(redacted, maxWords)).replace(/[.\s]+$/, '')}`
}

function findMessage(body: unknown, depth = 0): string | undefined {
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null || depth === 3) return undefined
  const { message, error, detail } = body as Record<string, unknown>
  return [message, error, detail].map((part) => findMessage(part, depth + 1)).find((found) => found !== undefined)
}

function withoutKey(error: ToolError, { key }: ModelSettings): ToolError<ModelErrorCode> {
  const message = key === undefined ? error.message : error.message.replaceAll(key, '[key]')
  return new ToolError('model_error', shorten(message, 600), { suggestion: error.suggestion!, cause: error.cause })
}

/** The endpoint's address, without anything that may be a secret. */
function toPlace(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname === '/' ? '' : pathname}`
}

/** `Retry-After` in seconds or as a date, or its variant in milliseconds. */
function toWait(headers: Headers | undefined): number | undefined {
  const exact = Number(headers?.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(exact) && exact >= 0) return exact
  const text = headers?.get('retry-after')
  if (!text) return undefined
  const ms = /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
