import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { groupBy } from '../../lib/collections.js';
import { defined } from '../../lib/assert.js';
import { isRecord } from '../../lib/records.js';
import type { ColumnKind, JsonValue, StoredScalar } from '../../lib/stored-value.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel, ContentSchema, ContentType, ScalarAttribute } from '../../model/model.js';
import { transactWrite } from '../document-context.js';
import type { DocumentContext } from '../document-context.js';
import type { Omission, RestoredDocument, TrashAccess, TrashedEntry } from '../documents.js';
import type { DocumentEvent } from '../hooks.js';
import type { ComponentStep, ComponentUnique } from '../validation/input.js';
import { isUnique } from '../validation/parse-scalar.js';
import { loadVersions, lockRows } from '../write/lock-documents.js';
import { combineList, runPrefetch } from '../write/prefetch.js';
import { compileTable } from '../write/table-statements.js';
import type { FieldValues } from '../write/table-statements.js';
import { prefetchTakenComponentValues, prefetchTakenValues } from '../write/unique-values.js';
import { VERSION_COLUMNS, contentFields } from '../write/version-statements.js';
import type { VersionRow } from '../write/version-statements.js';
import { openWriteContext } from '../write/write-context.js';
import { assertCoversVersions } from '../write/write-limits.js';
import { restoreLinks } from './restore-links.js';
import type { Restoration } from './restore-links.js';
import type { TrashRow } from './trash-table.js';

/** The lock of the entries' rows. */
export const TRASH_LOCK = 'trash';

const recordOf = (text: unknown): Readonly<Record<string, unknown>> => {
  const value: unknown = JSON.parse(String(text));
  return isRecord(value) ? value : {};
};

const loadRows = async ({ database }: DocumentContext, tx: Transaction, id: number) => {
  const { placeholder } = database.dialect.expressions;
  const rows = await tx.query(`SELECT * FROM "cms_trash_rows" WHERE "trash_id" = ${placeholder(1)}`, [id]);
  return rows
    .map((row): TrashRow => ({
      id: Number(row['id']),
      kind: String(row['kind']),
      type: String(row['type']),
      attribute: String(row['attribute']),
      target: String(row['target']),
      record: recordOf(row['record']),
      content: String(row['content']),
    }))
    .toSorted((left, right) => left.id - right.id);
};

const isOfKind = (kind: ColumnKind, value: unknown): boolean => {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'integer':
      return Number.isSafeInteger(value);
    case 'double':
      return typeof value === 'number';
    case 'bigint':
      return typeof value === 'string' && /^-?\d+$/.test(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'datetime':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value));
    case 'json':
      return true;
    default:
      return kind satisfies never;
  }
};

/** Returns a value of the trash in stored form. */
const toStored = (kind: ColumnKind, value: JsonValue): StoredScalar => {
  if (typeof value !== 'string') return value;
  if (kind === 'bigint') return BigInt(value);
  return kind === 'datetime' ? new Date(value) : value;
};

/** Returns the values of the columns by field name. Omits those that the schema cannot store. */
const columnValues = (
  { type, omit }: Restoration,
  content: TrashRow['content'],
): Readonly<Record<string, StoredScalar>> => {
  const values: Record<string, StoredScalar> = {};
  for (const [attribute, value] of Object.entries(recordOf(content))) {
    const known = Object.hasOwn(type.attributes, attribute) ? type.attributes[attribute] : undefined;
    if (known === undefined || !('column' in known)) {
      if (value !== null) omit({ attribute, reason: 'is no longer part of the schema' });
    } else if (value === null) values[known.column.field] = null;
    else if (isOfKind(known.column.kind, value))
      values[known.column.field] = toStored(known.column.kind, value as JsonValue);
    else omit({ attribute, reason: `has another type now: ${known.type}` });
  }
  return values;
};

/** A version to insert. */
interface NewVersion {
  readonly id: number;
  readonly locale: string;
  readonly status: VersionRow['status'];
  readonly values: FieldValues;
}

const timeOf = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null);

/** Returns the reason why a version cannot be restored in its locale and status; null if it can. */
const obstacleTo = (
  { context, type }: Restoration,
  { locale, status }: Pick<NewVersion, 'locale' | 'status'>,
  existing: readonly VersionRow[],
): string | null => {
  if (type.localized === (locale === NO_LOCALE)) return 'the type has locales no longer, or only now';
  if (type.localized && !context.locales.has(locale)) return 'the locale is not configured';
  if (!type.draftAndPublish && status === 'draft') return 'the type has no drafts now';
  return existing.some((row) => row.locale === locale && row.status === status)
    ? 'the document has this version'
    : null;
};

const versionName = (locale: string, status: string): string =>
  locale === NO_LOCALE ? status : `${locale} ${status}`;

/** Returns the values that all locales share, as another locale has them now. */
const sharedValues = (type: ContentType, status: string, existing: readonly VersionRow[]): FieldValues => {
  const other = existing.find((row) => row.status === status) ?? existing[0];
  if (other === undefined) return {};
  const shared = contentFields(type).filter((field) => field.shared);
  return Object.fromEntries(shared.map(({ field }) => [field, other.values[field] ?? null]));
};

const toNewVersions = (
  restoration: Restoration,
  rows: readonly TrashRow[],
  existing: readonly VersionRow[],
): readonly NewVersion[] =>
  rows.flatMap(({ kind, record, content }) => {
    if (kind !== 'version') return [];
    const locale = String(record['locale']);
    const status = record['status'] === 'draft' ? 'draft' : 'published';
    const obstacle = obstacleTo(restoration, { locale, status }, existing);
    if (obstacle !== null) {
      restoration.omit({ attribute: versionName(locale, status), reason: obstacle });
      return [];
    }
    const { type, documentId } = restoration;
    const values = {
      documentId,
      locale,
      status,
      createdAt: timeOf(record['createdAt']),
      updatedAt: timeOf(record['updatedAt']),
      publishedAt: timeOf(record['publishedAt']),
      ...columnValues(restoration, content),
      ...sharedValues(type, status, existing),
    };
    return [{ id: Number(record['id']), locale, status, values }];
  });

/** Returns the unique values inside stored components. */
const componentUniques = (
  model: ContentModel,
  schema: ContentSchema,
  valueOf: (name: string) => unknown,
  steps: readonly ComponentStep[] = [],
): readonly ComponentUnique[] =>
  Object.values(schema.attributes).flatMap((attribute): readonly ComponentUnique[] => {
    const value = valueOf(attribute.name);
    if (attribute.family === 'component' || attribute.family === 'dynamiczone')
      return (Array.isArray(value) ? value : [value]).filter(isRecord).flatMap((item) => {
        const component =
          attribute.family === 'component' ? attribute.component : String(item['__component']);
        const known = model.componentsByUid[component];
        const inside = [...steps, { attribute: attribute.name, component }];
        return known === undefined ? [] : componentUniques(model, known, (name) => item[name], inside);
      });
    if (steps.length === 0 || attribute.family !== 'scalar' || !isUnique(attribute)) return [];
    if (value === null || value === undefined) return [];
    const path = [...steps.map((step) => step.attribute), attribute.name];
    return [{ attribute, value: value as JsonValue, steps, path, isShown: false }];
  });

const taken = async (
  { context, tx, type, documentId }: Restoration,
  { locale, values }: NewVersion,
  existing: readonly VersionRow[],
): Promise<readonly string[]> => {
  const write = openWriteContext(context, {
    tx,
    type,
    documentId,
    locale,
    now: context.clock(),
    publish: true,
    rows: existing,
    scope: null,
  });
  const valueOf = (name: string): unknown => {
    const attribute = type.attributes[name];
    return attribute !== undefined && 'column' in attribute ? values[attribute.column.field] : undefined;
  };
  const issues = await runPrefetch(
    tx,
    context.database.dialect.expressions,
    combineList([
      prefetchTakenValues([{ context: write, content: values }]),
      prefetchTakenComponentValues(write, componentUniques(context.model, type, valueOf)),
    ]),
  );
  return [...new Set(issues.flat().map(({ path }) => path.join('.')))];
};

const TAKEN = 'must be unique: another document has this value';

/**
 * Returns the version without the unique values that other published documents have. Null: it cannot be
 * without them. The draft, which may repeat them, is then restored alone.
 */
const withoutTaken = async (
  restoration: Restoration,
  version: NewVersion,
  existing: readonly VersionRow[],
): Promise<NewVersion | null> => {
  if (version.status === 'draft') return version;
  const { type, omit } = restoration;
  const names = await taken(restoration, version, existing);
  if (names.length === 0) return version;
  const attributes = names.map((name) => type.attributes[name]);
  const isOptional = (attribute: (typeof attributes)[number]): attribute is ScalarAttribute =>
    attribute?.family === 'scalar' && !attribute.required;
  const canOmit = !type.draftAndPublish && attributes.every(isOptional);
  for (const attribute of names)
    omit({ attribute, reason: canOmit ? TAKEN : `${TAKEN}, so the document is not published` });
  if (!canOmit) return null;
  const cleared = Object.fromEntries(attributes.filter(isOptional).map(({ column }) => [column.field, null]));
  return { ...version, values: { ...version.values, ...cleared } };
};

/** Returns the ids that rows of a table have, since an import may have used them. */
const findUsedIds = async (
  { context, tx }: Restoration,
  table: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  const { expressions } = context.database.dialect;
  const isListed = expressions.inList(sql`id`, 'integer', expressions.encodeList('integer', ids));
  const { sql: text, parameters } = sql`select id from ${sql.id(table)} where ${isListed}`.compile(
    expressions.kysely,
  );
  return new Set((await tx.query(text, parameters)).map(({ id }) => Number(id)));
};

const insertVersions = async (restoration: Restoration, versions: readonly NewVersion[]): Promise<void> => {
  const { context, tx, type } = restoration;
  const { table } = type.storage.version;
  const used = await findUsedIds(
    restoration,
    table,
    versions.map(({ id }) => id),
  );
  const withIds = compileTable(context.database.dialect.expressions, table, [
    ...VERSION_COLUMNS,
    ...contentFields(type),
  ]);
  for (const { id, values } of versions) {
    const statement = used.has(id)
      ? context.versionTableOf(type).insert([values])
      : withIds.insert([{ ...values, id }]);
    await tx.execute(statement.sql, statement.parameters);
  }
};

/** Asserts that a single type has no other document. */
const assertOnly = async ({ context, tx, type, documentId }: Restoration): Promise<void> => {
  if (type.kind !== 'singleType') return;
  await tx.lock(`single type ${type.uid}`);
  const { sql: text, parameters } = context.documentTableOf(type).first();
  const [other] = await tx.query(text, parameters);
  if (other !== undefined && other['document_id'] !== documentId)
    throw createError('trash/single-exists', { type: type.uid });
};

const lockDocument = async ({ context, tx, type, documentId }: Restoration): Promise<void> => {
  if ((await lockRows(context, tx, type, [documentId])).length > 0) return;
  const { sql: text, parameters } = context.documentTableOf(type).insert([documentId]);
  await tx.execute(text, parameters);
};

/** Returns one event for each restored locale, with the values of the latest version. */
const eventsOf = ({ type, documentId }: Restoration, versions: readonly NewVersion[]): DocumentEvent[] =>
  [...groupBy(versions, ({ locale }) => locale)].map(([locale, ofLocale]) => {
    const version = ofLocale.find(({ status }) => status === 'draft') ?? defined(ofLocale[0], 'A version');
    const data = Object.values(type.attributes).flatMap((attribute) =>
      'column' in attribute ? [[attribute.name, version.values[attribute.column.field] ?? null]] : [],
    );
    return {
      action: 'create',
      type: type.uid,
      documentId,
      locale: locale === NO_LOCALE ? null : locale,
      status: ofLocale.some(({ status }) => status === 'published') ? 'published' : 'draft',
      data: Object.fromEntries(data) as unknown,
      isRestored: true,
    };
  });

const EDITORIAL_TABLES: Readonly<Record<string, string>> = {
  history: 'cms_versions',
  schedule: 'cms_schedules',
};

/** Restores the kept versions and the schedules that are not past. */
const restoreEditorial = async (restoration: Restoration, rows: readonly TrashRow[]): Promise<void> => {
  const { context, tx, type, documentId, omit } = restoration;
  const { expressions } = context.database.dialect;
  const now = context.clock().getTime();
  const text = (value: unknown) => expressions.parameter('text', value);
  const integer = (value: unknown) => expressions.parameter('integer', Number(value));
  const time = (value: unknown) => expressions.parameter('bigint', BigInt(Number(value)));
  for (const [kind, table] of Object.entries(EDITORIAL_TABLES)) {
    const ofKind = rows.filter((row) => row.kind === kind);
    if (ofKind.length === 0) continue;
    const used = await findUsedIds(
      restoration,
      table,
      ofKind.map(({ record }) => Number(record['id'])),
    );
    for (const { record, content } of ofKind) {
      const isSchedule = kind === 'schedule';
      const at = Number(record['at']);
      if (isSchedule && at <= now) {
        omit({ attribute: `${String(record['action'])}At`, reason: `${new Date(at).toISOString()} is past` });
        continue;
      }
      const values = [
        ...(used.has(Number(record['id'])) ? [] : [['id', integer(record['id'])] as const]),
        ['type', text(type.uid)] as const,
        ['document_id', text(documentId)] as const,
        ['locale', text(record['locale'])] as const,
        ['author', text(record['author'] ?? null)] as const,
        ...(isSchedule
          ? ([
              ['action', text(record['action'])],
              ['at', time(at)],
              ['error', text(record['error'] ?? null)],
            ] as const)
          : ([
              ['number', integer(record['number'])],
              ['published_at', time(record['publishedAt'])],
              ['content', text(content)],
            ] as const)),
      ];
      const statement = sql`insert into ${sql.id(table)} (${sql.join(values.map(([name]) => sql.id(name)))})
        values (${sql.join(values.map(([, value]) => value))}) on conflict do nothing`;
      const compiled = statement.compile(expressions.kysely);
      await tx.execute(compiled.sql, compiled.parameters);
    }
  }
};

/** Restores the rows of an entry. Returns the restored versions, none of which existed. */
const restoreRows = async (
  restoration: Restoration,
  rows: readonly TrashRow[],
): Promise<readonly NewVersion[]> => {
  const { context, tx, type, documentId } = restoration;
  await assertOnly(restoration);
  await lockDocument(restoration);
  const existing = (await loadVersions(context, tx, type, [documentId])).get(documentId) ?? [];
  const versions: NewVersion[] = [];
  for (const version of toNewVersions(restoration, rows, existing)) {
    const valid = await withoutTaken(restoration, version, existing);
    if (valid !== null) versions.push(valid);
  }
  if (versions.length === 0) return [];
  const events = eventsOf(restoration, versions);
  await context.hooks.emitBefore(events, tx);
  await insertVersions(restoration, versions);
  const present = (await loadVersions(context, tx, type, [documentId])).get(documentId) ?? [];
  const former = new Set(existing.map(({ id }) => id));
  await restoreLinks(restoration, rows, { existing, restored: present.filter(({ id }) => !former.has(id)) });
  await restoreEditorial(restoration, rows);
  tx.afterCommit(() => context.hooks.emitAfter(events));
  return versions;
};

/** Returns the locales and the statuses of the versions of an entry. */
const versionsIn = (rows: readonly TrashRow[]) =>
  rows
    .filter(({ kind }) => kind === 'version')
    .map(({ record }) => ({ locale: String(record['locale']), status: String(record['status']) }));

/**
 * Restores an entry of the trash, and removes it there. Returns null if there is no such entry.
 *
 * @throws `trash/type-removed`, `trash/single-exists`, `trash/not-restorable`, `request/drafts-only`,
 *   `request/locale-forbidden`
 */
export async function restoreDeleted(
  context: DocumentContext,
  { id, type: wanted }: TrashedEntry,
  access: TrashAccess = {},
): Promise<RestoredDocument | null> {
  const { placeholder } = context.database.dialect.expressions;
  return transactWrite(context, async (tx) => {
    // Links move between entries, so that only one is restored at a time.
    await tx.lock(TRASH_LOCK);
    const [entry] = await tx.query(`SELECT * FROM "cms_trash" WHERE "id" = ${placeholder(1)}`, [id]);
    const [uid, documentId] = [String(entry?.['type']), String(entry?.['document_id'])];
    if (entry === undefined || (wanted ?? uid) !== uid) return null;
    const type = Object.hasOwn(context.model.typesByUid, uid) ? context.model.typesByUid[uid] : undefined;
    if (type === undefined) throw createError('trash/type-removed', { type: uid, documentId });
    const omitted: Omission[] = [];
    const omit = (omission: Omission): void => {
      const isKnown = omitted.some(
        ({ attribute, reason }) => attribute === omission.attribute && reason === omission.reason,
      );
      if (!isKnown) omitted.push(omission);
    };
    const rows = await loadRows(context, tx, id);
    assertCoversVersions(type, access, versionsIn(rows), 'the deleted document was published');
    const versions = await restoreRows({ context, tx, type, documentId, omit }, rows);
    if (versions.length === 0) {
      const reason = omitted.map(({ attribute, reason: why }) => `${attribute}: ${why}`).join('; ');
      throw createError('trash/not-restorable', { type: uid, documentId, reason });
    }
    await tx.execute(`DELETE FROM "cms_trash" WHERE "id" = ${placeholder(1)}`, [id]);
    const locales = [...new Set(versions.map(({ locale }) => locale))].filter((code) => code !== NO_LOCALE);
    return { type: uid, documentId, locales, omitted };
  });
}
