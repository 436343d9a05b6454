/** The media type detected from the first few hundred bytes, if any. */
export function mediaTypeOf(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head.subarray(0, 512))
  const found = signatures.find(([pattern]) => pattern.test(text))
  return found?.[1]
}

/** One character per byte. */
const signatures: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^BM.{12}[\x0c\x28\x34\x38\x40\x6c\x7c]\x00\x00\x00/s, 'image/bmp'],
  [/^(?:II\x2a\x00|MM\x00\x2a)/, 'image/tiff'],
  [/^\x00\x00\x01\x00[\x01-\x40]\x00/, 'image/x-icon'],
  [/^.{4}ftypavi[fs]/s, 'image/avif'],
  [/^.{4}ftyp(?:heic|heix|heim|heis|mif1|msf1)/s, 'image/heic'],
  [/^\xff\x0a|^\x00\x00\x00\x0cJXL /, 'image/jxl'],
  [/^RIFF.{4}WAVE/s, 'audio/wav'],
  [/^ID3|^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/, 'audio/mpeg'],
  [/^\xff[\xf0\xf1\xf8\xf9]/, 'audio/aac'],
  [/^OggS/, 'audio/ogg'],
  [/^fLaC/, 'audio/flac'],
  [/^.{4}ftypM4[AB]/s, 'audio/mp4'],
  [/^FORM.{4}AIF[FC]/s, 'audio/aiff'],
  [/^MThd/, 'audio/midi'],
  [/^.{4}ftyp/s, 'video/mp4'],
  [/^\x1aE\xdf\xa3/, 'video/webm'],
  [/^%PDF-/, 'application/pdf'],
  [/^PK(?:\x03\x04|\x05\x06)/, 'application/zip'],
  [/^\x1f\x8b/, 'application/gzip'],
  [/^(?:\x7fELF|MZ.{2})/s, 'application/x-executable'],
  [/^(?:\xef\xbb\xbf)?\s*(?:<(?:\?xml|!doctype svg)[^>]*>\s*|<!--.*?-->\s*)*<svg[\s>]/is, 'image/svg+xml'],
  [/^(?:\xef\xbb\xbf)?\s*<(?:!doctype|html|head|body|script|!--)/i, 'text/html'],
]

/** Aliases. The first one is what `mediaTypeOf` returns. */
const aliases: readonly (readonly string[])[] = [
  ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  ['image/x-icon', 'image/vnd.microsoft.icon', 'image/ico'],
  ['image/bmp', 'image/x-ms-bmp', 'image/x-bmp'],
  ['image/heic', 'image/heif'],
  ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
  ['audio/mpeg', 'audio/mp3', 'audio/mpeg3', 'audio/x-mpeg'],
  ['audio/aac', 'audio/x-aac', 'audio/aacp'],
  ['audio/ogg', 'audio/opus', 'audio/vorbis', 'video/ogg', 'application/ogg'],
  ['audio/flac', 'audio/x-flac'],
  ['audio/mp4', 'audio/m4a', 'audio/x-m4a'],
  ['audio/aiff', 'audio/x-aiff'],
  ['audio/midi', 'audio/x-midi', 'audio/mid'],
  ['video/mp4', 'audio/mp4', 'audio/m4a', 'audio/x-m4a', 'video/quicktime', 'video/x-m4v', 'audio/3gpp', 'video/3gpp'],
  ['video/webm', 'audio/webm', 'video/x-matroska', 'audio/x-matroska'],
]

/** Whether a declared type matches the detected one. */
export function isSameType(found: string, declared: string): boolean {
  return found === declared || aliases.some(([first, ...others]) => first === found && others.includes(declared))
}

/** Whether `mediaTypeOf` detects this type, so that other bytes cannot be of it. */
export function isRecognised(type: string): boolean {
  return signatures.some(([, known]) => isSameType(known, type))
}
