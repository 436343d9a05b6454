import type { Contract } from '../../../contract/contract.ts'
import { escapeHtml } from '../../../contract/text/escape-html.ts'
import { shortenMiddle } from '../../../contract/text/shorten.ts'
import type { CatalogEntry } from '../../../runtime/pipeline/catalog.ts'
import { type ClientConfig, tokenPlaceholder } from '../../client-configs.ts'
import { script, style } from './page-style.ts'

export interface StartPageContent {
  readonly url: string
  readonly caller: string
  /** Undefined if none is needed, or only the caller knows it. */
  readonly token: string | undefined
  readonly entries: readonly Pick<CatalogEntry<never>, 'name' | 'tool'>[]
  readonly clients: readonly ClientConfig[]
  readonly nonce: string
}

/** Limit of contracts on the page. */
const maxShown = 500
const maxText = 20_000

/** The start page. Contracts are untrusted: every text goes through `escapeHtml`. */
export function toStartPage({ url, caller, token, entries, clients, nonce }: StartPageContent): string {
  const shown = entries.slice(0, maxShown)
  const rest = entries.length - shown.length
  return toPage(
    nonce,
    `<header><h1>Toolpact</h1>
<p>${entries.length} ${entries.length === 1 ? 'tool' : 'tools'} at <code>${escapeHtml(url)}</code> for the caller <code>${escapeHtml(caller)}</code></p></header>
<main>
${token === undefined ? '' : toTokenSection(token)}
<section><h2>Use them from</h2>
${clients.map(toClient).join('\n')}
</section>
<section><h2>Tools</h2>
${shown.map(({ name, tool }) => toTool(name, tool.contract)).join('\n')}
${rest > 0 ? `<p>${rest} more: <code>toolpact list</code> shows them all.</p>` : ''}
</section>
</main>
<footer><p>MCP <code>/mcp</code> · REST <code>/v1/tools</code> · OpenAPI <code>/openapi.json</code> · health <code>/healthz</code>, <code>/readyz</code></p></footer>`,
  )
}

/** For visitors without a valid link. */
export function toDoorPage({ nonce, isOld }: { nonce: string; isOld: boolean }): string {
  const why = isOld ? 'This link was used before, or is too old.' : 'This page opens with a link.'
  return toPage(
    nonce,
    `<header><h1>Toolpact</h1></header>
<main><section><p>${why} Make a new one on the machine that serves:</p>
${toCopyable('toolpact token link')}
</section></main>`,
  )
}

function toPage(nonce: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Toolpact</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body>
${body}
<script nonce="${nonce}">${script}</script>
</body>
</html>
`
}

/** The token occurs once, and is hidden until requested: pages get shared and printed. */
function toTokenSection(token: string): string {
  return `<section><h2>Your token</h2>
<p><code id="token" data-token="${escapeHtml(token)}">${'•'.repeat(16)}</code> <button type="button" id="reveal">Reveal</button> <button type="button" id="copy-token">Copy</button></p>
<p class="title">The copy buttons below put it in place of <code>${tokenPlaceholder}</code>.</p>
</section>`
}

function toClient({ client, where, text, note }: ClientConfig): string {
  return `<details class="client"><summary>${escapeHtml(client)} <small>${escapeHtml(where)}</small></summary>
${toCopyable(text)}
${note === undefined ? '' : `<p class="title">${escapeHtml(note)}</p>`}
</details>`
}

function toCopyable(text: string): string {
  return `<div class="copyable"><pre><code>${escapeHtml(text)}</code></pre><button type="button">Copy</button></div>`
}

function toTool(name: string, contract: Contract): string {
  const { title, description, risk, approval, status, version, input, output, errors } = contract
  const marks = [risk, ...(approval === 'ask' ? ['asks first'] : []), ...(status === 'active' ? [] : [status])]
  return `<article>
<h3><code>${escapeHtml(name)}</code> ${marks.map((mark) => `<span class="mark ${escapeHtml(mark.replace(/\W/g, '-'))}">${escapeHtml(mark)}</span>`).join(' ')}</h3>
<p class="title">${escapeHtml(title)} · version ${escapeHtml(version)}</p>
<p class="description">${escapeHtml(cut(description))}</p>
${toDetails('Input', toJson(input))}
${toDetails('Output', toJson(output))}
${errors.length > 0 ? toDetails('Errors', toErrors(contract)) : ''}
${toDetails('Limits', toLimits(contract))}
</article>`
}

function toDetails(title: string, content: string): string {
  return `<details><summary>${title}</summary>${content}</details>`
}

function toJson(value: unknown): string {
  return `<pre><code>${escapeHtml(cut(JSON.stringify(value, null, 2)))}</code></pre>`
}

function toErrors({ errors }: Contract): string {
  const rows = errors.map(
    ({ code, status, when, suggestion }) =>
      `<tr><td><code>${escapeHtml(code)}</code></td><td>${status}</td><td>${escapeHtml(when)} ${escapeHtml(suggestion)}</td></tr>`,
  )
  return `<table><tbody>${rows.join('')}</tbody></table>`
}

function toLimits({ limits }: Contract): string {
  const { calls, concurrency, timeoutMs, inputBytes, outputBytes } = limits
  const rows = [
    ...(calls ? [['Calls', `${calls.count} in ${calls.windowMs / 1000} s, per caller`]] : []),
    ...(concurrency === undefined ? [] : [['At once', `${concurrency}`]]),
    ['Time', `${timeoutMs / 1000} s`],
    ['Input', `${inputBytes} bytes`],
    ['Output', `${outputBytes} bytes`],
  ]
  return `<table><tbody>${rows.map(([name, value]) => `<tr><td>${name}</td><td>${value}</td></tr>`).join('')}</tbody></table>`
}

function cut(text: string): string {
  return shortenMiddle(text, { start: maxText, end: 0, gap: (omitted) => `… (${omitted} more characters)` })
}
