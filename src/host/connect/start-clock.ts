import type { UpstreamFailure } from './client.ts'

/** The first `npx` or `docker run` may download hundreds of megabytes. */
export const defaultInstallMs = 600_000

interface ClockOptions {
  readonly startMs: number
  /** Separate limit for installation. */
  readonly installMs: number
  readonly toLate: (isInstalling: boolean) => UpstreamFailure
}

/** The timeout of a start. It is paused while the server is being installed, which has a separate timeout. */
export class StartClock {
  readonly #controller = new AbortController()
  readonly #toLate: ClockOptions['toLate']
  readonly #left: { start: number; install: number }
  #kind: 'start' | 'install' = 'start'
  #since = performance.now()
  #timer: NodeJS.Timeout | undefined

  constructor({ startMs, installMs, toLate }: ClockOptions) {
    this.#toLate = toLate
    this.#left = { start: startMs, install: installMs }
    this.#run()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  set isInstalling(isInstalling: boolean) {
    clearTimeout(this.#timer)
    this.#left[this.#kind] -= performance.now() - this.#since
    this.#kind = isInstalling ? 'install' : 'start'
    this.#run()
  }

  abort(reason: UpstreamFailure) {
    this.#controller.abort(reason)
  }

  stop() {
    clearTimeout(this.#timer)
  }

  #run() {
    this.#since = performance.now()
    const end = () => this.abort(this.#toLate(this.#kind === 'install'))
    this.#timer = setTimeout(end, Math.max(0, this.#left[this.#kind]))
  }
}
