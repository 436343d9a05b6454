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

/** What can be read about the tools. Each page is made once for each list of tools. */
export function createPages(catalog: Served['catalog'], { version, allowsPublic }: PageOptions) {
  const documents = rememberPages((entries: Entries) => toRestDocument(entries, { version, allowsPublic }))
  const lists = rememberPages(toToolList)
  // What is served says nothing that does not hold here.
  const contracts = rememberPages(allowsPublic ? (contract: Contract) => contract : withoutPublicAccess)
  const find = createToolFinder(catalog)

  return {
    async sendDocument(request: IncomingMessage, response: ServerResponse, caller: Caller) {
      sendPage(request, response, documents(await catalog.all(caller)))
    },
    async sendTools(request: IncomingMessage, response: ServerResponse, caller: Caller) {
      const query = toQuery(request.url)
      if (query.length > maxQueryCharacters)
        return sendProblem(response, 'bad_request', { detail: `q has at most ${maxQueryCharacters} characters.` })
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

/** The catalog gives the same list, and the same entry, while nothing changes. */
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

/** How many tools a search gives. */
const maxFound = 20

/** What `GET /v1/tools?q=words` looks for. */
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

/** What `GET /v1/tools` gives: enough to choose a tool, and where its contract is. */
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
