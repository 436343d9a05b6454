import { inAnyOrder } from '../compile-phrase.ts'
import type { Signal } from '../signal.ts'

export const readsSecrets: Signal = {
  id: 'reads-secrets',
  looksFor: 'files that hold secrets, or secrets that are to be put into a call',
  why: 'Reading a key and passing it on as an argument is how poisoned tools steal.',
  tools: 0,
  phrases: {
    en: [
      'bearer_token|auth_token|access_token|api_key ~2 you_use|you_have|you_know|you_hold',
      'dump ~2 environment|env',
      'environment ~1 dump',
      inAnyOrder(
        7,
        'private_key|private_keys|passwords|password|credentials|secrets|tokens|cookies|wallet|keychain',
        'read|reads|collect|collects|add|adds|include|includes|send|sends|attach|gather|find|search|append|upload|copy|pass|put',
        'all|any|every|users|user|their|home|system|environment|disk|memory|report|parameter',
      ),
      '$files|keychain|password_manager|password_store|credential_store',
      'read|open|cat|load|access|look_up|look_for|retrieve|extract|find|search|search_for|scan|collect|gather|harvest|grab|locate ~6 ssh|env|aws|gnupg|kube|dotfiles ~2 file|files|folder|directory|credentials|config|key|keys',
      'look_for|search_for|find|locate|hunt_for|scan_for|collect|gather|harvest|grab|steal|exfiltrate|leak|dump ~4 private_key|private_keys|password|passwords|credentials|api_keys|secrets|ssh_keys|access_tokens|seed_phrase|environment_variables|env_vars|cookies ~8 include|pass|send|put|into|in|home|and|from|on|as',
      'value|contents|content ~5 env|dotenv|environment',
      inAnyOrder(
        9,
        'tokens|passwords|credentials|secrets|api_keys|keys|private_keys',
        'visible|found|seen|known|conversation|memory|disk|come_across|encountered|stored',
        'field|parameter|argument|here|include|belong|belongs|pass|add|put|into|attach',
      ),
      '$give ~2 ssh|private|secret|api|pgp|gpg ~2 key|keys ~4 so|to|for|here|in|as|that',
      '$give ~5 $hold ~4 $secrets|env|ssh|key_file|config_file|configuration_file',
      '$give ~3 your|all|any|every|available|their|known|found|discovered|stored|saved|users|user|session|current ~3 $secrets',
      '$give ~2 jwt|session_cookie|session_cookies|auth_cookies|bearer_token|ssh_key|ssh_keys|private_key|private_keys|environment_variables|env_vars ~8 of|from|here|in|into|as|current|session|parameter|argument',
      'private_key|ssh_key|password|credentials|secrets ~4 read|found|obtained|from_disk|in_memory ~6 parameter|argument|field',
    ],
    de: [
      inAnyOrder(
        9,
        'passwort|passwörter|passwoerter|schlüssel|zugangsdaten|geheimnis*|schlüsseldatei|token|tokens|anmeldedaten|umgebungsvariable*',
        'lies|lese|lesen|übergib|uebergib|sende|senden|schick*|anhäng*|füge|kopier*|übermittl*|übertrag*',
        'datei|inhalt|parameter|feld|argument|mit|bei',
      ),
    ],
    fr: [
      inAnyOrder(
        9,
        'mot_de_passe|mots_de_passe|clé_privée|clés|identifiants|jeton*|secrets|clé',
        'lis|lisez|lire|envoie|envoy*|transme*|inclu*|ajout*|copi*|joign*',
        'fichier|contenu|paramètre|champ|argument',
      ),
    ],
    es: [
      inAnyOrder(
        9,
        'contraseña*|clave*|credencial*|secretos|token|tokens',
        'lee|lea|leer|envi*|inclu*|copi*|adjunt*|pas*|añad*|transmit*',
        'archivo|contenido|parametro|campo|argumento|fichero',
      ),
    ],
    zh: [
      inAnyOrder(
        14,
        '密码|密碼|密钥|密鑰|凭证|憑證|私钥|私鑰|令牌|环境变量',
        '读取|讀取|发送|發送|传递|傳遞|附加|包含|填入|复制|上传|上傳|放入',
        '文件|内容|內容|参数|參數|字段|欄位',
      ),
    ],
  },
  pattern:
    /\b(?:open|read|cat|attach|load|include|copy)\b[^.\n]{0,30}~\/\.\w|\bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)|\.aws[/\\]credentials|\/etc\/(?:passwd|shadow)\b|\.(?:cursor|claude|vscode)[/\\]\w{0,20}\.?json|\bmcp\.json\b|\.kube[/\\]config|\.docker[/\\]config\.json|\.git-credentials|\.(?:npmrc|netrc|pgpass|bash_history|zsh_history)\b|\bprocess\.env\b(?![.[])|\bos\.environ\b|(?<![\w.])\.env\b(?=[^.\w]{1,12}(?:files?|and|into|contents?)\b)/i,
}
