import { printable } from '../../contract/text/printable.ts'

export interface ModelSettings {
  /** The endpoint's address without `/chat/completions`. */
  readonly url: string
  readonly model: string
  readonly key?: string
  readonly timeoutMs: number
  /** Delay before the first retry; it doubles with each. Default: 250. */
  readonly retryDelayMs?: number
  /** Where the settings come from, for messages. */
  readonly names?: SettingNames
}

/** The variables, or keys of the config, that hold the settings in use. */
export interface SettingNames {
  readonly url: string
  readonly model: string
  readonly key?: string
}

/** `model` in the config. */
export interface ModelConfig {
  readonly url: string
  readonly model: string
  readonly keyEnv?: string
  readonly timeoutMs?: number
}

export type ReadSettings =
  | { readonly ok: true; readonly settings: ModelSettings }
  /** What is missing or wrong, and what to do, in sentences. */
  | { readonly ok: false; readonly fault: string; readonly suggestion: string }

const defaultTimeoutMs = 30_000

/** The model that the operator has chosen: the environment overrides the config. */
export function readModelSettings(
  environment: { readonly [name: string]: string | undefined },
  config?: ModelConfig,
): ReadSettings {
  const read = (name: string) => environment[name]?.trim() || undefined
  const url = read('TOOLPACT_MODEL_URL') ?? config?.url
  const model = read('TOOLPACT_MODEL') ?? config?.model
  if (url === undefined || model === undefined) return toMissing(url, model)
  const address = toAddress(url)
  if (typeof address === 'string') return { ok: false, fault: address, suggestion: suggestUrl }
  // A key that the config names is sent to the config's address only.
  const keyEnv = config && toAddress(config.url).toString() === address.toString() ? config.keyEnv : undefined
  const key = read('TOOLPACT_MODEL_KEY') ?? (keyEnv === undefined ? undefined : read(keyEnv))
  const nameOf = (variable: string, path: string) => (read(variable) ? variable : `${path} in the config`)
  if (key === undefined && keyEnv !== undefined) {
    return {
      ok: false,
      fault: `The key of the model is not set: the config names the environment variable ${keyEnv}.`,
      suggestion: `Set ${keyEnv}, or leave model.keyEnv out of the config if the endpoint takes no key.`,
    }
  }
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    return {
      ok: false,
      fault: 'The key of the model contains invalid characters.',
      suggestion: `Set ${read('TOOLPACT_MODEL_KEY') ? 'TOOLPACT_MODEL_KEY' : keyEnv} to the key alone, without spaces or quotes.`,
    }
  }
  return {
    ok: true,
    settings: {
      url: address.href.replace(/\/+$/, ''),
      model,
      ...(key !== undefined && { key }),
      timeoutMs: config?.timeoutMs ?? defaultTimeoutMs,
      names: {
        url: nameOf('TOOLPACT_MODEL_URL', 'model.url'),
        model: nameOf('TOOLPACT_MODEL', 'model.model'),
        ...(key !== undefined && { key: read('TOOLPACT_MODEL_KEY') ? 'TOOLPACT_MODEL_KEY' : keyEnv! }),
      },
    },
  }
}

const suggestUrl =
  'Use the address of an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1; the key goes into TOOLPACT_MODEL_KEY.'

function toMissing(url: string | undefined, model: string | undefined): ReadSettings {
  const missing = [...(url === undefined ? ['TOOLPACT_MODEL_URL'] : []), ...(model ? [] : ['TOOLPACT_MODEL'])]
  return {
    ok: false,
    fault: `No model is configured: ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set.`,
    suggestion:
      'Set TOOLPACT_MODEL_URL (such as http://127.0.0.1:11434/v1) and TOOLPACT_MODEL, and TOOLPACT_MODEL_KEY if the endpoint takes a key; or write model into the config.',
  }
}

/** The address, or what is wrong with it. */
function toAddress(text: string): URL | string {
  const url = URL.parse(text)
  if (url?.username || url?.password) return 'The URL of the model contains a user name or password.'
  if (!url || !/^https?:$/.test(url.protocol))
    return `The URL of the model is not an http or https URL: ${printable(text)}.`
  return url
}
