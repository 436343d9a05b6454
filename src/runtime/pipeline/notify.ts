/** Calls a listener. It cannot break the call, neither by throwing nor by rejecting. */
export function notify<News>(listener: ((news: News) => unknown) | undefined, news: News) {
  if (listener) new Promise((resolve) => resolve(listener(news))).catch(() => {})
}
