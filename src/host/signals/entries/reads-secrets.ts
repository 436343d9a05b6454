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
      'run env|printenv',
      '$take ~3 $plunder ~10 include|includes|add|adds|send|sends|attach|append|upload|pass|put|parameter|field|argument|report|here|into|supply',
      '$put ~2 all|any|every|available|known|found|discovered|stored|saved ~3 $plunder|api_keys|tokens|environment_variables',
      'read|open|cat|check|include|copy|attach|load|paste|upload|send|put|contents_of|content_of|contents|collect ~4 $files|keychain|password_manager|password_store|credential_store',
      'read|cat|collect|gather|harvest|grab|scan|open ~4 ssh|env|aws|gnupg|kube|dotfiles ~2 file|files|folder|directory|credentials|config|key|keys ~6 and|to|into|then',
      'contents|content ~3 env|dotenv|env_file',
      'look_for|look ~3 in|inside env|dotenv|env_file|ssh|keychain',
      '$secrets ~6 look_for|find|search_for|fetch ~2 it|them ~2 in|inside|from ~2 env|environment|disk|home|files|memory',
      inAnyOrder(
        7,
        'passwords|credentials|secrets|api_keys|private_keys|tokens',
        'visible|seen|come_across|encountered|you_know|you_have|conversation|memory|in_context',
        'field|parameter|argument|here|include|belong|belongs|pass|add|put|into|attach',
      ),
      '$put ~1 your|users|their|the ~1 ssh|private|pgp|gpg ~1 key|keys ~4 so|here|in|as|that',
      '$put ~3 contents|content|copy ~3 $plunder|env|ssh|key_file',
      '$take|read|copy ~2 browser|session ~1 cookie|cookies',
      '$put ~2 session_cookie|session_cookies|auth_cookies|jwt|private_key|private_keys ~6 of|here|current|users|user',
      'private_key|ssh_key|password|credentials|secrets ~4 read|found|obtained|from_disk|in_memory ~6 parameter|argument|field',
      'password_manager|keychain|password_store ~1 export|dump|contents|entries',
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
    /\b(?:open|read|cat|attach|load|include|copy|contents?|send|paste|upload|fill|pass)\b(?:(?!\.\s)[^\n]){0,60}?(?:~\/\.(?!ssh\/id_\w+\.pub)(?:ssh|aws|gnupg|cursor|claude|config|kube|docker|netrc|npmrc)|\bid_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)|\.aws[/\\]credentials|\/etc\/(?:passwd|shadow)\b|\.(?:cursor|claude|vscode)[/\\]\w{0,20}\.?json|\bmcp\.json\b|\.kube[/\\]config|\.docker[/\\]config\.json|\.git-credentials|\.(?:npmrc|netrc|pgpass|bash_history|zsh_history)\b|\bprocess\.env\b(?![.[])|\bos\.environ\b|(?<![\w.])\.env\b(?=[^.\w]{1,12}(?:files?|and|into|contents?)\b))/i,
}
