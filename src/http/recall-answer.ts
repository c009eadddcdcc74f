import type { Access, Caller } from '../access/access.js';
import type { AnswerMemory } from '../documents/answers/answer-memory.js';
import type { Requester } from '../lib/requester.js';
import type { Uid } from '../model/model.js';
import type { ShortAnswer } from './answer-head.js';
import type { Recall } from './shortcuts.js';

/** An answer that was given to a caller. */
interface GivenAnswer {
  readonly caller: Caller;
  /** The types that were asked for. */
  readonly types: readonly Uid[];
}

/**
 * Whether a credential stands for a caller with the same rights, and the locales are those of then. Users are
 * told apart by the database, so that their requests go the whole way.
 */
const createIsSame = (
  access: Access,
  { grants }: Caller,
): ((authorization: string | undefined) => boolean) => {
  const locales = access.locales.all();
  return (authorization) =>
    access.authenticateAtOnce(authorization)?.grants === grants && access.locales.all() === locales;
};

/** Creates the function that gives a remembered answer again, as long as it holds. */
export function createRecall(
  { access, answers }: { readonly access: Access; readonly answers: AnswerMemory },
  { caller, key, types }: GivenAnswer & { readonly key: string },
): Recall {
  const isSame = createIsSame(access, caller);
  return ({ authorization, sharesTurn }) =>
    isSame(authorization) ? answers.recall(key, types, sharesTurn) : undefined;
}

interface RereadDependencies {
  readonly access: Access;
  /** Whether project code wraps reads of a type. */
  readonly hasMiddleware: (type: Uid) => boolean;
}

/** Creates the function that reads the same again, where nothing is remembered. */
export function createReread(
  { access, hasMiddleware }: RereadDependencies,
  { caller, types }: GivenAnswer,
  read: (requester: Requester) => Promise<ShortAnswer | undefined> | undefined,
): Recall {
  const isSame = createIsSame(access, caller);
  return ({ authorization, requester }) =>
    isSame(authorization) && !types.some(hasMiddleware) ? read(requester) : undefined;
}
