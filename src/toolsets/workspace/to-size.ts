/** `512 bytes`, `5.2 KB`, `1.0 MB`. */
export function toSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  const kilobytes = (bytes / 1024).toFixed(1)
  return kilobytes === '1024.0' || bytes >= 1_048_576 ? `${(bytes / 1_048_576).toFixed(1)} MB` : `${kilobytes} KB`
}
