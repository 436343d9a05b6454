/** Whether what goes by this name (a key, a variable, an option, a header) is likely a secret. */
export function isSecretName(name: string): boolean {
  if (name.length > 256 || currentFolder.test(name)) return false
  const folded = name.toLowerCase().replace(separators, '')
  return (secretNames.test(folded) && !aboutSecrets.test(folded)) || pass.test(name)
}

/** As a word of its own, as in `DB_PASS` and `dbPass`; a compass and a bypass are none. */
const pass = /(?:^|[_.-])(?:pass|PASS)$|Pass$/

/** In lower case this may be a password. */
const currentFolder = /^(?:OLD)?PWD$/

const separators = /[\s._-]+/g

/** Over names in lower case without separators: `apiKey`, `API_KEY` and `api-key` are the same. */
const secretNames = new RegExp(
  [
    // Wherever they stand in the name. A secretary is no secret.
    'password|passwd|passphrase|passcode|secret(?!ar)|credential|authorization|cookie',
    'apikey|privatekey|accesskey|accountkey|signingkey|encryptionkey|masterkey|sshkey|connectionstring',
    // At the end only: `token_count` and `max_tokens` are numbers, and these other tokens open nothing.
    '(?<!page|next|continuation|cursor|progress|stop|start|end|eos|bos|pad|unk|sep|mask)token$|jwt$|pwd$',
    '^auth$|^bearer$|^otp$',
  ].join('|'),
)

/** `password_file` and `cookie_name` say something about a secret, and not the secret. */
const aboutSecrets = /(?:file|path|dir|name|id|type|length|count|size|limit|age|ttl|policy|enabled|required)$/
