import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { BoundValue } from '../../database/dialect/sql-expressions.js';
import { isRecord } from '../../lib/records.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { NO_LOCALE } from '../../model/model.js';
import type { Attribute, ContentModel, ContentSchema, ContentType } from '../../model/model.js';
import { isFileAttribute } from '../../query/parse/server-queries.js';
import { transactWrite } from '../document-context.js';
import type { DocumentContext } from '../document-context.js';
import type {
  DocumentTrash,
  PurgeFilter,
  TrashAccess,
  TrashEntry,
  TrashedDocument,
  TrashedEntry,
} from '../documents.js';
import { TRASH_LOCK, restoreDeleted } from './restore-deleted.js';

type Values = Readonly<Record<string, unknown>>;
type Access = TrashAccess | undefined;

const visibleItem = (
  model: ContentModel,
  attribute: Extract<Attribute, { readonly family: 'component' | 'dynamiczone' }>,
  item: unknown,
): readonly Values[] => {
  if (!isRecord(item)) return [];
  const isZone = attribute.family === 'dynamiczone';
  const uid = isZone ? String(item['__component']) : attribute.component;
  const component = Object.hasOwn(model.componentsByUid, uid) ? model.componentsByUid[uid] : undefined;
  if (component === undefined) return [];
  const values = visibleContent(model, component, item, null);
  return [isZone ? { __component: uid, ...values } : values];
};

/** Returns the values that a caller may see: neither private ones nor passwords. Links have no values. */
function visibleContent(
  model: ContentModel,
  schema: ContentSchema,
  values: Values,
  fields: ReadonlySet<string> | null,
): Values {
  const visible: Record<string, unknown> = {};
  for (const attribute of Object.values(schema.attributes)) {
    const { name } = attribute;
    if (!isFileAttribute(attribute) || fields?.has(name) === false || !Object.hasOwn(values, name)) continue;
    const value = values[name];
    if (attribute.family === 'scalar') visible[name] = value;
    else if (attribute.family === 'component' || attribute.family === 'dynamiczone')
      visible[name] = Array.isArray(value)
        ? value.flatMap((item) => visibleItem(model, attribute, item))
        : (visibleItem(model, attribute, value)[0] ?? null);
  }
  return visible;
}

const parse = (text: unknown): Values => {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : {};
  return isRecord(value) ? value : {};
};

const fieldsOf = ({ uid, kind }: ContentType, access: Access): ReadonlySet<string> | null =>
  access?.scopeOf?.(uid, kind === 'singleType' ? 'find' : 'findOne')?.fields ?? null;

/** The texts that can be the label of a document. */
const LABELS: ReadonlySet<string> = new Set(['string', 'text', 'uid', 'email']);

const labelOf = ({ attributes }: ContentType, content: Values): string | null => {
  const named = Object.values(attributes).filter(
    ({ name, type }) => LABELS.has(type) && content[name] !== null,
  );
  const [label] = named.map(({ name }) => content[name]).filter((value) => typeof value === 'string');
  return label ?? null;
};

const localeOf = (locale: unknown): string | null =>
  typeof locale === 'string' && locale !== NO_LOCALE ? locale : null;

const toEntry = (
  { model }: DocumentContext,
  { id, type, documentId, locale, deletedAt, content }: Values,
  access: Access,
): TrashEntry => {
  const known = Object.hasOwn(model.typesByUid, String(type)) ? model.typesByUid[String(type)] : undefined;
  const label =
    known === undefined
      ? null
      : labelOf(known, visibleContent(model, known, parse(content), fieldsOf(known, access)));
  return {
    id: Number(id),
    type: String(type),
    documentId: String(documentId),
    locale: localeOf(locale),
    deletedAt: new Date(Number(deletedAt)).toISOString(),
    label,
  };
};

const readEntries = async (
  context: DocumentContext,
  conditions: readonly RawBuilder<unknown>[],
  limit: number,
  access: Access,
): Promise<readonly TrashEntry[]> => {
  const { database } = context;
  const { expressions } = database.dialect;
  const { json } = expressions;
  const column = (key: string, kind: 'text' | 'integer', name: string) =>
    [key, json.value(kind, sql.id('t', name))] as const;
  const content = sql`(select r.content from cms_trash_rows as r
    where r.trash_id = t.id and r.kind = 'version' order by r.id limit 1)`;
  const record = json.object([
    column('id', 'integer', 'id'),
    column('type', 'text', 'type'),
    column('documentId', 'text', 'document_id'),
    column('locale', 'text', 'locale'),
    column('deletedAt', 'integer', 'deleted_at'),
    ['content', json.value('text', content)],
  ]);
  const statement = sql`select ${json.text(record)} from cms_trash as t
    where ${sql.join([sql`1 = 1`, ...conditions], sql` and `)}
    order by t.id desc limit ${sql.lit(limit)}`.compile(expressions.kysely);
  const texts = await database.readTexts(statement.sql, statement.parameters as readonly BoundValue[]);
  return texts.map((text) => toEntry(context, parse(text), access));
};

const conditionsOf = ({ database: { dialect } }: DocumentContext) => {
  const { expressions } = dialect;
  return {
    areOf: (types: readonly string[] | undefined) =>
      types === undefined
        ? []
        : [expressions.inList(sql`t.type`, 'text', expressions.encodeList('text', types))],
    have: (ids: readonly number[] | undefined) =>
      ids === undefined
        ? []
        : [expressions.inList(sql`t.id`, 'integer', expressions.encodeList('integer', ids))],
    areBefore: (name: string, value: number | undefined) =>
      value === undefined
        ? []
        : [sql`${sql.id('t', name)} < ${expressions.parameter('bigint', BigInt(value))}`],
  };
};

const find = async (
  context: DocumentContext,
  { id, type: wanted }: TrashedEntry,
  access: Access,
): Promise<TrashedDocument | null> => {
  const { database, model } = context;
  const { expressions } = database.dialect;
  const [entry] = await readEntries(context, conditionsOf(context).have([id]), 1, access);
  if (entry === undefined || (wanted ?? entry.type) !== entry.type) return null;
  const { json } = expressions;
  const row = json.object([
    ['record', json.value('text', sql`record`)],
    ['content', json.value('text', sql`content`)],
  ]);
  const statement = sql`select ${json.text(row)} from cms_trash_rows
    where trash_id = ${expressions.parameter('integer', id)} and kind = 'version'
    order by id`.compile(expressions.kysely);
  const texts = await database.readTexts(statement.sql, statement.parameters as readonly BoundValue[]);
  const type = Object.hasOwn(model.typesByUid, entry.type) ? model.typesByUid[entry.type] : undefined;
  const versions = texts.map((text) => {
    const { record, content } = parse(text);
    const { locale, status, createdAt, updatedAt, publishedAt } = parse(record);
    return {
      locale: localeOf(locale),
      status: status === 'draft' ? ('draft' as const) : ('published' as const),
      createdAt: String(createdAt),
      updatedAt: String(updatedAt),
      publishedAt: typeof publishedAt === 'string' ? publishedAt : null,
      content: type === undefined ? {} : visibleContent(model, type, parse(content), fieldsOf(type, access)),
    };
  });
  return { ...entry, versions };
};

/** Deletes entries for good, and passes the values of their files to `onFiles` first. */
const purge = (
  context: DocumentContext,
  { types, ids, deletedBefore }: PurgeFilter,
  onFiles: Parameters<DocumentTrash['purge']>[1],
): Promise<number> => {
  const { expressions } = context.database.dialect;
  const { areOf, have, areBefore } = conditionsOf(context);
  const conditions = [sql`1 = 1`, ...areOf(types), ...have(ids), ...areBefore('deleted_at', deletedBefore)];
  const isPurged = sql.join(conditions, sql` and `);
  return transactWrite(context, async (tx) => {
    await tx.lock(TRASH_LOCK);
    if (onFiles !== undefined) {
      const files = sql`select t.document_id, r.record, r.content
        from cms_trash as t join cms_trash_rows as r on r.trash_id = t.id
        where t.type = ${sql.lit(FILE_UID)} and r.kind = 'version' and ${isPurged}`.compile(
        expressions.kysely,
      );
      const found = await tx.query(files.sql, files.parameters);
      const rows = found.map(({ document_id: documentId, record, content }) => ({
        ...parse(content),
        id: parse(record)['id'],
        documentId,
      }));
      if (rows.length > 0) await onFiles(tx, rows);
    }
    const { sql: text, parameters } = sql`delete from cms_trash as t where ${isPurged}`.compile(
      expressions.kysely,
    );
    const count = await tx.execute(text, parameters);
    if (count > 0) await context.log?.record(tx, [{ action: 'trash.purge', details: { count } }]);
    return count;
  });
};

/** Creates the operations on deleted documents. */
export function createDocumentTrash(context: DocumentContext): DocumentTrash {
  const { areOf, areBefore } = conditionsOf(context);
  return {
    list: ({ types, before, limit }, access) =>
      readEntries(context, [...areOf(types), ...areBefore('id', before)], limit, access),
    find: (entry, access) => find(context, entry, access),
    restore: (entry, access) => restoreDeleted(context, entry, access),
    purge: (filter, onFiles) => purge(context, filter, onFiles),
  };
}
