import type { ComponentType } from 'preact'
import type { Overview } from '../api/api.ts'

/** A page of the console. `load` returns its code, whose default export is the page. */
export interface Page {
  readonly name: string
  readonly title: string
  /** Not in the navigation: reached from another page. */
  readonly isHidden?: boolean
  /** The search field in the header sets `text` in this page's query. On other pages it searches calls. */
  readonly search?: string
  /** How many things need attention. */
  readonly count?: (overview: Overview) => number
  readonly load: () => Promise<{ readonly default: ComponentType }>
}

export const pages: readonly Page[] = [
  { name: 'inbox', title: 'Inbox', count: (now) => now.questions, load: () => import('./inbox/inbox.tsx') },
  { name: 'now', title: 'Now', load: () => import('./now/now.tsx') },
  { name: 'calls', title: 'Calls', search: 'Search the inputs of calls', load: () => import('./calls/calls.tsx') },
  { name: 'tools', title: 'Tools', search: 'Search tools', load: () => import('./tools/tools.tsx') },
  {
    name: 'servers',
    title: 'Servers',
    count: (now) => now.reviews + now.servers.failed,
    load: () => import('./servers/servers.tsx'),
  },
  { name: 'lock', title: 'Lock review', isHidden: true, load: () => import('./lock/lock.tsx') },
  { name: 'rules', title: 'Rules', load: () => import('./rules/rules.tsx') },
  { name: 'plots', title: 'Plots', load: () => import('./plots/plots.tsx') },
]
