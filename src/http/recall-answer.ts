import type { Access, Caller } from '../access/access.js';
import type { AnswerMemory } from '../documents/answers/answer-memory.js';
import type { Uid } from '../model/model.js';
import type { ShortAnswer, ShortRequest } from './shortcuts.js';

/** An answer that was given to a caller from memory. */
interface GivenAnswer {
  readonly caller: Caller;
  readonly key: string;
  /** The types that were asked for. */
  readonly types: readonly Uid[];
}

/**
 * Creates the function that gives an answer again: to callers with the same rights, in the same locales, as
 * long as it holds. Users are told apart by the database, so that their requests go the whole way.
 */
export function createRecall(
  { access, answers }: { readonly access: Access; readonly answers: AnswerMemory },
  { caller: { grants }, key, types }: GivenAnswer,
): (request: ShortRequest) => ShortAnswer | undefined | Promise<ShortAnswer | undefined> {
  const locales = access.locales.all();
  return ({ authorization, sharesTurn }) => {
    if (access.authenticateAtOnce(authorization)?.grants !== grants) return undefined;
    return access.locales.all() === locales ? answers.recall(key, types, sharesTurn) : undefined;
  };
}
