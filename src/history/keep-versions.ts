import type { Database, Transaction } from '../database/database.js';
import type { DocumentService } from '../documents/documents.js';
import { createVersionTable } from '../documents/history/version-table.js';
import type { NewVersion } from '../documents/history/version-table.js';
import type { DocumentEvent, DocumentHooks } from '../documents/hooks.js';
import { isRecord } from '../lib/is-record.js';
import { getOrCreate, memoize } from '../lib/memoize.js';
import { typeOf } from '../model/lookup.js';
import { NO_LOCALE } from '../model/model.js';
import type { ContentModel, Uid, VersionStatus } from '../model/model.js';
import { parseReadQuery } from '../query/parse-read-query.js';
import { populateAll } from '../query/populate-all.js';
import type { ReadQuery } from '../query/query.js';
import { chooseContent } from './version-content.js';

export interface KeepVersionsDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly hooks: Pick<DocumentHooks, 'observe'>;
  /** The documents without the project's middlewares. */
  readonly documents: Pick<DocumentService, 'findMany'>;
  readonly defaultLocale: () => string;
  /** How many versions of a type are kept. 0: none. */
  readonly limitOf: (type: Uid) => number;
  readonly clock?: () => Date;
}

const LIMITS = { defaultLimit: Number.MAX_SAFE_INTEGER, maxLimit: -1, populateDepth: 20, maxNodes: 10_000 };

const EVERYTHING = { keepsLink: () => true, onGone: () => undefined };

const concernsPublished = ({ action, status }: DocumentEvent): boolean =>
  action === 'publish' ||
  action === 'unpublish' ||
  ((action === 'create' || action === 'update') && status === 'published');

/** The documents that are published or taken back, by type and locale. */
const groupByLocale = (events: readonly DocumentEvent[]): readonly (readonly DocumentEvent[])[] => {
  const groups = new Map<string, DocumentEvent[]>();
  for (const event of events)
    getOrCreate(groups, `${event.type} ${event.locale ?? NO_LOCALE}`, () => []).push(event);
  return [...groups.values()];
};

interface PublishedLocale {
  readonly type: Uid;
  /** As it is stored. */
  readonly locale: string;
  readonly documentIds: readonly string[];
}

type ReadContents = (
  tx: Transaction,
  published: PublishedLocale & { readonly status: VersionStatus },
) => Promise<readonly NewVersion[]>;

/** Returns what reads versions as they can be written again. */
const createReadContents = ({
  database,
  model,
  documents,
  defaultLocale,
  clock = () => new Date(),
}: KeepVersionsDependencies): ReadContents => {
  const queryOf = memoize((type: Uid): ReadQuery =>
    parseReadQuery(
      model,
      type,
      { status: 'draft', locale: '*', populate: populateAll(model, typeOf(model, type)) },
      { access: { canFind: () => true }, limits: LIMITS, defaultLocale: defaultLocale(), paginated: false },
    ),
  );
  return async (tx, { type, locale, documentIds, status }) => {
    const query: ReadQuery = {
      ...queryOf(type),
      status,
      locale,
      filter: { kind: 'compare', field: 'documentId', operator: '$in', operand: documentIds },
    };
    const { records } = await tx.runProjectCode(() => database.join(tx, () => documents.findMany(query)));
    return records.flatMap((text) => {
      const record: unknown = JSON.parse(text);
      if (!isRecord(record)) return [];
      const { documentId, publishedAt } = record;
      const content = chooseContent(model, typeOf(model, type), record, EVERYTHING);
      return [
        {
          documentId: String(documentId),
          publishedAt: typeof publishedAt === 'string' ? Date.parse(publishedAt) : clock().getTime(),
          content: JSON.stringify(content),
        },
      ];
    });
  };
};

/**
 * Keeps what is published, in the transaction that publishes it. Drafts are read, which are the same then:
 * they also show what is linked and not published itself. What an import has published, or nobody kept when
 * it was published, is kept before it is replaced or taken back.
 */
export function keepVersions(dependencies: KeepVersionsDependencies): void {
  const { database, model, hooks, limitOf } = dependencies;
  const table = createVersionTable(database);
  const read = createReadContents(dependencies);
  const findUnkept = async (tx: Transaction, published: PublishedLocale): Promise<readonly NewVersion[]> => {
    const known = await table.knownOf(tx, published);
    const documentIds = published.documentIds.filter((documentId) => !known.has(documentId));
    return documentIds.length === 0 ? [] : read(tx, { ...published, documentIds, status: 'published' });
  };
  const keep = async (tx: Transaction, events: readonly DocumentEvent[]): Promise<void> => {
    const [first] = events;
    if (first === undefined) return;
    const { type, action } = first;
    const locale = first.locale ?? NO_LOCALE;
    const documentIds = [...new Set(events.map(({ documentId }) => documentId))];
    const published = { type, locale, documentIds };
    const former = action === 'create' ? [] : await findUnkept(tx, published);
    tx.beforeCommit(async () => {
      await table.add(tx, { type, locale, contents: former }, limitOf(type));
      if (action === 'unpublish') return;
      const contents = await read(tx, { ...published, status: 'draft' });
      await table.add(tx, { type, locale, contents }, limitOf(type));
    });
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
