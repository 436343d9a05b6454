import { testCleaning } from '../../../../../test/helpers/expect-cleaned.ts'

testCleaning(
  [
    ['Eh, el barco sale a las nueve.', 'El barco sale a las nueve.'],
    ['El barco, ehm, sale a las nueve.', 'El barco sale a las nueve.'],
    ['yo creo que em sale mañana', 'yo creo que sale mañana'],
    ['Yo yo quiero ir a la playa.', 'Yo quiero ir a la playa.'],
    ['que que hacemos ahora', 'que hacemos ahora'],
    ['Tiene un un perro y una una casa.', 'Tiene un perro y una casa.'],
    ['los billetes billetes para mañana', 'los billetes para mañana'],
    ['está en la en la cocina', 'está en la cocina'],
    ['yo creo eh yo creo que sí', 'yo creo que sí'],
    ['quiero co- comprar pan', 'quiero comprar pan'],
    ['yo quie yo quiero pan', 'yo quiero pan'],
    ['Es, o sea, muy difícil.', 'Es muy difícil.'],
    ['Pues, vamos a empezar.', 'Vamos a empezar.'],
    ['Toma el rojo, perdón, el azul para la niña.', 'Toma el azul para la niña.'],
  ],
  [
    'No, no es verdad.',
    'Es muy muy importante, de verdad.',
    'Son dos dos y tres tres.',
    'Este libro es bueno, y aquel también.',
    'Sí, sí, claro, claro.',
    'Ana Ana María vive en Lima.',
    'Poco a poco a poco llegamos.',
    'No sé nada, nada de eso.',
    'Pues no quiero ir.',
  ],
)
