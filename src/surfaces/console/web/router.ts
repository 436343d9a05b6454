import { computed, signal } from '@preact/signals'

/** What the address names: `/console/PAGE/ITEM?QUERY`. */
export interface Route {
  readonly page: string
  readonly item: string | null
  readonly query: Readonly<Record<string, string>>
}

export type Query = Readonly<Record<string, string | number | undefined>>

const base = '/console'

export function fromAddress(path: string, search: string): Route {
  const [page = '', item] = path.slice(base.length).split('/').filter(Boolean)
  return {
    page: decode(page),
    item: item === undefined ? null : decode(item),
    query: Object.fromEntries(new URLSearchParams(search)),
  }
}

/** The address of a page. Empty query values are left out, so that an unfiltered list has one address. */
export function toAddress(page: string, item?: string | null, query: Query = {}): string {
  const path = [base, page, item ?? ''].filter(Boolean).map((part, n) => (n === 0 ? part : encodeURIComponent(part)))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, `${value}`]])),
  )
  return path.join('/') + (search.size === 0 ? '' : `?${search}`)
}

const address = signal({ path: '', search: '' })

export const route = computed(() => fromAddress(address.value.path, address.value.search))

export function navigate(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  readAddress()
}

/** Changes the query of the current page. Typing in a filter replaces the history entry instead of adding one per key. */
export function changeQuery(change: Query): void {
  const { page, item, query } = route.value
  navigate(toAddress(page, item, { ...query, ...change }), { replace: true })
}

/** Follows the address, and turns clicks on the console's own links into changes of it. */
export function startRouter(): void {
  readAddress()
  addEventListener('popstate', readAddress)
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.origin !== location.origin || link.target || !isPage(link.pathname)) return
    event.preventDefault()
    navigate(link.pathname + link.search)
  })
}

function isPage(path: string): boolean {
  return path === base || (path.startsWith(`${base}/`) && !path.startsWith(`${base}/api/`))
}

function readAddress(): void {
  address.value = { path: location.pathname, search: location.search }
}

/** A shared link can be mangled on its way: a malformed escape is shown as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
