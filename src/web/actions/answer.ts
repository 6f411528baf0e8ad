import { answerQuestion } from '../../tasks/ask-question.ts'
import { defineAction, ref, text } from './action.ts'

export default defineAction({
  name: 'answer',
  input: { ref, text },
  act: (ws, input) => answerQuestion(ws, input.ref, input.text),
})
