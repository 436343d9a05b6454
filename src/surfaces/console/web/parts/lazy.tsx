import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Empty } from './empty.tsx'
import { Skeleton } from './skeleton.tsx'

interface Props<Inner> {
  /** The same function each time. */
  readonly load: () => Promise<{ readonly default: ComponentType<Inner> }>
  readonly props?: Inner
}

/** What is seldom needed: its code is loaded when it is shown. */
export function Lazy<Inner>({ load, props }: Props<Inner>) {
  const [Loaded, setLoaded] = useState<ComponentType<Inner> | 'failed'>()
  useEffect(() => {
    load().then(
      (module) => setLoaded(() => module.default),
      () => setLoaded('failed'),
    )
  }, [load])
  if (Loaded === undefined) return <Skeleton />
  if (Loaded !== 'failed') return <Loaded {...props!} />
  return (
    <Empty title="This could not be loaded">
      The server may have been updated.{' '}
      <button type="button" onClick={() => location.reload()}>
        Load the console again
      </button>
    </Empty>
  )
}
