import { testCleaning } from '../../../../../test/helpers/expect-cleaned.ts'

testCleaning(
  [
    ['Ehm, la nave parte alle nove.', 'La nave parte alle nove.'],
    ['La nave, eh, parte alle nove.', 'La nave parte alle nove.'],
    ['la nave mmm parte ehmm alle nove', 'la nave parte alle nove'],
    ['Io io voglio andare al mare.', 'Io voglio andare al mare.'],
    ['che che facciamo adesso', 'che facciamo adesso'],
    ['Ha un un cane e una una gatta.', 'Ha un cane e una gatta.'],
    ['i biglietti biglietti per domani', 'i biglietti per domani'],
    ['nella cucina nella cucina grande', 'nella cucina grande'],
    ['io penso ehm io penso di sì', 'io penso di sì'],
    ['voglio com- comprare il pane', 'voglio comprare il pane'],
    ["lo l'ombrello è rosso", "l'ombrello è rosso"],
    ['È, diciamo, molto difficile.', 'È molto difficile.'],
    ['Insomma, cominciamo adesso.', 'Cominciamo adesso.'],
    ['Prendo il rosso, scusa, il blu per te.', 'Prendo il blu per te.'],
    ['la casa di del vicino', 'la casa del vicino'],
    ['ho preso un una birra con gli amici', 'ho preso una birra con gli amici'],
  ],
  [
    'No, non è vero.',
    'È molto molto importante.',
    'Piano piano arriviamo, quasi quasi resto.',
    'Sono due due e tre tre.',
    'Sì, sì, certo, certo.',
    'Anna Anna Rossi vive a Roma.',
    'È un tipo strano, ma bravo.',
    'Non so niente, niente di questo.',
    'A poco a poco a poco si impara.',
    'Ecco la chiave.',
  ],
)
