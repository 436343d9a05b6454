/** Goes on with a value: at once where it is there, else when it has come. Waiting costs more than most of what goes on. */
export function whenThere<Value, Result>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return isPromiseLike(value) ? Promise.resolve(value).then(next) : next(value)
}

/** As `await` sees it, so that nothing which is still to come is taken for a value. */
export function isPromiseLike<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as PromiseLike<Value> | null | undefined)?.then === 'function'
}
