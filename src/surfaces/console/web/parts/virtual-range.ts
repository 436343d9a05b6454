/** Which rows of a long list are in view. */
export interface VirtualRange {
  /** First row to render, and the one after the last. */
  readonly first: number
  readonly end: number
  /** Height of the whole list, and where the first rendered row begins, in pixels. */
  readonly height: number
  readonly offset: number
}

export interface VirtualView {
  readonly count: number
  readonly rowHeight: number
  readonly scrollTop: number
  readonly viewHeight: number
}

/** Browsers lay out no element that is much taller. Beyond it, a pixel of the scroll bar stands for several pixels of the list. */
export const maxHeight = 8_000_000
const overscan = 8

export function toVirtualRange({ count, rowHeight, scrollTop, viewHeight }: VirtualView): VirtualRange {
  const full = count * rowHeight
  const height = Math.min(full, maxHeight)
  const top = Math.min(Math.max(scrollTop, 0), Math.max(height - viewHeight, 0))
  // Both ends of the scroll bar are both ends of the list.
  const fullTop = height === full ? top : (top / (height - viewHeight)) * (full - viewHeight)
  const first = Math.max(0, Math.floor(fullTop / rowHeight) - overscan)
  const end = Math.min(count, Math.ceil((fullTop + viewHeight) / rowHeight) + overscan)
  return { first, end, height, offset: first * rowHeight - fullTop + top }
}

/** Where to scroll so that a row is in view; the current position if it is. */
export function toScrollTop(view: VirtualView, index: number): number {
  const { count, rowHeight, scrollTop, viewHeight } = view
  const full = count * rowHeight
  const height = Math.min(full, maxHeight)
  const scale = height === full ? 1 : (full - viewHeight) / (height - viewHeight)
  const fullTop = scrollTop * scale
  const rowTop = index * rowHeight
  if (rowTop < fullTop) return rowTop / scale
  return rowTop + rowHeight > fullTop + viewHeight ? (rowTop + rowHeight - viewHeight) / scale : scrollTop
}
