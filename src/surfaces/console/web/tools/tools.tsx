import { useEffect, useState } from 'preact/hooks'
import { shorten } from '../../../../contract/text/shorten.ts'
import type { ToolPage, ToolRow } from '../../api/tools.ts'
import { type ApiError, get, toApiError, toPath } from '../api.ts'
import { RiskBadge } from '../parts/badges.tsx'
import { Empty } from '../parts/empty.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { formatCount, plural } from '../parts/format.ts'
import { Panes } from '../parts/panes.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { changeQuery, navigate, route, toAddress } from '../router.ts'
import { useKeys } from '../shell/keys.ts'
import { serverChanges } from '../stream/stream.ts'
import { ToolView } from './tool-view.tsx'

const pageSize = 200

/** The catalogue: every tool that a caller could see, and the contract of one of them. */
export default function ToolsPage() {
  const { item, query } = route.value
  return (
    <Panes
      list={<ToolList key={`${query.text}/${query.toolset}`} />}
      detail={item === null ? null : <ToolView key={item} id={item} />}
      hint={<p class="dim">Choose a tool to read its contract and to try it.</p>}
      back={{ href: toAddress('tools', null, query), text: 'All tools' }}
    />
  )
}

function ToolList() {
  const { item, query } = route.value
  const { tools, page, error, more, reload } = useTools(query.text ?? '', query.toolset ?? '')
  const [cursor, setCursor] = useState(-1)
  const toTool = (tool: ToolRow) => toAddress('tools', tool.id, query)
  const move = (by: number) => setCursor(Math.max(0, Math.min(tools.length - 1, cursor + by)))
  useKeys([
    { key: 'j', about: 'next tool', repeats: true, run: () => move(1) },
    { key: 'k', about: 'previous tool', repeats: true, run: () => move(-1) },
    { key: 'Enter', about: 'open the tool', run: () => tools[cursor] && navigate(toTool(tools[cursor])) },
  ])
  if (error) return <ErrorNote error={error} retry={reload} />
  if (page === undefined) return <Skeleton />
  const isFiltered = Boolean(query.text || query.toolset)
  return (
    <>
      <div class="pane-bar">
        <select
          aria-label="Toolset"
          value={query.toolset ?? ''}
          onChange={(event) => changeQuery({ toolset: event.currentTarget.value })}
        >
          <option value="">All toolsets</option>
          {page.toolsets.map((toolset) => (
            <option key={toolset.name} value={toolset.name}>
              {shorten(toolset.name, 40)} ({toolset.tools})
            </option>
          ))}
        </select>
        <span class="dim">{plural(page.total, 'tool')}</span>
        {isFiltered && (
          <button type="button" class="small" onClick={() => changeQuery({ text: '', toolset: '' })}>
            show all
          </button>
        )}
      </div>
      {tools.length === 0 && isFiltered && <Empty title="No tool matches">Try fewer or other words.</Empty>}
      {tools.length === 0 && !isFiltered && (
        <Empty title="No tools yet" command="toolpact mcp add NAME -- COMMAND">
          Enable toolsets in the config, or add an MCP server.
        </Empty>
      )}
      {tools.length > 0 && (
        <VirtualList
          label="Tools"
          count={tools.length}
          rowHeight={() => 58}
          keyOf={(index) => tools[index]!.id}
          row={(index) => <Row tool={tools[index]!} href={toTool(tools[index]!)} isOpen={tools[index]!.id === item} isAtCursor={index === cursor} />} // biome-ignore format: one line
          cursor={cursor === -1 ? undefined : cursor}
          onEnd={more}
        />
      )}
    </>
  )
}

function Row(props: { tool: ToolRow; href: string; isOpen: boolean; isAtCursor: boolean }) {
  const { tool } = props
  return (
    <a
      class={props.isAtCursor ? 'item-row at-cursor' : 'item-row'}
      href={props.href}
      aria-current={props.isOpen ? 'true' : undefined}
    >
      <span class="one-line">
        <b class="clip">
          <bdi>{tool.id}</bdi>
        </b>
        {tool.status !== 'active' && <span class="badge dim">{tool.status}</span>}
        <RiskBadge risk={tool.risk} />
        <span class="dim number" title="Approximate tokens of its definition in a model's context">
          {formatCount(tool.tokens)} tok
        </span>
      </span>
      <span class="dim clip">
        <bdi>{tool.description.slice(0, 200)}</bdi>
      </span>
    </a>
  )
}

/** The tools so far; `more` loads the next page. */
function useTools(text: string, toolset: string) {
  const [tools, setTools] = useState<readonly ToolRow[]>([])
  const [page, setPage] = useState<ToolPage>()
  const [error, setError] = useState<ApiError>()
  const [isLoading, setLoading] = useState(false)
  const load = async (offset: number, signal?: AbortSignal) => {
    setLoading(true)
    try {
      const next = await get<ToolPage>(toPath(['tools'], { text, toolset, offset, limit: pageSize }), signal)
      setPage(next)
      setError(undefined)
      setTools((before) => [...before.slice(0, offset), ...next.tools])
    } catch (cause) {
      if (!signal?.aborted) setError(toApiError(cause))
    }
    setLoading(false)
  }
  const change = serverChanges.value
  useEffect(() => {
    const abort = new AbortController()
    void load(0, abort.signal)
    return () => abort.abort()
  }, [change])
  const more = () => {
    if (!isLoading && page !== undefined && tools.length < page.total) void load(tools.length)
  }
  return { tools, page, error, more, reload: () => void load(0) }
}
