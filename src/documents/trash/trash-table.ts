/**
 * The folder trash stores deleted documents and restores them. This file copies their rows to the trash, in
 * the transaction that deletes them.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Transaction } from '../../database/database.js';
import type { JsonPairs, SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { chunksOf, memoize } from '../../lib/collections.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType, Link, Uid, VersionStatus } from '../../model/model.js';
import { compileRelationMappings, incomingMappings } from '../links/relation-mapping.js';
import type { RelationMapping, RelationTarget } from '../links/relation-mapping.js';

type Fragment = RawBuilder<unknown>;

/** Documents of one type, and the versions of them that are about to be deleted. */
interface DeletedVersions {
  readonly type: Uid;
  readonly documentIds: readonly string[];
  /** The only deleted versions. Absent: the documents are deleted as a whole. */
  readonly versions?: DeletedPart | undefined;
}

/** Versions of documents that keep others. */
interface DeletedPart {
  /** The stored form of the locale. */
  readonly locale: string;
  /** Null: draft and published version. */
  readonly status: VersionStatus | null;
  /** True if links to the locale are deleted, too. */
  readonly isUnlinked: boolean;
}

/** Copies documents to the trash. */
export interface TrashTable {
  /**
   * Call it before the versions are deleted, since the database deletes their links with them. Returns false
   * if the trash does not keep the type.
   */
  readonly add: (tx: Transaction, deleted: DeletedVersions) => Promise<boolean>;
}

/** A row of the trash. */
export interface TrashRow {
  readonly id: number;
  readonly kind: string;
  readonly type: Uid;
  readonly attribute: string;
  readonly target: Uid;
  readonly record: Readonly<Record<string, unknown>>;
  /** JSON. */
  readonly content: string;
}

/** Keeps nothing. */
export const NO_TRASH: TrashTable = Object.freeze({ add: async () => false });

/** True if deleted documents of the type are kept. Accounts are not, since they hold personal data. */
function isKept({ origin, uid }: Pick<ContentType, 'origin' | 'uid'>): boolean {
  return origin !== 'builtin' || uid === FILE_UID;
}

/** More queries in one statement take longer to plan than another statement. */
const MAX_QUERIES = 60;

/** The part of the versions that determines the statements. */
interface Scope {
  readonly type: Uid;
  readonly isWhole: boolean;
  readonly status: VersionStatus | null;
  readonly isUnlinked: boolean;
}

interface KeptRows {
  readonly kind: 'version' | 'link' | 'history' | 'schedule';
  readonly type: Uid;
  readonly attribute?: string;
  readonly target?: Uid;
  readonly record: JsonPairs;
  /** JSON text. */
  readonly content?: Fragment;
  /** The tables in the order in which they are read, and the conditions. `t` is the entry of the trash. */
  readonly from: Fragment;
  readonly where: readonly Fragment[];
}

const NO_TEXT = sql`cast(null as text)`;
const NO_NUMBER = sql`cast(null as double precision)`;

/** The position of a link in the list of the inverse side. */
const inversePosition = (link: Link): Fragment => {
  if (link.kind === 'column') return link.position === null ? NO_NUMBER : sql.id('s', link.position.column);
  return link.kind === 'table' && link.hasInversePosition ? sql`l.inverse_position` : NO_NUMBER;
};

/** Compiles the queries for the rows that are deleted with documents of one type. */
class RowQueries {
  readonly #expressions: SqlExpressions;
  readonly #model: ContentModel;
  readonly #type: ContentType;
  readonly #scope: Scope;

  constructor(expressions: SqlExpressions, model: ContentModel, scope: Scope) {
    this.#expressions = expressions;
    this.#model = model;
    this.#type = typeOf(model, scope.type);
    this.#scope = scope;
  }

  all(): readonly KeptRows[] {
    const owned = compileRelationMappings(this.#model, this.#type).filter(
      ({ attribute }) => attribute.side === 'owner',
    );
    const { isWhole, isUnlinked } = this.#scope;
    const incoming = isWhole || isUnlinked ? incomingMappings(this.#model, this.#type) : [];
    return [
      this.#versions(),
      ...owned.flatMap((mapping) => mapping.targets.map((target) => this.#owned(mapping, target))),
      ...incoming.flatMap((mapping) =>
        mapping.targets
          .filter(({ type }) => type === this.#type && (isWhole || mapping.localeStoredIn !== 'none'))
          .map((target) => this.#incoming(mapping, target)),
      ),
      ...(this.#type.draftAndPublish && (isWhole || isUnlinked) ? [this.#history(), this.#schedules()] : []),
    ];
  }

  #pair(key: string, kind: ColumnKind, column: Fragment): JsonPairs[number] {
    return [key, this.#expressions.json.value(kind, column)];
  }

  #pairs(kind: ColumnKind, alias: string, columns: Readonly<Record<string, string>>): JsonPairs {
    return Object.entries(columns).map(([key, name]) => this.#pair(key, kind, sql.id(alias, name)));
  }

  /** The conditions of the versions `s` that are deleted. */
  #areDeleted(): readonly Fragment[] {
    const { isWhole, status } = this.#scope;
    return [
      sql`s.document_id = t.document_id`,
      ...(isWhole ? [] : [sql`s.locale = t.locale`]),
      ...(isWhole || status === null ? [] : [sql`s.status = ${sql.lit(status)}`]),
    ];
  }

  #versionTable(): Fragment {
    return sql`${sql.id(this.#type.storage.version.table)} as s`;
  }

  #versions(): KeptRows {
    const times = { createdAt: 'created_at', updatedAt: 'updated_at', publishedAt: 'published_at' };
    const { json } = this.#expressions;
    const values = Object.values(this.#type.attributes).flatMap((attribute) =>
      'column' in attribute
        ? [this.#pair(attribute.name, attribute.column.kind, sql.id('s', attribute.column.name))]
        : [],
    );
    return {
      kind: 'version',
      type: this.#type.uid,
      record: [
        ...this.#pairs('integer', 's', { id: 'id' }),
        ...this.#pairs('text', 's', { locale: 'locale', status: 'status' }),
        ...this.#pairs('datetime', 's', times),
      ],
      content: json.text(json.object(values)),
      from: this.#versionTable(),
      where: this.#areDeleted(),
    };
  }

  /** A link: `s` is the owner's version, `l` the row of a link table. */
  #link(
    { owner, attribute, link }: RelationMapping,
    { type, column }: RelationTarget,
  ): Omit<KeptRows, 'from' | 'where'> {
    const isTable = link.kind === 'table';
    return {
      kind: 'link',
      type: owner.uid,
      attribute: attribute.name,
      target: type.uid,
      record: [
        ...this.#pairs('text', 's', { source: 'document_id', locale: 'locale', status: 'status' }),
        this.#pair('target', 'text', sql.id(link.kind === 'column' ? 's' : 'l', column)),
        this.#pair('targetStatus', 'text', isTable && link.hasTargetStatus ? sql`l.target_status` : NO_TEXT),
        this.#pair('targetLocale', 'text', isTable && link.hasTargetLocale ? sql`l.target_locale` : NO_TEXT),
        this.#pair('position', 'double', link.kind === 'column' ? NO_NUMBER : sql`l.position`),
        this.#pair('inversePosition', 'double', inversePosition(link)),
      ],
    };
  }

  #owned(mapping: RelationMapping, target: RelationTarget): KeptRows {
    const { link } = mapping;
    const isColumn = link.kind === 'column';
    const versions = this.#versionTable();
    return {
      ...this.#link(mapping, target),
      from: isColumn ? versions : sql`${versions} cross join ${sql.id(link.table)} as l`,
      where: [
        ...this.#areDeleted(),
        ...(isColumn ? [] : [sql`l.source_id = s.id`]),
        sql`${sql.id(isColumn ? 's' : 'l', target.column)} is not null`,
      ],
    };
  }

  #incoming(mapping: RelationMapping, target: RelationTarget): KeptRows {
    const { link, owner, localeStoredIn } = mapping;
    const isColumn = link.kind === 'column';
    const versions = sql`${sql.id(owner.storage.version.table)} as s`;
    const locale = localeStoredIn === 'link' ? sql`l.target_locale` : sql`s.locale`;
    return {
      ...this.#link(mapping, target),
      from: isColumn ? versions : sql`${sql.id(link.table)} as l cross join ${versions}`,
      where: [
        sql`${sql.id(isColumn ? 's' : 'l', target.column)} = t.document_id`,
        ...(isColumn ? [] : [sql`s.id = l.source_id`]),
        ...(this.#scope.isWhole ? [] : [sql`${locale} = t.locale`]),
      ],
    };
  }

  #ofLocale(table: string): Pick<KeptRows, 'from' | 'where'> {
    return {
      from: sql`${sql.id(table)} as s`,
      where: [
        sql`s.type = ${sql.lit(this.#type.uid)}`,
        sql`s.document_id = t.document_id`,
        ...(this.#scope.isWhole ? [] : [sql`s.locale = t.locale`]),
      ],
    };
  }

  #history(): KeptRows {
    return {
      kind: 'history',
      type: this.#type.uid,
      record: [
        ...this.#pairs('text', 's', { locale: 'locale', author: 'author' }),
        ...this.#pairs('integer', 's', { id: 'id', number: 'number', publishedAt: 'published_at' }),
      ],
      content: sql`s.content`,
      ...this.#ofLocale('cms_versions'),
    };
  }

  #schedules(): KeptRows {
    return {
      kind: 'schedule',
      type: this.#type.uid,
      record: [
        ...this.#pairs('text', 's', { locale: 'locale', author: 'author', action: 'action', error: 'error' }),
        ...this.#pairs('integer', 's', { id: 'id', at: 'at' }),
      ],
      ...this.#ofLocale('cms_schedules'),
    };
  }
}

/** Compiles the statements that copy rows to the trash. Each is bound to the ids of its entries. */
const compileCopies = (
  expressions: SqlExpressions,
  model: ContentModel,
  scope: Scope,
): ((entryIds: readonly number[]) => readonly { readonly sql: string; readonly parameters: unknown[] }[]) => {
  const { json } = expressions;
  const isListed = expressions.inList(sql`id`, 'integer', null);
  const selections = new RowQueries(expressions, model, scope).all().map((rows) => {
    const names = [rows.kind, rows.type, rows.attribute ?? '', rows.target ?? ''].map((name) =>
      sql.lit(name),
    );
    const content = rows.content ?? sql.lit('{}');
    const record = json.text(json.object(rows.record));
    const found = expressions.rowsOfEach({
      outer: sql`deleted as t`,
      values: [record, content],
      from: rows.from,
      where: sql.join(rows.where, sql` and `),
    });
    return sql`select t.id, ${sql.join(names)}, ${sql.join(found.values)} from ${found.from}`;
  });
  const texts = chunksOf(selections, MAX_QUERIES).map(
    (chunk) =>
      sql`with deleted as (select id, document_id, locale from cms_trash where ${isListed})
        insert into cms_trash_rows (trash_id, kind, type, attribute, target, record, content)
        ${sql.join(chunk, sql` union all `)}`.compile(expressions.kysely).sql,
  );
  return (entryIds) =>
    texts.map((text) => ({ sql: text, parameters: [expressions.encodeList('integer', entryIds)] }));
};

/** Creates the table of deleted documents. The number of statements does not depend on that of documents. */
export function createTrashTable(
  expressions: SqlExpressions,
  model: ContentModel,
  clock: () => Date = () => new Date(),
): TrashTable {
  const copiesOf = memoize((key: string) => compileCopies(expressions, model, JSON.parse(key) as Scope));
  const isOfDocuments = expressions.inList(sql`d.document_id`, 'text', null);
  const entriesOf = memoize((uid: Uid) => {
    const table = sql.id(typeOf(model, uid).storage.document.table);
    const [locale, time] = [expressions.parameter('text', null), expressions.parameter('bigint', null)];
    return sql`insert into cms_trash (type, document_id, locale, deleted_at)
      select ${sql.lit(uid)}, d.document_id, ${locale}, ${time} from ${table} as d
      where ${isOfDocuments} returning id`.compile(expressions.kysely).sql;
  });
  return {
    add: async (tx, { type, documentIds, versions }) => {
      if (!isKept(typeOf(model, type))) return false;
      if (documentIds.length === 0) return true;
      const rows = await tx.query(entriesOf(type), [
        versions?.locale ?? null,
        BigInt(clock().getTime()),
        expressions.encodeList('text', documentIds),
      ]);
      const { status = null, isUnlinked = false } = versions ?? {};
      const scope: Scope = { type, status, isUnlinked, isWhole: versions === undefined };
      const copies = copiesOf(JSON.stringify(scope));
      for (const statement of copies(rows.map(({ id }) => Number(id))))
        await tx.execute(statement.sql, statement.parameters);
      return true;
    },
  };
}

/** A file in the trash. */
export interface KeptFile {
  readonly documentId: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Returns the files in the trash, whose content is still stored: all, or the versions of one document. */
export async function readKeptFiles(
  tx: Transaction,
  { placeholder }: Pick<SqlExpressions, 'placeholder'>,
  documentId?: string,
): Promise<readonly KeptFile[]> {
  const isListed = documentId === undefined ? '' : ` AND t."document_id" = ${placeholder(1)}`;
  const rows = await tx.query(
    `SELECT t."document_id", r."content" FROM "cms_trash" AS t
      JOIN "cms_trash_rows" AS r ON r."trash_id" = t."id"
      WHERE t."type" = '${FILE_UID}' AND r."kind" = 'version'${isListed}`,
    documentId === undefined ? [] : [documentId],
  );
  return rows.map(({ document_id: id, content }) => ({
    documentId: String(id),
    values: JSON.parse(String(content)) as KeptFile['values'],
  }));
}
