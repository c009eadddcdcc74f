import type { Database, Transaction } from '../../database/database.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import type { DocumentEvent } from '../hooks.js';
import { announcementOf, changedTags } from './changed-tags.js';
import { createStateReader } from './published-state.js';
import { createTagNames, tagsOfName } from './tag-names.js';

/** Receives the cache tags that writes make stale. */
export interface TagListener {
  /** True if the tags of a write in the transaction are needed. Otherwise the write costs no statement. */
  readonly isListening: (tx: Transaction) => Promise<boolean>;
  /** Called right before the commit, at most once for each batch of a write. */
  readonly announce: (tx: Transaction, tags: readonly string[]) => Promise<void>;
}

interface ObserveTagsDependencies {
  readonly database: Pick<Database, 'dialect'>;
  readonly model: ContentModel;
  /** Returns the codes of all locales. */
  readonly locales: () => readonly string[];
  readonly listeners: readonly TagListener[];
}

/** A batch with more documents announces their type. */
const MAX_DOCUMENTS = 200;

/** True if no published version changes. */
const isOfDrafts = ({ draftAndPublish }: ContentType, { action, status }: DocumentEvent): boolean =>
  draftAndPublish &&
  (action === 'discardDraft' || (status === 'draft' && (action === 'create' || action === 'update')));

/**
 * Observes a write before it runs. Returns the function that announces its tags to the listeners right before
 * the commit, and returns those that clients may know. Null: it makes no response stale.
 *
 * @param areExpected called if nobody listens. True if exact tags are needed nevertheless. Otherwise they are
 *   those of the type, which cost no statement
 */
export type ObserveTags = (
  events: readonly DocumentEvent[],
  tx: Transaction,
  areExpected: (tx: Transaction) => Promise<boolean>,
) => Promise<(() => Promise<readonly string[]>) | null>;

/**
 * Creates the function that finds the tags of responses that a write makes stale, in its transaction. It
 * compares the published state of the written documents before and after the write, so that it sees every
 * effect on them.
 */
export function createObserveTags({
  database,
  model,
  locales,
  listeners,
}: ObserveTagsDependencies): ObserveTags {
  const names = createTagNames(model, locales);
  const readState = createStateReader(model, database.dialect.expressions);
  return async (events, tx, areExpected) => {
    const [event] = events;
    if (event === undefined) return null;
    const type = typeOf(model, event.type);
    if (events.every((each) => isOfDrafts(type, each))) return null;
    const listening: TagListener[] = [];
    for (const listener of listeners) if (await listener.isListening(tx)) listening.push(listener);
    const documentIds = [...new Set(events.map(({ documentId }) => documentId))];
    const isUnbounded =
      (listening.length === 0 && !(await areExpected(tx))) ||
      documentIds.length > MAX_DOCUMENTS ||
      // Components may refer to a restored file, and no link shows which.
      (type.uid === FILE_UID && event.isRestored === true);
    const before = isUnbounded ? null : await readState(tx, type, documentIds);
    const isNew = event.action === 'create' && event.isRestored !== true;
    return async () => {
      const after = before === null ? null : await readState(tx, type, documentIds);
      const { tags, shown } =
        before === null || after === null
          ? announcementOf(tagsOfName(names.nameOf(type)))
          : changedTags(names, { type, isNew, before, after });
      if (tags.length > 0) for (const listener of listening) await listener.announce(tx, tags);
      return shown;
    };
  };
}
