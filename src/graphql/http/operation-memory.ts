import type { Access, Caller } from '../../access/access.js';
import { createSharedGrantsId } from '../../access/shared-grants.js';
import type { Answer, AnswerMemory, Revisions } from '../../documents/answers/answer-memory.js';
import { memoizeWeakly } from '../../lib/memoize.js';
import { areLongTexts } from '../../lib/text-chunks.js';
import type { Uid } from '../../model/model.js';
import type { PreparedOperation, PrintedAnswer } from '../printing/answer.js';
import type { PrintedResponse, RememberedResponse } from './operation-response.js';

/** Where the answer of an operation is remembered. Taken before anything is read. */
export interface AnswerPlace {
  readonly key: string;
  /** The types that it is asked of. */
  readonly types: readonly Uid[];
  readonly revisions: Revisions | null | Promise<Revisions | null>;
}

/** Remembers the answers of operations that no project code and no resolver takes part in. */
export interface OperationMemory {
  /** Null where the answer must not be remembered. */
  readonly placeOf: (prepared: PreparedOperation, caller: Caller) => AnswerPlace | null;
  /** Returns what is remembered. Null: nothing, or it is not known at once whether it still holds. */
  readonly recall: (place: AnswerPlace) => RememberedResponse | null;
  /** Returns the response, and remembers it where nothing forbids that. */
  readonly remember: (
    place: AnswerPlace,
    printed: PrintedAnswer,
    response: PrintedResponse,
  ) => PrintedResponse | RememberedResponse;
}

/** All that decides about the answer besides the caller's rights. No address begins like it. */
const requestOf = memoizeWeakly(({ operation, variables }: PreparedOperation) =>
  JSON.stringify([operation.text, variables]),
);

const responseOf = (answer: Answer, place: AnswerPlace): RememberedResponse => ({
  status: 200,
  answer,
  place,
});

export function createOperationMemory(
  answers: AnswerMemory,
  { locales }: Pick<Access, 'locales'>,
): OperationMemory {
  const grantsId = createSharedGrantsId();
  return {
    placeOf: (prepared, { grants }) => {
      const { types } = prepared.operation;
      const key = answers.keyOf({
        types,
        rights: grantsId(grants),
        defaultLocale: locales.defaultCode(),
        request: requestOf(prepared),
      });
      return key === null ? null : { key, types, revisions: answers.revisions() };
    },
    recall: (place) => {
      const { key, revisions } = place;
      if (revisions === null || revisions instanceof Promise) return null;
      const answer = answers.get(key, revisions);
      return answer === undefined ? null : responseOf(answer, place);
    },
    remember: (place, { errors, queries }, response) => {
      const { key, revisions } = place;
      if (revisions === null || revisions instanceof Promise) return response;
      // Long text is sent in parts, since encoding it would hold up other requests.
      if (errors.length > 0 || areLongTexts([response.text])) return response;
      const answer = answers.set(key, revisions, queries, response.text);
      return answer === null ? response : responseOf(answer, place);
    },
  };
}
