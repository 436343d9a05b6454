/** Loaded with `--import` before a program: its clock is wrong by this many milliseconds. */
const skewMs = Number(process.env.TEST_CLOCK_SKEW_MS)
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [RealDate.now() + skewMs] : given) as [number]))
  }
  static override now() {
    return RealDate.now() + skewMs
  }
} as DateConstructor
