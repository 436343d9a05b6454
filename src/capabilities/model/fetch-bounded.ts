/** Limit on an answer, decompressed. Streams take about two hundred bytes per word. */
const maxBytes = 16_777_216
/** Limit on the body of an error response. */
const maxErrorBytes = 65_536

export class AnswerTooLargeError extends Error {}

/**
 * Sends a request with our headers only (the library would add those of `OPENAI_CUSTOM_HEADERS`), follows no redirects,
 * which could leak texts, and limits the response.
 */
export async function fetchBounded(
  address: string | URL | Request,
  init: RequestInit | undefined,
  key: string | undefined,
): Promise<Response> {
  const response = await fetch(address, {
    method: init?.method ?? 'POST',
    body: init?.body ?? null,
    signal: init?.signal ?? null,
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'user-agent': 'toolpact',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
  })
  const { status, statusText, headers } = response
  const body = response.body?.pipeThrough(createGauge(response.ok ? maxBytes : maxErrorBytes)) ?? null
  return new Response(body, { status, statusText, headers })
}

function createGauge(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > maxBytes) controller.error(new AnswerTooLargeError(`more than ${maxBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
}
