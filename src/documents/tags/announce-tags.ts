import type { Database, Transaction } from '../../database/database.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { WRITE_ACTIONS } from '../hooks.js';
import type { DocumentEvent, DocumentHooks } from '../hooks.js';
import { changedTags } from './changed-tags.js';
import { createStateReader } from './published-state.js';
import { createTagNames, tagsOfName } from './tag-names.js';

/** Receives the cache tags that writes make stale. */
export interface TagListener {
  /** True if the tags of a write in the transaction are needed. Otherwise the write costs no statement. */
  readonly isListening: (tx: Transaction) => Promise<boolean>;
  /** Called right before the commit, at most once for each batch of a write. */
  readonly announce: (tx: Transaction, tags: readonly string[]) => Promise<void>;
}

interface AnnounceTagsDependencies {
  readonly database: Pick<Database, 'dialect'>;
  readonly model: ContentModel;
  readonly hooks: Pick<DocumentHooks, 'observe'>;
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
 * Announces the tags of responses that a write makes stale, in its transaction. It compares the published
 * state of the written documents before and after the write, so that it sees every effect on them.
 */
export function announceTags({ database, model, hooks, locales, listeners }: AnnounceTagsDependencies): void {
  const names = createTagNames(model, locales);
  const readState = createStateReader(model, database.dialect.expressions);
  const observe = async (events: readonly DocumentEvent[], tx: Transaction): Promise<void> => {
    const [event] = events;
    if (event === undefined) return;
    const type = typeOf(model, event.type);
    if (events.every((each) => isOfDrafts(type, each))) return;
    const listening: TagListener[] = [];
    for (const listener of listeners) if (await listener.isListening(tx)) listening.push(listener);
    if (listening.length === 0) return;
    const documentIds = [...new Set(events.map(({ documentId }) => documentId))];
    // Components may refer to a restored file, and no link shows which.
    const isUnbounded =
      documentIds.length > MAX_DOCUMENTS || (type.uid === FILE_UID && event.isRestored === true);
    const before = isUnbounded ? null : await readState(tx, type, documentIds);
    const isNew = event.action === 'create' && event.isRestored !== true;
    tx.beforeCommit(async () => {
      const after = before === null ? null : await readState(tx, type, documentIds);
      const tags =
        before === null || after === null
          ? tagsOfName(names.nameOf(type))
          : changedTags(names, { type, isNew, before, after });
      if (tags.length > 0) for (const listener of listening) await listener.announce(tx, tags);
    });
  };
  for (const action of WRITE_ACTIONS) hooks.observe(action, observe);
}
