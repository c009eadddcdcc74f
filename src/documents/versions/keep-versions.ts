/** Keeps copies of published versions. document-history.ts lists and restores them. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Config } from '../../config/config.js';
import type { Database, Transaction } from '../../database/database.js';
import { groupBy, memoize } from '../../lib/collections.js';
import { typeOf } from '../../model/lookup.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel, Uid, VersionStatus } from '../../model/model.js';
import type { BoundValue, JsonPairs } from '../../database/dialect/sql-expressions.js';
import { compileContents } from '../../query/compile/read-compiler.js';
import type { DocumentEvent, DocumentHooks } from '../hooks.js';

/** One locale of a document. */
interface VersionedLocale {
  readonly type: Uid;
  readonly documentId: string;
  /** The stored form of the locale. */
  readonly locale: string;
}

/** A published version without its content. */
export interface KeptVersion {
  /** Counted from 1 for each locale of a document. */
  readonly version: number;
  readonly publishedAt: string;
  /** The name of the caller who published it. Null if it is not known. */
  readonly author: string | null;
}

/** The versions of one type, locale and status to add. */
interface NewVersions extends Omit<VersionedLocale, 'documentId'> {
  readonly documentIds: readonly string[];
  readonly status: VersionStatus;
  /** The time of publication. */
  readonly now: Date;
  readonly author: string | null;
}

interface VersionTable {
  /** Copies the current versions with one statement, and deletes the oldest copies beyond the limit. */
  readonly add: (tx: Transaction, versions: NewVersions, limit: number) => Promise<void>;
  /** Returns the documents that have kept versions. */
  readonly knownOf: (
    tx: Transaction,
    documents: {
      readonly type: Uid;
      readonly documentIds: readonly string[];
      readonly locale: string;
    },
  ) => Promise<ReadonlySet<string>>;
  /** Removes the versions of deleted documents, in one locale or, with null, in all. */
  readonly remove: (
    tx: Transaction,
    documents: {
      readonly type: Uid;
      readonly documentIds: readonly string[];
      readonly locale: string | null;
    },
  ) => Promise<void>;
  /** Lists versions, the latest first. */
  readonly list: (name: VersionedLocale) => Promise<readonly KeptVersion[]>;
  /** Returns a version with its content. */
  readonly find: (
    name: VersionedLocale,
    version: number,
  ) => Promise<(KeptVersion & { readonly content: string }) | null>;
}

type VersionDatabase = Pick<Database, 'dialect' | 'readTexts'>;

const conditionsOf = ({ dialect: { expressions } }: VersionDatabase) => {
  const text = (value: string) => expressions.parameter('text', value);
  return {
    text,
    isOf: ({ type, documentId, locale }: VersionedLocale) =>
      sql`type = ${text(type)} and document_id = ${text(documentId)} and locale = ${text(locale)}`,
    areOf: (documentIds: readonly string[]) =>
      expressions.inList(sql.ref('document_id'), 'text', expressions.encodeList('text', documentIds)),
  };
};

const createWriter = (
  database: VersionDatabase,
  model: ContentModel,
): Pick<VersionTable, 'add' | 'knownOf' | 'remove'> => {
  const { expressions } = database.dialect;
  const { text, areOf } = conditionsOf(database);
  const insertionOf = memoize((status: VersionStatus) =>
    memoize((type: Uid) =>
      compileContents(model, { type, status }, expressions, (read) => {
        const number = sql`select coalesce(max(number), 0) + 1 from cms_versions kept
          where kept.type = ${sql.lit(type)} and kept.document_id = ${read.documentId}
          and kept.locale = ${read.locale}`;
        return sql`insert into cms_versions (type, document_id, locale, number, published_at, author, content)
          select ${sql.lit(type)}, ${read.documentId}, ${read.locale}, (${number}), ${read.publishedAt},
          ${read.author}, ${read.content} ${read.rows} returning document_id, number`;
      }),
    ),
  );
  const deleteOldest = async (
    tx: Transaction,
    { type, locale, documentIds }: Pick<NewVersions, 'type' | 'locale' | 'documentIds'>,
    limit: number,
  ): Promise<void> => {
    const latest = sql`select max(number) from cms_versions kept where kept.type = cms_versions.type
      and kept.document_id = cms_versions.document_id and kept.locale = cms_versions.locale`;
    const statement = sql`delete from cms_versions
      where type = ${text(type)} and locale = ${text(locale)} and ${areOf(documentIds)}
      and number <= (${latest}) - ${expressions.parameter('integer', limit)}`.compile(expressions.kysely);
    await tx.execute(statement.sql, statement.parameters);
  };
  return {
    add: async (tx, versions, limit) => {
      const { type, locale, status } = versions;
      const statement = insertionOf(status)(type)(versions);
      const full = (await tx.query(statement.sql, statement.parameters))
        .filter((row) => Number(row['number']) > limit)
        .map((row) => String(row['document_id']));
      if (full.length > 0) await deleteOldest(tx, { type, locale, documentIds: full }, limit);
    },
    knownOf: async (tx, { type, documentIds, locale }) => {
      const statement = sql`select distinct document_id from cms_versions
        where type = ${text(type)} and ${areOf(documentIds)} and locale = ${text(locale)}`.compile(
        expressions.kysely,
      );
      const rows = await tx.query(statement.sql, statement.parameters);
      return new Set(rows.map((row) => String(row['document_id'])));
    },
    remove: async (tx, { type, documentIds, locale }) => {
      const inLocale = locale === null ? sql`` : sql` and locale = ${text(locale)}`;
      const statement = sql`delete from cms_versions
        where type = ${text(type)} and ${areOf(documentIds)}${inLocale}`.compile(expressions.kysely);
      await tx.execute(statement.sql, statement.parameters);
    },
  };
};

const createReader = (database: VersionDatabase): Pick<VersionTable, 'list' | 'find'> => {
  const { expressions } = database.dialect;
  const { isOf } = conditionsOf(database);
  const { json } = expressions;
  const author = ['author', json.value('text', sql.ref('author'))] as const;
  const number = ['version', json.value('integer', sql.ref('number'))] as const;
  const time = ['publishedAt', json.value('integer', sql.ref('published_at'))] as const;
  const read = async (columns: JsonPairs, condition: RawBuilder<unknown>) => {
    const record = json.text(json.object(columns));
    const statement = sql`select ${record} from cms_versions where ${condition}
      order by number desc`.compile(expressions.kysely);
    const texts = await database.readTexts(statement.sql, statement.parameters as readonly BoundValue[]);
    return texts.map((row) => {
      const {
        version,
        publishedAt,
        author: name,
        content,
      } = JSON.parse(row ?? '{}') as Record<string, unknown>;
      const kept = {
        version: Number(version),
        publishedAt: new Date(Number(publishedAt)).toISOString(),
        author: typeof name === 'string' ? name : null,
      };
      return { kept, content: String(content) };
    });
  };
  return {
    list: async (name) => (await read([number, time, author], isOf(name))).map(({ kept }) => kept),
    find: async (name, version) => {
      const isWanted = sql`${isOf(name)} and number = ${expressions.parameter('integer', version)}`;
      const [found] = await read(
        [number, time, author, ['content', json.value('text', sql.ref('content'))]],
        isWanted,
      );
      return found === undefined ? null : { ...found.kept, content: found.content };
    },
  };
};

/** Creates the table of kept versions. */
export function createVersionTable(database: VersionDatabase, model: ContentModel): VersionTable {
  return { ...createWriter(database, model), ...createReader(database) };
}

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

interface KeepVersionsDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly hooks: Pick<DocumentHooks, 'observe'>;
  /** Returns the number of versions to keep of a type's documents; 0 for none. */
  readonly limitOf: (type: Uid) => number;
  readonly clock?: () => Date;
  /** Returns the name of the caller on whose behalf code runs. Default: none is known. */
  readonly authorOf?: () => string | null;
}

/** True for writes of published versions. Restored documents have their kept versions. */
const concernsPublished = ({ action, status, isRestored }: DocumentEvent): boolean =>
  action === 'publish' ||
  action === 'unpublish' ||
  ((action === 'create' || action === 'update') && status === 'published' && isRestored !== true);

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
  authorOf = () => null,
}: KeepVersionsDependencies): void {
  const table = createVersionTable(database, model);
  const keep = async (tx: Transaction, events: readonly DocumentEvent[]): Promise<void> => {
    const [first] = events;
    if (first === undefined) return;
    const { type, action } = first;
    const limit = limitOf(type);
    const documentIds = [...new Set(events.map(({ documentId }) => documentId))];
    const versions = {
      type,
      locale: first.locale ?? NO_LOCALE,
      documentIds,
      now: clock(),
      author: authorOf(),
    };
    if (action !== 'create') {
      const known = await table.knownOf(tx, versions);
      const unknown = documentIds.filter((documentId) => !known.has(documentId));
      if (unknown.length > 0)
        await table.add(tx, { ...versions, status: 'published', documentIds: unknown, author: null }, limit);
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
      for (const [first, ...others] of groupByLocale(events)) {
        if (first === undefined) continue;
        const { type, locale } = first;
        const documentIds = [first, ...others].map(({ documentId }) => documentId);
        // The deletion copies them to the trash first.
        tx.beforeCommit(() => table.remove(tx, { type, documentIds, locale }));
      }
    },
    model.types.filter(({ draftAndPublish }) => draftAndPublish).map(({ uid }) => uid),
  );
}
