import { useState } from 'preact/hooks'
import type { Contract } from '../../../../contract/contract.ts'
import { shorten } from '../../../../contract/text/shorten.ts'
import type { ToolDetail } from '../../api/tools.ts'
import { toPath, useRequest } from '../api.ts'
import { RiskBadge } from '../parts/badges.tsx'
import { Digest } from '../parts/copy.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Fact } from '../parts/fact.tsx'
import { formatBytes, formatCount, formatDuration, plural } from '../parts/format.ts'
import { JsonView } from '../parts/json-view.tsx'
import { LongText } from '../parts/long-text.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { RelativeTime } from '../parts/time.tsx'
import { toAddress } from '../router.ts'
import { serverChanges } from '../stream/stream.ts'
import { toParameters } from './to-parameters.ts'
import { TryIt } from './try-it.tsx'

/** A contract for people; its JSON is behind a toggle. */
export function ToolView({ id }: { readonly id: string }) {
  const { data: tool, error, reload } = useRequest<ToolDetail>(toPath(['tools', id]), [serverChanges.value])
  const [isJson, setJson] = useState(false)
  if (tool === undefined) return error ? <ErrorNote error={error} retry={reload} /> : <Skeleton />
  const contract = tool.contract as unknown as Contract
  return (
    <article>
      <div class="block prose">
        <h2>
          <LongText text={tool.id} max={120} /> <RiskBadge risk={tool.risk} />
        </h2>
        {tool.title !== tool.id && (
          <p class="dim">
            <LongText text={tool.title} max={120} />
          </p>
        )}
        <p>
          <LongText text={tool.description} max={1200} />
        </p>
        {tool.notes.map((note) => (
          <p key={note} class="note ask">
            <span aria-hidden="true">!</span> <LongText text={note} />
          </p>
        ))}
      </div>
      <Facts tool={tool} contract={contract} />
      <TryIt tool={tool} contract={contract} />
      <div class="actions block">
        <button type="button" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
          {isJson ? 'Show the contract for people' : 'Show the contract as JSON'}
        </button>
      </div>
      {isJson ? <JsonView value={tool.contract} /> : <ContractView contract={contract} />}
    </article>
  )
}

function Facts({ tool, contract }: { readonly tool: ToolDetail; readonly contract: Contract }) {
  const { calls } = tool
  return (
    <dl class="fields block">
      <Fact name="Approval">
        {tool.approval === 'ask' ? 'a person is asked' : tool.approval === 'never' ? 'not needed' : tool.approval}
      </Fact>
      <Fact name="Calls so far">
        <a href={toAddress('calls', null, { tool: tool.id })}>{formatCount(calls.total)}</a>
        {calls.total > 0 && (
          <>
            , <span class={calls.failed > 0 ? 'no' : ''}>{formatCount(calls.failed)} failed</span>,{' '}
            {formatCount(calls.refused)} refused
          </>
        )}
        {calls.since !== null && (
          <span class="dim">
            {' '}
            since <RelativeTime at={calls.since} />
          </span>
        )}
      </Fact>
      <Fact name="In a model's context">
        about {plural(tool.tokens, 'token')}, as{' '}
        <code>
          <LongText text={tool.servedAs} max={80} />
        </code>
      </Fact>
      <Fact name="Toolset">
        {tool.isUpstream ? (
          <a href={toAddress('servers', tool.toolset)}>
            <bdi>{shorten(tool.toolset, 80)}</bdi>
          </a>
        ) : (
          <a href={toAddress('tools', null, { toolset: tool.toolset })}>
            <bdi>{shorten(tool.toolset, 80)}</bdi>
          </a>
        )}
        {contract.version !== undefined && (
          <span class="dim">
            , version <LongText text={String(contract.version)} max={40} />
          </span>
        )}
        {tool.status !== 'active' && <>, {tool.status}</>}
      </Fact>
      <Fact name="Contract">
        <Digest digest={tool.contractDigest} label="contract digest" />
      </Fact>
    </dl>
  )
}

function ContractView({ contract }: { readonly contract: Contract }) {
  const { effects = {}, limits, errors = [], constraints = [], examples = [] } = contract
  const effectRows = Object.entries(effects).filter(([, names]) => Array.isArray(names) && names.length > 0)
  return (
    <>
      <Parameters title="Parameters" schema={contract.input as never} none="It takes no parameters." />
      <Parameters title="Result" schema={contract.output as never} none="Its result has no declared fields." />
      <section class="block">
        <h3>Effects and limits</h3>
        <dl class="fields">
          {effectRows.map(([name, values]) => (
            <Fact key={name} name={effectWords[name] ?? name}>
              <LongText text={(values as readonly string[]).join(', ')} />
            </Fact>
          ))}
          {effectRows.length === 0 && <Fact name="touches">nothing that its input names</Fact>}
          {limits && (
            <>
              {limits.calls && (
                <Fact name="rate">
                  {plural(limits.calls.count, 'call')} in {formatDuration(limits.calls.windowMs)} per caller
                </Fact>
              )}
              {limits.concurrency !== undefined && <Fact name="at once">{plural(limits.concurrency, 'call')}</Fact>}
              <Fact name="time">{formatDuration(limits.timeoutMs)}</Fact>
              <Fact name="size">
                input {formatBytes(limits.inputBytes)}, output {formatBytes(limits.outputBytes)}
              </Fact>
            </>
          )}
        </dl>
        {constraints.length > 0 && (
          <ul class="bullets prose">
            {constraints.map((text) => (
              <li key={text}>
                <LongText text={text} />
              </li>
            ))}
          </ul>
        )}
      </section>
      {errors.length > 0 && (
        <section class="block">
          <h3>Errors</h3>
          <div class="table-box">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Code</th>
                  <th scope="col">When</th>
                  <th scope="col">What to do</th>
                </tr>
              </thead>
              <tbody>
                {errors.map((error) => (
                  <tr key={error.code}>
                    <td>
                      <code>{error.code}</code>
                    </td>
                    <td>
                      <LongText text={error.when} />
                    </td>
                    <td>
                      <LongText text={error.suggestion} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      {examples.length > 0 && (
        <section class="block">
          <h3>Examples</h3>
          {examples.map((example, index) => (
            <details key={index}>
              <summary>
                <LongText text={example.title ?? `Example ${index + 1}`} max={120} />
              </summary>
              <JsonView
                value={{
                  input: example.input,
                  ...(example.output && { output: example.output }),
                  ...(example.error && { error: example.error }),
                }}
              />
            </details>
          ))}
        </section>
      )}
    </>
  )
}

const effectWords: Readonly<Record<string, string>> = {
  reads: 'reads what is named by',
  writes: 'writes what is named by',
  fetches: 'fetches what is named by',
  runs: 'runs what is named by',
  sends: 'sends to what is named by',
  sendsTo: 'sends to',
  returns: 'returns data that is',
}

function Parameters(props: { readonly title: string; readonly schema: never; readonly none: string }) {
  const rows = toParameters(props.schema)
  return (
    <section class="block">
      <h3>{props.title}</h3>
      {rows.length === 0 ? (
        <p class="dim">{props.none}</p>
      ) : (
        <div class="table-box">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Type</th>
                <th scope="col">Meaning</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.path}>
                  <td>
                    <code>
                      <LongText text={row.path} max={60} />
                    </code>
                    {row.isRequired && <div class="required">required</div>}
                  </td>
                  <td>
                    <LongText text={row.type} max={80} />
                  </td>
                  <td>
                    <LongText text={row.description} />
                    {row.hints.length > 0 && (
                      <div class="dim">
                        <LongText text={row.hints.join('; ')} max={160} />
                      </div>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
