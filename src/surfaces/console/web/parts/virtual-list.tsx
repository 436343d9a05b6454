import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { toScrollTop, toVirtualRange } from './virtual-range.ts'

interface Props {
  readonly label: string
  readonly count: number
  /** All rows have the same height in pixels, which may depend on the width of the list. */
  readonly rowHeight: (width: number) => number
  readonly keyOf: (index: number) => string | number
  readonly row: (index: number) => ComponentChildren
  /** Kept in view. */
  readonly cursor?: number | undefined
  /** The last rows are in view: time to load more. */
  readonly onEnd?: (() => void) | undefined
  readonly onScroll?: ((top: number) => void) | undefined
  /** Below the last row. */
  readonly footer?: ComponentChildren
}

/** A list of hundreds of thousands of rows, of which only those in view are in the document. It scrolls within its parent. */
export function VirtualList(props: Props) {
  const { count, cursor } = props
  const box = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  const [top, setTop] = useState(0)
  const rowHeight = props.rowHeight(size.width)
  useLayoutEffect(() => {
    const element = box.current!
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const view = { count, rowHeight, scrollTop: top, viewHeight: size.height }
  useLayoutEffect(() => {
    if (cursor === undefined || cursor < 0 || size.height === 0) return
    box.current!.scrollTop = toScrollTop({ ...view, scrollTop: box.current!.scrollTop }, cursor)
  }, [cursor, size.height, rowHeight])
  const range = toVirtualRange(view)
  const isAtEnd = size.height > 0 && range.end >= count
  useLayoutEffect(() => {
    if (isAtEnd) props.onEnd?.()
  }, [isAtEnd, count])
  return (
    <div
      ref={box}
      class="virtual"
      onScroll={(event) => {
        setTop(event.currentTarget.scrollTop)
        props.onScroll?.(event.currentTarget.scrollTop)
      }}
    >
      <div class="virtual-space" style={{ height: `${range.height}px` }}>
        <ul aria-label={props.label} style={{ transform: `translateY(${range.offset}px)` }}>
          {Array.from({ length: range.end - range.first }, (_, n) => {
            const index = range.first + n
            return (
              <li
                key={props.keyOf(index)}
                style={{ height: `${rowHeight}px` }}
                aria-setsize={count}
                aria-posinset={index + 1}
              >
                {props.row(index)}
              </li>
            )
          })}
        </ul>
      </div>
      {props.footer}
    </div>
  )
}
