/** Whether the value of this key, variable, option or header is likely a secret. */
export function isSecretName(name: string): boolean {
  if (name.length > 256 || currentFolder.test(name)) return false
  const folded = name.toLowerCase().replace(separators, '')
  return (secretNames.test(folded) && !aboutSecrets.test(folded)) || pass.test(name)
}

/** Only as a separate word, as in `DB_PASS` and `dbPass`, not in `compass` or `bypass`. */
const pass = /(?:^|[_.-])(?:pass|PASS)$|Pass$/

/** In lower case this may be a password. */
const currentFolder = /^(?:OLD)?PWD$/

const separators = /[\s._-]+/g

/** Matched against lower-case names without separators: `apiKey`, `API_KEY` and `api-key` are equal. */
const secretNames = new RegExp(
  [
    // Anywhere in the name, except for `secretary`.
    'password|passwd|passphrase|passcode|secret(?!ar)|credential|authorization|cookie',
    'apikey|privatekey|accesskey|accountkey|signingkey|encryptionkey|masterkey|sshkey|connectionstring',
    // At the end only: `token_count` and `max_tokens` are numbers, and the excluded tokens are not credentials.
    '(?<!page|next|continuation|cursor|progress|stop|start|end|eos|bos|pad|unk|sep|mask)token$|jwt$|pwd$',
    '^auth$|^bearer$|^otp$',
    // Of OpenTelemetry: they hold the credentials for a collector.
    '^otelexporterotlp(?:traces|metrics|logs)?headers$',
  ].join('|'),
)

/** `password_file` and `cookie_name` describe a secret and do not contain it. */
const aboutSecrets = /(?:file|path|dir|name|id|type|length|count|size|limit|age|ttl|policy|enabled|required)$/
