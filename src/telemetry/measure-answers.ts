import type { Answer, AnswerMemory } from '../documents/answers/answer-memory.js';

/** Returns a memory that tells whether what it is asked for was there. */
export function measureAnswers(answers: AnswerMemory, onAsked: (isHit: boolean) => void): AnswerMemory {
  // What is not recalled goes its whole way, and is asked for again.
  const noteHit = (answer: Answer | undefined): Answer | undefined => {
    if (answer !== undefined) onAsked(true);
    return answer;
  };
  return {
    ...answers,
    get: (key, revisions) => {
      const answer = answers.get(key, revisions);
      onAsked(answer !== undefined);
      return answer;
    },
    recall: (key, types, sharesTurn) => {
      const answer = answers.recall(key, types, sharesTurn);
      return answer instanceof Promise ? answer.then(noteHit) : noteHit(answer);
    },
  };
}
