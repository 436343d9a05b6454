/** Holds the place of what is being loaded; the style sheet shows it after 300 ms. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="hidden">Loading</span>
      {Array.from({ length: rows }, (_, n) => (
        <div key={n} />
      ))}
    </div>
  )
}
