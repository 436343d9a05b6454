/**
 * Continues with a value: at once if it is there, otherwise when its promise resolves. An `async` function would allocate a
 * promise and a suspended frame also for a value that is there (0243).
 */
export function whenReady<Value, Result>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return isPromiseLike(value) ? Promise.resolve(value).then(next) : next(value)
}

/** Whatever `await` would wait for: a storage may return promises of its own kind. */
export function isPromiseLike<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as PromiseLike<Value> | null | undefined)?.then === 'function'
}
