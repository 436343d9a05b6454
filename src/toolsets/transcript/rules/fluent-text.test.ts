import { expect, test } from 'vitest'
import { run } from '../clean-by-rules.ts'
import { renderTurns } from '../clean-transcript.ts'

/** Recipes, news, instructions, letters, stories and talk, without a slip. */
const fluent: Record<string, string> = {
  English: `Peel two onions and fry them in a little oil. Add the rice, and stir until it is glassy.
The minister said on Tuesday that the law would not change before 2027. No vote was taken.
To reset the device, hold the button for ten seconds, then release it. If the light is red, call us.
Dear Ms Okafor, thank you for your letter of 3 May. I am afraid that we cannot refund the fare.
She knew that he knew, and that was that. The well was dry, the road was long, and Ben had had enough.
What do you think? I think so too. Can you see it? I can, but only if you move.`,
  German: `Zwei Zwiebeln schälen und in etwas Öl anbraten. Den Reis dazugeben und rühren, bis er glasig ist.
Der Minister sagte am Dienstag, dass das Gesetz nicht vor 2027 geändert wird. Niemand stimmte dagegen.
Halten Sie die Taste zehn Sekunden gedrückt. Wenn die Lampe rot ist, ist das Gerät defekt.
Sehr geehrte Frau Yılmaz, die Frage, die die Leute stellen, kann ich nicht beantworten.
Er fing an, an der Tür zu klopfen. Um acht war er da, um neun ging er wieder.
Wie geht es dir? Mir geht es gut. Kommst du mit? Ich komme, wenn du kommst.`,
  French: `Épluchez deux oignons et faites-les revenir dans un peu d'huile. Ajoutez le riz et remuez.
Le ministre a dit mardi que la loi ne changerait pas avant 2027. Personne n'a voté contre.
Appuyez sur le bouton pendant dix secondes. Si la lampe est rouge, appelez-nous.
Madame Diallo, nous vous remercions de votre lettre. Nous nous voyons jeudi, si vous le voulez.
Il savait qu'elle savait, et c'est tout. La une du journal était là, sur la table de la cuisine.
Qu'est-ce que tu en penses ? Je pense que oui. Est-ce que ça va ? Ça va bien.`,
  Spanish: `Pele dos cebollas y fríalas en un poco de aceite. Añada el arroz y remueva.
El ministro dijo el martes que la ley no cambiaría antes de 2027. Nadie votó en contra.
Si la luz está roja, llámenos. Los de aquí y los de allá son de la misma familia.`,
  Italian: `Sbucciate due cipolle e fatele soffriggere in un po' d'olio. Aggiungete il riso e mescolate.
Il ministro ha detto martedì che la legge non cambierà prima del 2027. Nessuno ha votato contro.
Se la luce è rossa, chiamateci. Ci vediamo domani, e se piove restiamo a casa.`,
  Portuguese: `Descasque duas cebolas e frite em um pouco de óleo. Junte o arroz e mexa.
O ministro disse na terça que a lei não muda antes de 2027. Ninguém votou contra.
Se a luz estiver vermelha, ligue. Assim, tudo fica mais fácil. Acredito em sorte e em trabalho.`,
  Dutch: `Pel twee uien en bak ze in een beetje olie. Voeg de rijst toe en roer.
De minister zei dinsdag dat de wet niet voor 2027 verandert. Niemand stemde tegen.
Als het lampje rood is, belt u ons. Is het de hele tijd zo? Er was eens een man die niet kon slapen.`,
  Hindi: `दो प्याज छीलकर थोड़े तेल में भूनें। मंत्री ने मंगलवार को कहा कि कानून 2027 से पहले नहीं बदलेगा।
वह धीरे धीरे चलता है और अलग अलग लोगों से मिलता है। अगर बत्ती लाल हो तो हमें फोन करें।`,
}

test.each(Object.entries(fluent))('fluent %s stays as it is, line by line and as a whole', (_, text) => {
  for (const said of [...text.split('\n'), text.replaceAll('\n', ' ')]) expect(renderTurns(run(said).turns)).toBe(said)
})

test.each(Object.entries(fluent))('fluent %s without punctuation and capitals loses no word', (_, text) => {
  for (const line of text.split('\n')) {
    const said = line
      .toLowerCase()
      .replaceAll(/[.,?!।]/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
    expect(renderTurns(run(said).turns)).toBe(said)
  }
})

test.each(Object.entries(fluent))('each turn in %s keeps its speaker', (_, text) => {
  const said = text
    .split('\n')
    .map((line, index) => `${index % 2 === 0 ? 'Ada' : 'Dr. Bob King'}: ${line}`)
    .join('\n')
  expect(renderTurns(run(said).turns)).toBe(said)
})
