import type { Config } from '../../config/config.js';
import type { Database, Transaction } from '../../database/database.js';
import { groupBy } from '../../lib/collections.js';
import { typeOf } from '../../model/lookup.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel, Uid } from '../../model/model.js';
import type { DocumentEvent, DocumentHooks } from '../hooks.js';
import { createVersionTable } from './version-table.js';

/*
 * Keeps copies of published versions. document-history lists and restores them.
 */

/**
 * Returns the number of versions to keep of a type's documents. The configuration takes precedence over the
 * schema file.
 */
export function historyLimit(
  { history: { limit, types } }: Pick<Config, 'history'>,
  model: ContentModel,
  uid: Uid,
): number {
  const { history } = typeOf(model, uid).options;
  return types[uid] ?? (typeof history === 'number' ? history : limit);
}

export interface KeepVersionsDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly hooks: Pick<DocumentHooks, 'observe'>;
  /** Returns the number of versions to keep of a type's documents; 0 for none. */
  readonly limitOf: (type: Uid) => number;
  readonly clock?: () => Date;
}

const concernsPublished = ({ action, status }: DocumentEvent): boolean =>
  action === 'publish' ||
  action === 'unpublish' ||
  ((action === 'create' || action === 'update') && status === 'published');

/** Groups the events of published and unpublished documents by type and locale. */
const groupByLocale = (events: readonly DocumentEvent[]): Iterable<readonly DocumentEvent[]> =>
  groupBy(events, ({ type, locale }) => `${type} ${locale ?? NO_LOCALE}`).values();

/**
 * Keeps published versions, in the transaction that publishes them. It copies the equal draft, since that
 * also has links to unpublished documents. A published version that was not kept, such as an imported one, is
 * kept before it is replaced or unpublished.
 */
export function keepVersions({
  database,
  model,
  hooks,
  limitOf,
  clock = () => new Date(),
}: KeepVersionsDependencies): void {
  const table = createVersionTable(database, model);
  const keep = async (tx: Transaction, events: readonly DocumentEvent[]): Promise<void> => {
    const [first] = events;
    if (first === undefined) return;
    const { type, action } = first;
    const limit = limitOf(type);
    const documentIds = [...new Set(events.map(({ documentId }) => documentId))];
    const versions = { type, locale: first.locale ?? NO_LOCALE, documentIds, now: clock() };
    if (action !== 'create') {
      const known = await table.knownOf(tx, versions);
      const unknown = documentIds.filter((documentId) => !known.has(documentId));
      if (unknown.length > 0)
        await table.add(tx, { status: 'published', ...versions, documentIds: unknown }, limit);
    }
    if (action === 'unpublish') return;
    tx.beforeCommit(() => table.add(tx, { status: 'draft', ...versions }, limit));
  };
  const types = model.types
    .filter(({ uid, draftAndPublish }) => draftAndPublish && limitOf(uid) > 0)
    .map(({ uid }) => uid);
  const observe = async (events: readonly DocumentEvent[], tx: Transaction): Promise<void> => {
    for (const group of groupByLocale(events.filter(concernsPublished))) await keep(tx, group);
  };
  for (const action of ['create', 'update', 'publish', 'unpublish'] as const)
    hooks.observe(action, observe, types);
  hooks.observe(
    'delete',
    async (events, tx) => {
      for (const [first, ...others] of groupByLocale(events))
        if (first !== undefined)
          await table.remove(tx, {
            type: first.type,
            documentIds: [first, ...others].map(({ documentId }) => documentId),
            locale: first.locale,
          });
    },
    model.types.filter(({ draftAndPublish }) => draftAndPublish).map(({ uid }) => uid),
  );
}
