import { useEffect, useState } from 'preact/hooks'

const settleMs = 500

/** False for half a second after `what` has changed, so that nobody presses a button of something that just moved there. */
export function useSettled(what: string): boolean {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(what), settleMs)
    return () => clearTimeout(timer)
  }, [what])
  return settled === what
}
