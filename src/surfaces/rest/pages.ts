import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Contract } from '../../contract/contract.ts'
import { digestText } from '../../contract/digest.ts'
import type { JsonObject } from '../../contract/json.ts'
import { withoutPublicAccess } from '../../contract/public-access.ts'
import type { Caller } from '../../contract/tool.ts'
import { createToolFinder, maxQueryCharacters } from '../../projections/tool-search/tool-finder.ts'
import type { CatalogEntry } from '../../runtime/pipeline/catalog.ts'
import { toResolveError } from '../../runtime/pipeline/resolve-error.ts'
import { sendProblem } from '../http/send-problem.ts'
import type { Served } from '../served.ts'
import { sendAnswer, toProblemAnswer } from './answer.ts'
import { toRestDocument } from './rest-document.ts'

type Entries = readonly CatalogEntry<never>[]

interface Page {
  readonly body: Buffer
  readonly etag: string
}

interface PageOptions {
  readonly version: string
  /** Public tools can be called without a token. */
  readonly allowsPublic: boolean
}

/** Documents about the tools, each rendered once per list of tools. */
export function createPages(catalog: Served['catalog'], { version, allowsPublic }: PageOptions) {
  const documents = rememberPages((entries: Entries) => toRestDocument(entries, { version, allowsPublic }))
  const lists = rememberPages(toToolList)
  // Without the public flag of contracts if this server does not allow public calls.
  const contracts = rememberPages(allowsPublic ? (contract: Contract) => contract : withoutPublicAccess)
  const find = createToolFinder(catalog)

  return {
    async sendDocument(request: IncomingMessage, response: ServerResponse, caller: Caller) {
      sendPage(request, response, documents(await catalog.all(caller)))
    },
    async sendTools(request: IncomingMessage, response: ServerResponse, caller: Caller) {
      const query = toQuery(request.url)
      if (query.length > maxQueryCharacters)
        return sendProblem(response, 'bad_request', { detail: `q must have at most ${maxQueryCharacters} characters.` })
      if (query !== '')
        return sendPage(request, response, toPage(toToolList((await find(query, maxFound, caller)).found)))
      sendPage(request, response, lists(await catalog.all(caller)))
    },
    async sendContract(
      request: IncomingMessage,
      response: ServerResponse,
      { name, caller }: { name: string; caller: Caller },
    ) {
      const found = await catalog.find(name, caller)
      if (found.kind === 'found') sendPage(request, response, contracts(found.tool.contract))
      else sendAnswer(response, toProblemAnswer(toResolveError(name, found)))
    },
  }
}

/** Caches by identity: the catalog returns the same objects until something changes. */
function rememberPages<Source extends object>(make: (source: Source) => object) {
  const pages = new WeakMap<Source, Page>()
  return (source: Source): Page => {
    let page = pages.get(source)
    if (!page) {
      page = toPage(make(source))
      pages.set(source, page)
    }
    return page
  }
}

/** Max results of a search. */
const maxFound = 20

/** The search text of `GET /v1/tools?q=words`. */
function toQuery(target = ''): string {
  const start = target.indexOf('?')
  return start === -1 ? '' : (new URLSearchParams(target.slice(start)).get('q') ?? '').trim()
}

function toPage(content: object): Page {
  const text = JSON.stringify(content)
  return { body: Buffer.from(text), etag: `"${digestText(text).slice(-32)}"` }
}

function sendPage({ headers }: IncomingMessage, response: ServerResponse, { body, etag }: Page): void {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  const shared = { ETag: etag, 'Cache-Control': 'private, no-cache' }
  if (known?.includes(etag) || known?.includes('*')) {
    response.writeHead(304, shared)
    response.end()
    return
  }
  response.writeHead(200, { ...shared, 'Content-Type': 'application/json', 'Content-Length': body.length })
  response.end(body)
}

/** The body of `GET /v1/tools`: enough to choose a tool, and the URL of its contract. */
function toToolList(entries: readonly CatalogEntry<never>[]): JsonObject {
  return {
    tools: entries.map(({ id, name, toolset, tool }) => {
      const { title, description, version, status, transport, endpoint, risk, approval } = tool.contract
      const place = { ...(transport !== undefined && { transport }), ...(endpoint !== undefined && { endpoint }) }
      const url = `/v1/tools/${encodeURIComponent(name)}`
      return { name, id, toolset, title, description, version, status, ...place, risk, approval, url }
    }),
    openapi: '/openapi.json',
  }
}
