/** Stands in for a model in the guides: calls the tool that fits, then answers with its result. Prints its address, and ends when the home folder is gone. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { openScriptedModel } from '../helpers/scripted-model.ts'

const { url } = await openScriptedModel(({ body }) => {
  const [last] = (body.messages as { role: string; content: unknown }[]).slice(-1)
  if (last?.role === 'tool') {
    const { city, sky, celsius } = JSON.parse(String(last.content))
    return `It is ${sky} in ${city}, ${celsius} °C.`
  }
  const names = (body.tools as { function: { name: string } }[]).map(({ function: { name } }) => name)
  return { calls: [{ name: names.find((name) => name.includes('forecast')) ?? names[0]!, input: { city: 'Oslo' } }] }
})
console.log(url)
setInterval(() => {
  if (!existsSync(homedir())) process.exit()
}, 1000)
