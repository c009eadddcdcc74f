import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Transaction } from '../../database/database.js';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { chunksOf, groupBy, memoize } from '../../lib/collections.js';
import { defined } from '../../lib/assert.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType, Link } from '../../model/model.js';
import { compileRelationMappings, incomingMappings } from '../links/relation-mapping.js';
import type { RelationMapping } from '../links/relation-mapping.js';

/** A published version: its values as the database returns them, by attribute. */
export interface PublishedVersion {
  readonly documentId: string;
  readonly locale: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** One end of the links between two types, seen from the documents whose state is read. */
interface LinkEnd {
  readonly link: Link;
  /** True if the type owns the link, false if it is the target. */
  readonly isOwner: boolean;
  readonly owner: ContentType;
  readonly other: ContentType;
  /** The attribute of the type that shows the link. Null: none does. */
  readonly attribute: string | null;
  /** The attribute of the other type that shows the link. Null: none does. */
  readonly otherAttribute: string | null;
}

/** A link from or to a published version. */
export interface PublishedLink {
  readonly end: LinkEnd;
  readonly documentId: string;
  readonly otherId: string;
  /** The locale of the owner's version. */
  readonly ownerLocale: string;
  /** The locale that the link stores. Empty: it stores none. */
  readonly targetLocale: string;
  /** The position in the document's list. */
  readonly position: number;
  /** The position in the list of the document at the other end. */
  readonly otherPosition: number;
}

/** The published versions of some documents of a type, and their links to published versions. */
export interface PublishedState {
  readonly versions: readonly PublishedVersion[];
  /** The links of all ends but those in `crowded`. */
  readonly links: readonly PublishedLink[];
  /** The ends with more links than are read, each with a text that changes with any of them. */
  readonly crowded: ReadonlyMap<LinkEnd, string>;
}

/**
 * Reads the published state of documents, in a transaction. Costs one statement for the versions, one for the
 * links unless the type has none, and one for each crowded end.
 */
export type ReadPublishedState = (
  tx: Pick<Transaction, 'query'>,
  type: ContentType,
  documentIds: readonly string[],
) => Promise<PublishedState>;

/** The number of links of one end that a state lists. */
const MAX_LINKS = 1000;
/** SQLite limits a statement to 500 combined selects. */
const MAX_SELECTS = 100;

const otherAttributeOf = ({ link }: RelationMapping, target: ContentType): string | null =>
  link.kind === 'morph'
    ? (link.targets.find(({ uid }) => uid === target.uid)?.inverseAttribute ?? null)
    : link.inverseAttribute;

/** Returns the ends of all links of a type, which are stored with it or with other types. */
const linkEndsOf = (model: ContentModel, type: ContentType): readonly LinkEnd[] => {
  const owned = compileRelationMappings(model, type)
    .filter(({ attribute }) => attribute.side === 'owner')
    .flatMap((mapping) =>
      mapping.targets.map(({ type: target }) => ({
        link: mapping.link,
        isOwner: true,
        owner: type,
        other: target,
        attribute: mapping.attribute.name,
        otherAttribute: otherAttributeOf(mapping, target),
      })),
    );
  const incoming = incomingMappings(model, type).map((mapping) => ({
    link: mapping.link,
    isOwner: false,
    owner: mapping.owner,
    other: mapping.owner,
    attribute: otherAttributeOf(mapping, type),
    otherAttribute: mapping.attribute.name,
  }));
  return [...owned, ...incoming];
};

/** The columns of a link's row in SQL. `o` is the owner's version, and `l` the row of a link table. */
interface LinkColumns {
  readonly from: RawBuilder<unknown>;
  readonly target: RawBuilder<unknown>;
  readonly targetLocale: RawBuilder<unknown>;
  readonly position: RawBuilder<unknown>;
  readonly inversePosition: RawBuilder<unknown>;
  readonly where: readonly RawBuilder<unknown>[];
}

const NONE = sql`'0'`;

const columnsOf = ({ link, owner, other, isOwner }: LinkEnd, type: ContentType): LinkColumns => {
  const versions = sql`${sql.id(owner.storage.version.table)} as o`;
  if (link.kind === 'column')
    return {
      from: versions,
      target: sql.ref(`o.${link.column}`),
      targetLocale: sql`''`,
      position: NONE,
      inversePosition: link.position === null ? NONE : sql.ref(`o.${link.position.column}`),
      where: [],
    };
  const target = isOwner ? other : type;
  const morphColumn =
    link.kind === 'morph' ? link.targets.find(({ uid }) => uid === target.uid)?.column : undefined;
  const hasStatus = link.kind === 'table' && link.hasTargetStatus;
  return {
    from: sql`${sql.id(link.table)} as l join ${versions} on o.id = l.source_id`,
    target: sql.ref(`l.${morphColumn ?? 'target_document_id'}`),
    targetLocale: link.kind === 'table' && link.hasTargetLocale ? sql`l.target_locale` : sql`''`,
    position: sql`l.position`,
    inversePosition: link.kind === 'table' && link.hasInversePosition ? sql`l.inverse_position` : NONE,
    where: hasStatus ? [sql`l.target_status = 'published'`] : [],
  };
};

const asText = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`cast(${value} as text)`;

/** Compiles numbers that change with the links of an end, or their order. */
const compileDigest = ({ inList, kysely }: SqlExpressions, type: ContentType, end: LinkEnd): string => {
  const { from, target, position, inversePosition, where } = columnsOf(end, type);
  const near = end.isOwner ? sql`o.document_id` : target;
  const conditions = [inList(near, 'text', null), sql`o.status = 'published'`, ...where];
  const numbers = [
    ...(end.link.kind === 'column' ? [] : [sql`l.id`]),
    sql`o.id`,
    ...[position, inversePosition].filter((each) => each !== NONE),
  ];
  const sums = numbers.map((number, index) => sql`sum(${number}) as ${sql.id(`sum${index}`)}`);
  return sql`select ${sql.join([sql`count(*) as links`, ...sums])} from ${from}
    where ${sql.join(conditions, sql` and `)}`.compile(kysely).sql;
};

/** Compiles the rows of one end. At most one more than {@link MAX_LINKS}, to notice that there are more. */
const selectEnd = (
  { inList }: SqlExpressions,
  type: ContentType,
  end: LinkEnd,
  index: number,
): RawBuilder<unknown> => {
  const { from, target, targetLocale, position, inversePosition, where } = columnsOf(end, type);
  const source = sql`o.document_id`;
  const [near, far] = end.isOwner ? [source, target] : [target, source];
  const [place, otherPlace] = end.isOwner ? [position, inversePosition] : [inversePosition, position];
  const conditions = [inList(near, 'text', null), sql`${far} is not null`, sql`o.status = 'published'`];
  return sql`select * from (select ${sql.lit(index)} as n, ${near} as near, ${far} as far,
    o.locale as owner_locale, ${targetLocale} as target_locale, ${asText(place)} as place,
    ${asText(otherPlace)} as other_place
    from ${from} where ${sql.join([...conditions, ...where], sql` and `)}
    limit ${sql.lit(MAX_LINKS + 1)}) as ${sql.id(`links${index}`)}`;
};

interface TypeStatements {
  readonly versions: string;
  /** By column. */
  readonly attributes: readonly (readonly [column: string, attribute: string])[];
  readonly ends: readonly LinkEnd[];
  readonly links: readonly { readonly sql: string; readonly ends: number }[];
}

const TIMES = [
  ['created_at', 'createdAt'],
  ['updated_at', 'updatedAt'],
  ['published_at', 'publishedAt'],
] as const;

const compileType = (model: ContentModel, expressions: SqlExpressions, type: ContentType): TypeStatements => {
  const compile = (text: RawBuilder<unknown>): string => text.compile(expressions.kysely).sql;
  const ends = linkEndsOf(model, type);
  const attributes = Object.values(type.attributes).flatMap((attribute) =>
    'column' in attribute ? [[attribute.column.name, attribute.name] as const] : [],
  );
  const columns = [
    'document_id',
    'locale',
    ...TIMES.map(([name]) => name),
    ...attributes.map(([name]) => name),
  ];
  return {
    versions: compile(sql`select ${sql.join(columns.map((name) => sql.id(name)))}
      from ${sql.id(type.storage.version.table)} where status = 'published'
      and ${expressions.inList(sql`document_id`, 'text', null)}`),
    attributes: [...TIMES, ...attributes],
    ends,
    links: chunksOf([...ends.entries()], MAX_SELECTS).map((chunk) => ({
      sql: compile(
        sql.join(
          chunk.map(([index, end]) => selectEnd(expressions, type, end, index)),
          sql` union all `,
        ),
      ),
      ends: chunk.length,
    })),
  };
};

type Row = Readonly<Record<string, unknown>>;

const toVersion = (row: Row, attributes: TypeStatements['attributes']): PublishedVersion => ({
  documentId: String(row['document_id']),
  locale: String(row['locale']),
  values: Object.fromEntries(attributes.map(([column, name]) => [name, row[column]])),
});

const toLink = (row: Row, ends: readonly LinkEnd[]): PublishedLink => ({
  end: defined(ends[Number(row['n'])], 'The end of a link'),
  documentId: String(row['near']),
  otherId: String(row['far']),
  ownerLocale: String(row['owner_locale']),
  targetLocale: String(row['target_locale']),
  position: Number(row['place']),
  otherPosition: Number(row['other_place']),
});

const endsOfMany = (links: readonly PublishedLink[]): readonly LinkEnd[] =>
  links.length <= MAX_LINKS
    ? []
    : [...groupBy(links, ({ end }) => end)].filter(([, all]) => all.length > MAX_LINKS).map(([end]) => end);

/** Creates the reader of published states. Statements are compiled once per type. */
export function createStateReader(model: ContentModel, expressions: SqlExpressions): ReadPublishedState {
  const statementsOf = memoize((type: ContentType) => compileType(model, expressions, type));
  return async (tx, type, documentIds) => {
    const statements = statementsOf(typeOf(model, type.uid));
    const list = expressions.encodeList('text', documentIds);
    const rows = await tx.query(statements.versions, [list]);
    const found: PublishedLink[] = [];
    for (const { sql: text, ends } of statements.links)
      for (const row of await tx.query(
        text,
        Array.from({ length: ends }, () => list),
      ))
        found.push(toLink(row, statements.ends));
    const crowded = new Map<LinkEnd, string>();
    for (const end of endsOfMany(found)) {
      const [digest] = await tx.query(compileDigest(expressions, type, end), [list]);
      crowded.set(end, JSON.stringify(digest));
    }
    return {
      versions: rows.map((row) => toVersion(row, statements.attributes)),
      links: crowded.size === 0 ? found : found.filter(({ end }) => !crowded.has(end)),
      crowded,
    };
  };
}
