import { testCleaning } from '../../../../../test/helpers/expect-cleaned.ts'

testCleaning(
  [
    ['Hum, o barco sai às nove.', 'O barco sai às nove.'],
    ['O barco, eh, sai às nove.', 'O barco sai às nove.'],
    ['eu acho que ahn ele sai amanhã', 'eu acho que ele sai amanhã'],
    ['Eu eu quero ir à praia.', 'Eu quero ir à praia.'],
    ['que que você quer', 'que você quer'],
    ['Ele tem um um cão e uma uma gata.', 'Ele tem um cão e uma gata.'],
    ['os bilhetes bilhetes para amanhã', 'os bilhetes para amanhã'],
    ['na cozinha na cozinha grande', 'na cozinha grande'],
    ['eu acho hum eu acho que sim', 'eu acho que sim'],
    ['eu quero com- comprar pão', 'eu quero comprar pão'],
    ['Pode dizer-me dizer-me onde fica?', 'Pode dizer-me onde fica?'],
    ['É, tipo, muito difícil.', 'É muito difícil.'],
    ['Olha, vamos começar agora.', 'Vamos começar agora.'],
    ['Pega o vermelho, desculpa, o azul para mim.', 'Pega o azul para mim.'],
  ],
  [
    'Não, não é verdade.',
    'É muito muito importante.',
    'São dois dois e três três.',
    'A câmara decide em outubro sobre o parque.',
    'Sim, sim, claro, claro.',
    'Ana Ana Maria mora em Braga.',
    'Pouco a pouco a pouco chegamos.',
    'Não sei nada, nada disso.',
    'Ele é um tipo estranho, mas bom.',
  ],
)
