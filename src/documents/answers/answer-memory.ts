import { hash } from 'node:crypto';
import { createMemory } from '../../database/memory.js';
import type { RevisionSource } from '../../database/revision-source.js';
import type { Revisions } from '../../dialects/revisions.js';
import { noteConstant } from '../../lib/constant-bodies.js';
import { memoizeWeakly } from '../../lib/memoize.js';
import { oncePerTurn } from '../../lib/once-per-turn.js';
import type { ContentModel, Uid } from '../../model/model.js';
import type { ReadQuery } from '../../query/query.js';
import { typesRead } from '../../query/types-read.js';

/** The JSON of an answer, and the digest by which clients ask whether it has changed. */
export interface Answer {
  readonly body: Buffer;
  readonly etag: string;
}

export interface AnswerMemoryOptions {
  readonly model: ContentModel;
  readonly revisions: RevisionSource;
  readonly maxBytes: number;
  readonly remembersDrafts: boolean;
  /** Whether project code wraps reads of the type, and may answer as it likes. */
  readonly hasMiddleware: (type: Uid) => boolean;
}

/** A request whose answer can be remembered. */
interface Question {
  readonly types: readonly Uid[];
  /** What callers with the same rights share. Null where rights depend on who the caller is. */
  readonly rights: number | null;
  readonly defaultLocale: string;
  /** All that the client says: the address with the query string, or an operation with its variables. */
  readonly request: string;
}

/** The state of all content-types at some moment. */
export type { Revisions };

/** Remembers answers until a type that they were read from is written. */
export interface AnswerMemory {
  /** Returns the key of an answer. Null where it must not be remembered. */
  readonly keyOf: (question: Question) => string | null;
  /** As {@link RevisionSource.current}. */
  readonly revisions: RevisionSource['current'];
  readonly get: (key: string, revisions: Revisions) => Answer | undefined;
  /**
   * Returns what is remembered and holds now.
   *
   * @param sharesTurn whether revisions serve that were asked for since the event loop last waited
   */
  readonly recall: (
    key: string,
    types: readonly Uid[],
    sharesTurn: boolean,
  ) => Answer | undefined | Promise<Answer | undefined>;
  /** Returns the answer, and remembers it where the queries allow that. */
  readonly set: (
    key: string,
    revisions: Revisions,
    queries: readonly ReadQuery[],
    text: string,
  ) => Answer | null;
  /** How many bytes all answers take. */
  readonly bytes: () => number;
}

/** Longer requests are rarely repeated. */
const MAX_REQUEST_LENGTH = 4000;

/** Strong: the same bytes. Every process and every database that answers the same has the same one. */
const etagOf = (body: Buffer): string => `"${hash('sha1', body, 'base64url')}"`;

export function createAnswerMemory(options: AnswerMemoryOptions): AnswerMemory {
  const { model, revisions, maxBytes, remembersDrafts, hasMiddleware } = options;
  const memory = createMemory<Answer>(maxBytes);
  const revisionsOfTurn = oncePerTurn(revisions.current);
  const getAt = (key: string, now: Revisions | null): Answer | undefined =>
    now === null ? undefined : memory.get(key, now);
  const typesOf = memoizeWeakly((query: ReadQuery) => typesRead(model, query));
  return {
    keyOf: ({ types, rights, defaultLocale, request }) =>
      rights === null || request.length > MAX_REQUEST_LENGTH || types.some(hasMiddleware)
        ? null
        : `${rights} ${defaultLocale} ${request}`,
    revisions: revisions.current,
    get: memory.get,
    bytes: memory.bytes,
    recall: (key, types, sharesTurn) => {
      if (types.some(hasMiddleware)) return undefined;
      const now = sharesTurn ? revisionsOfTurn() : revisions.current();
      return now instanceof Promise ? now.then((known) => getAt(key, known)) : getAt(key, now);
    },
    set: (key, before, queries, text) => {
      if (!remembersDrafts && queries.some(({ status }) => status === 'draft')) return null;
      const body = Buffer.from(text);
      noteConstant(body);
      const answer = { body, etag: etagOf(body) };
      memory.set(key, {
        value: answer,
        bytes: body.length,
        types: queries.flatMap(typesOf),
        revisions: before,
      });
      return answer;
    },
  };
}
