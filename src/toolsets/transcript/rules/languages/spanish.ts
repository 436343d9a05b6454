import { defineLanguage } from '../language.ts'

export const spanish = defineLanguage('Spanish', {
  looks: /[ñ¿]|(?:ción|ciones|dad|ando|iendo|amos|emos|imos|aba|ía|ito|ita)$/,
  common:
    'el la los las de que y en un una es se lo por con para su al del como más pero sus le ya o este sí porque esta son entre está cuando muy sobre también me hasta hay donde yo soy eres somos fue era eran ser estar estoy estamos tengo tiene tienen hacer hace hizo decir dice dijo creo pienso quiero puede puedo todo todos toda cosa cosas así aquí ahí ahora hoy mañana ayer mucho mucha mejor siempre vamos voy va ir nos les te tu mi si ese esa eso quien qué cómo gracias hola él ella ellos ustedes usted nosotros cuál dónde cuándo quién otro otra desde después antes día días año años gente casa trabajo vida tiempo ciudad país bien bueno buena tan tanto poco algo cada mismo misma había hemos han he ha estaba estaban puedes quiere sabe ver dar vez',
  fillers: 'eh ehm mmm ah',
  looseFillers: 'em',
  answers: 'sí bueno ya',
  hedges: 'o sea',
  markers: 'es decir, sabes, a ver, entonces, como que, en plan, verdad, mira, oye',
  asides: 'este, pues, bueno, digamos, o sea, cómo se dice, cómo te digo',
  leads: 'bueno, pues, o sea',
  edits: 'digo, quiero decir, perdón, mejor dicho',
  binding: 'que lo como',
  stuttered:
    'yo el la los las de que y en es por con para su al del como pero porque cuando esta me mi a o se le lo un una tu si son está fue ha he hay muy más también donde sobre entre hasta desde este ese esa eso nos les él ella qué',
  emphatic:
    'muy mucho mucha más tan tanto sí ya bien poco siempre casi luego bueno vale claro hola oye mira ven vamos anda venga espera gracias por favor adiós ay oh ah ja jaja eh grande pequeño pequeña largo lejos cerca rápido despacio todo todos nada bla tic tac toc hasta gol bravo ojo calma alto vaya igual así',
  emphaticEnding: /.{3}mente$|.{3}ísim[oa]s?$/,
  refrains: 'por favor, poco a, de nada, paso a, por fin, muchas gracias, ya está, está bien',
  articles: 'un una',
  determiners: 'el la los las mi mis tu tus su sus al del',
  dangling: 'el los las un una al del mi mis',
  prepositions: 'en de con por para a sobre entre hasta desde sin',
  swaps: [
    { words: 'un una', by: 'un una' },
    { words: 'de', by: 'del' },
    { words: 'a', by: 'al' },
    { words: 'mi', by: 'mis' },
    { words: 'mis', by: 'mi' },
  ],
  openers: 'si cuando porque cómo dónde pero',
  subjects: 'yo él ellos',
  auxiliaries:
    'soy es somos son era eran fue fueron estoy está estamos están estaba he ha hemos han había puedo puede podemos pueden quiero quiere voy va vamos van tengo tiene',
  short:
    'a ajo al algo alma alto ama amo ante año aquí arco arte así aún ave azul bajo bar base bien boca buen cada cae cal cama cara casa casi caso cena cero cima como con cosa cual da dado dan dar de del desde día dice dio doce don dos duro edad el él en era es ésa ese eso está este fe feo fin flor fue gas gato gota ha han has hay haz he hijo hilo hoja hoy ida ir ira jamás jefe la lado lago las le les ley libro lo loco los luz mal mano mar mas más me mes mi mí mil modo mora muy nada ni niño no nos nota nube o oca ojo ola oro os otro pan par paz pero pez pie piel piso poco por pues que qué rey río roca rojo ropa sal san se sé sea ser si sí sin sol son su sus tal tan té te ti tía tío toda tos tres tu tú un una uno uso va van ve vez vi vía vida vino voz y ya yo',
  negations:
    'no nunca jamás nada nadie ningún ninguno ninguna ningunos ningunas tampoco sin ni apenas excepto salvo nomás',
  numbers:
    'cero un uno una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento cientos doscientos trescientos quinientos mil millón millones primero primera segundo segunda tercero tercera medio media mitad cuarto docena vez veces coma',
})
