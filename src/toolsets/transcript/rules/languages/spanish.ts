import { defineLanguage } from '../language.ts'

export const spanish = defineLanguage('Spanish', {
  common:
    'el la los las de que y en un una es se lo por con para su al del como más pero sus le ya o este sí porque esta son entre está cuando muy sobre también me hasta hay donde yo soy eres somos fue era eran ser estar estoy estamos tengo tiene tienen hacer hace hizo decir dice dijo creo pienso quiero puede puedo todo todos toda cosa cosas así aquí ahí ahora hoy mañana ayer mucho mucha mejor siempre vamos voy va ir nos les te tu mi si ese esa eso quien qué cómo gracias hola',
  fillers: 'eh em mmm ah',
  hedges: 'o sea',
  markers: 'este, pues, bueno, digamos, es decir, sabes, a ver, entonces, como que, en plan, verdad, mira, oye',
  binding: 'que lo como',
  stuttered: 'yo el la los las de que y en es por con para su al del como pero porque cuando esta me mi',
  negations:
    'no nunca jamás nada nadie ningún ninguno ninguna ningunos ningunas tampoco sin ni apenas excepto salvo nomás',
  numbers:
    'cero un uno una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento cientos doscientos trescientos quinientos mil millón millones primero primera segundo segunda tercero tercera medio media mitad cuarto docena vez veces coma',
})
