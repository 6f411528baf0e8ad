import { type Sentence, sentenceText } from '../../core/sentence.ts'
import { type ProgramName, programOf } from '../terminal/face.ts'
import { COMMAND_NAMES } from '../tree/find-command.ts'

/** The sentence for someone who called the program by this name. Some sentences still have `gza …` in their text. */
export function inCallersName(sentence: Sentence, name: ProgramName): string {
  const text = sentenceText(sentence, programOf(name))
  if (name === 'gza') return text
  const commands = COMMAND_NAMES.join('|')
  return text.replace(new RegExp(`\\bgza (?=(?:${commands})\\b)`, 'g'), `${programOf(name)} `)
}
