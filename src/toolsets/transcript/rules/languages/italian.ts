import { defineLanguage } from '../language.ts'

export const italian = defineLanguage('Italian', {
  common:
    "il lo la i gli le di che e è un una per in con del della dei delle si da al come ma anche sono ho ha questo questa più o se mi ci perché quando c'è l'ho molto essere fare io era sei siamo siete erano stato stata hai abbiamo avete hanno fatto detto dire può posso voglio vuole tutto tutti tutta cosa cose così qui qua là adesso oggi domani ieri meglio sempre andiamo vado va nel nella nei sul sulla dal dalla tra fra te tu mio mia suo sua chi dove penso credo grazie ciao quindi però ancora già alla alle agli",
  fillers: 'eh ah mah',
  hedges: 'cioè, in qualche modo',
  markers:
    'diciamo, insomma, allora, ecco, praticamente, tipo, sai, capito, voglio dire, in pratica, vabbè, beh, boh, dunque, quindi',
  binding: 'che come',
  stuttered: 'io il lo la i gli le di che e è per in con del della si da al come ma sono ho ha mi ci perché quando',
  negations:
    'non no mai niente nulla nessun nessuno nessuna né senza neanche nemmeno neppure mica tranne eccetto manco',
  numbers:
    'zero un uno una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento duecento mille mila milione milioni miliardo miliardi primo prima secondo seconda terzo terza mezzo mezza metà quarto dozzina volta volte virgola',
})
