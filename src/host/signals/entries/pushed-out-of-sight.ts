import type { Signal } from '../signal.ts'

export const pushedOutOfSight: Signal = {
  id: 'pushed-out-of-sight',
  looksFor: 'long runs of spaces or empty lines with text behind them',
  why: 'In a window of ordinary size nobody sees what comes after.',
  tools: 0,
  pattern: /[ \t\u00a0\u2000-\u200a\u3000]{100}|(?:\n[ \t]{0,40}\r?){24}/,
}
