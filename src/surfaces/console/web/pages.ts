import type { ComponentType } from 'preact'
import type { Overview } from '../api/api.ts'
import Calls from './calls/calls.tsx'
import Inbox from './inbox/inbox.tsx'
import Now from './now/now.tsx'
import Rules from './rules/rules.tsx'
import Tools from './tools/tools.tsx'

/** A page of the console. */
export interface Page {
  readonly name: string
  readonly title: string
  /** Not in the navigation: reached from another page. */
  readonly isHidden?: boolean
  /** The search field in the header sets `text` in this page's query. On other pages it searches calls. */
  readonly search?: string
  /** How many things need attention. */
  readonly count?: (overview: Overview) => number
  readonly content?: ComponentType
  /** Loads the content, where its code is large. */
  readonly load?: () => Promise<{ readonly default: ComponentType }>
}

export const pages: readonly Page[] = [
  { name: 'inbox', title: 'Inbox', count: (now) => now.questions, content: Inbox },
  { name: 'now', title: 'Now', content: Now },
  { name: 'calls', title: 'Calls', search: 'Search the inputs of calls', content: Calls },
  { name: 'runs', title: 'Runs', count: (now) => now.runs, load: () => import('./runs/runs.tsx') },
  { name: 'tools', title: 'Tools', search: 'Search tools', content: Tools },
  {
    name: 'servers',
    title: 'Servers',
    count: (now) => now.reviews + now.servers.failed,
    load: () => import('./servers/servers.tsx'),
  },
  { name: 'lock', title: 'Lock review', isHidden: true, load: () => import('./lock/lock.tsx') },
  { name: 'connect', title: 'Connect', isHidden: true, load: () => import('./connect/connect.tsx') },
  { name: 'connected', title: 'Connected', isHidden: true, load: () => import('./connect/connected.tsx') },
  { name: 'rules', title: 'Rules', content: Rules },
  { name: 'plots', title: 'Plots', load: () => import('./plots/plots.tsx') },
  { name: 'sessions', title: 'Sessions', isHidden: true, load: () => import('./sessions/sessions.tsx') },
  { name: 'proof', title: 'Proof', isHidden: true, load: () => import('./proof/proof.tsx') },
]
