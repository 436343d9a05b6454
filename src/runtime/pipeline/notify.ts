/** Whoever listens must not be able to break a call, whether by throwing at once or by rejecting later. */
export function notify<News>(listener: ((news: News) => unknown) | undefined, news: News) {
  if (listener) new Promise((resolve) => resolve(listener(news))).catch(() => {})
}
