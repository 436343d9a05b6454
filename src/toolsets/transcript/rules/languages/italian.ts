import { defineLanguage } from '../language.ts'

export const italian = defineLanguage('Italian', {
  looks:
    /[ìò]|^(?:dell|nell|all|sull|dall|quell|un|c|l)'|(?:zione|zioni|mente|ando|endo|iamo|etto|etta|gli|cchi|ggi|tto|tta|zza)$/,
  common:
    "il lo la i gli le di che e è un una per in con del della dei delle si da al come ma anche sono ho ha questo questa più o se mi ci perché quando c'è l'ho molto essere fare io era sei siamo siete erano stato stata hai abbiamo avete hanno fatto detto dire può posso voglio vuole tutto tutti tutta cosa cose così qui qua là adesso oggi domani ieri meglio sempre andiamo vado va nel nella nei sul sulla dal dalla tra fra te tu mio mia suo sua chi dove penso credo grazie ciao quindi però ancora già alla alle agli lui lei noi voi loro quale quanto dopo prima poi giorno anno anni gente casa lavoro vita tempo città paese bene buono buona poco ogni altro altra stesso aveva avevo vorrei devo deve dobbiamo a al ai allo lo",
  fillers: 'eh ehm ah mah mmh uhm',
  answers: 'sì già bene',
  hedges: 'cioè, in qualche modo',
  markers: 'praticamente, sai, capito, voglio dire, in pratica, boh, dunque, quindi, allora',
  asides: 'diciamo, insomma, ecco, tipo, cioè, vabbè, beh, come dire, come si dice',
  leads: 'insomma, cioè, ecco, diciamo',
  edits: 'voglio dire, volevo dire, anzi, scusa, scusate',
  binding: 'che come',
  stuttered:
    "io il lo la i gli le di che e è per in con del della si da al come ma sono ho ha mi ci perché quando a o se nel nella dei delle dal dalla sul sulla un una questo questa anche più ti te tu lui lei noi era abbiamo hanno c'è dove chi ai alla alle l'ho",
  emphatic:
    'molto molta tanto tanta più piano quasi via così appena poco bene ben subito sempre ciao sì dai vai ecco grazie prego ah oh eh ha presto tutto tutti forte zitto zitta bello bella grande piccolo piccola lungo lontano vicino adesso ora terra bla tic tac toc bravo brava aspetta guarda senti mamma papà caro cara aiuto basta fermo calma certo giusto man vero su giù',
  emphaticEnding: /.{3}mente$|.{3}issim[oaie]$/,
  refrains: 'per favore, a poco, poco a, di nulla, va bene, man mano, passo passo',
  articles: 'un una',
  determiners:
    'il lo la i gli le mio mia tuo tua suo sua nostro nostra questo questa del della dei delle al alla nel nella',
  dangling: 'il lo gli un una del della dei delle al nel nella',
  prepositions: 'di a da in con su per tra fra',
  swaps: [
    { words: 'un una', by: 'un una uno' },
    { words: 'il', by: 'lo la gli le i' },
    { words: 'di', by: 'del della dei delle dello degli' },
    { words: 'a', by: 'al alla ai alle allo agli' },
    { words: 'in', by: 'nel nella nei nelle nello negli' },
    { words: 'da', by: 'dal dalla dai dalle' },
    { words: 'su', by: 'sul sulla sui sulle' },
  ],
  openers: 'se quando perché come dove ma',
  subjects: 'io tu lui lei noi',
  auxiliaries:
    'sono sei è siamo siete era ero erano ho hai ha abbiamo avete hanno avevo aveva posso può possiamo possono voglio vuole devo deve dobbiamo vorrei sto sta stiamo stanno vado va andiamo',
  elisions: "lo l', la l', di d', ci c'",
  short:
    "a ad agli ai al alla alto anno anzi ape aria arte asse auto bar base bene bere blu bue buio c'è cane capo cara casa caso che chi ci cibo città come con cosa così cui da dado dai dal dare dei del di dio dire dopo dove due e è ed era erba fa fame fare fede fil fila fine fino fra fu gas gatto già gita giù gli ha hai ho i idea ieri il in io la lì là lago lana lato le lei li lì lo loro luce lui luna ma mai mal male mare me meno mese mi mia mio mito modo molo nave ne né nei nel no nodo noi nome non nove o od ogni ora oro orso osso otto pace pane per pesce pie più po poi pro qua può re ripa riso riva rosa sa sala sale san se sé sei sera sete si sì sia sole son sono sta sto su sua sul suo tale tanto te tè ti topo tra tre tu tua tuo un una uno uso uva va vai via vino vita voce voi volo",
  negations:
    'non no mai niente nulla nessun nessuno nessuna né senza neanche nemmeno neppure mica tranne eccetto manco',
  numbers:
    'zero un uno una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento duecento mille mila milione milioni miliardo miliardi primo prima secondo seconda terzo terza mezzo mezza metà quarto dozzina volta volte virgola',
})
