import { defineLanguage } from '../language.ts'

export const german = defineLanguage('German', {
  common:
    'der die das und ist ich wir sie es ein eine zu mit auf für von den dem des im am auch als an bei nach wie dass aber oder war sind haben hat habe man noch schon sehr uhr um er was wenn so dann wird werden kann hatte hatten wäre würde würden doch mal nur vom zum zur durch über unter vor bis seit weil ob immer wieder viel mehr diese dieser dieses ihr uns mir mich dir dich sich heute jetzt hier da gut ganz ja machen gehen geht kommen komme gibt muss müssen soll will wollen können konnte gesagt glaube weiß denke etwas alles alle andere',
  fillers: 'ah eh',
  hedges: 'sozusagen, quasi, sag ich mal',
  markers:
    'also, halt, ja, naja, na ja, irgendwie, eigentlich, gell, sagen wir mal, wie gesagt, im prinzip, ach, tja, weißt du, wissen sie',
  binding: 'wie was als',
  stuttered:
    'ich und wir es zu mit auf für von im am auch als an bei nach wie aber oder war hat habe man wenn dann ist sind haben kann weil dass',
  negations:
    'nicht nichts nie niemals niemand nirgends nirgendwo nein kein keine keinen keinem keiner keines keins weder noch ohne kaum nö nee außer nimmer',
  numbers:
    'null ein eine einen einem einer eines eins zwei zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend million millionen milliarde milliarden erste ersten zweite zweiten dritte dritten halb halbe viertel einmal zweimal dreimal dutzend komma',
})
