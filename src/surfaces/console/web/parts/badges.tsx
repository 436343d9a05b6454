import type { ServerState } from '../../api/servers.ts'

interface Look {
  /** Colour is never the only sign. */
  readonly sign: string
  readonly kind: 'ok' | 'ask' | 'no' | 'dim'
}

const actions: Readonly<Record<'allow' | 'ask' | 'deny', Look>> = {
  allow: { sign: '✓', kind: 'ok' },
  ask: { sign: '?', kind: 'ask' },
  deny: { sign: '✕', kind: 'no' },
}

const states: Readonly<Record<ServerState, Look>> = {
  ready: { sign: '✓', kind: 'ok' },
  idle: { sign: '○', kind: 'dim' },
  installing: { sign: '…', kind: 'ask' },
  starting: { sign: '…', kind: 'ask' },
  failed: { sign: '✕', kind: 'no' },
  stopped: { sign: '■', kind: 'dim' },
}

const severities: Readonly<Record<string, Look>> = {
  breaking: { sign: '✕', kind: 'no' },
  compatible: { sign: '✓', kind: 'ok' },
  flagged: { sign: '!', kind: 'ask' },
}

const risks: Readonly<Record<string, Look['kind']>> = { safe_write: 'ask', dangerous: 'no' }

export function ActionBadge({ action }: { readonly action: keyof typeof actions }) {
  return <Badge {...actions[action]} text={action} />
}

export function StateBadge({ state }: { readonly state: ServerState }) {
  return <Badge {...states[state]} text={state} />
}

export function SeverityBadge({ severity }: { readonly severity: string }) {
  return <Badge {...(severities[severity] ?? { sign: '•', kind: 'dim' })} text={severity} />
}

export function RiskBadge({ risk }: { readonly risk: string }) {
  return <span class={`badge ${risks[risk] ?? 'dim'}`}>{risk.replace('_', ' ')}</span>
}

function Badge({ sign, kind, text }: Look & { readonly text: string }) {
  return (
    <span class={`badge ${kind}`}>
      <span aria-hidden="true">{sign}</span> {text}
    </span>
  )
}
