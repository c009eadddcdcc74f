import { chunksOf, getOrCreate, memoizeWeakly } from '../../lib/collections.js';
import { defined } from '../../lib/assert.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import type { WrittenVersionIds } from '../links/plan-owner-links.js';
import type { FieldValues, RowUpdate } from './table-statements.js';
import { assertMayShare } from './write-limits.js';
import { changedFields, pickFields } from './version-statements.js';
import type { ContentField, VersionRow } from './version-statements.js';
import {
  baseRow,
  primaryRow,
  primaryStatus,
  publishedRow,
  siblingRow,
  writtenStatuses,
} from './write-context.js';
import type { WriteContext } from './write-context.js';

/**
 * Returns the content of the edited version after the write: the stored values, the values it shares with
 * other locales, and the changes.
 *
 * @param fields the requested fields; changed fields are always returned
 */
export function finalContent(
  context: WriteContext,
  changes: FieldValues,
  fields: readonly ContentField[] = context.contentFieldsOf(context.type),
): FieldValues {
  const base = baseRow(context);
  const sibling = siblingRow(context);
  const shared =
    sibling === undefined
      ? {}
      : pickFields(
          sibling.values,
          fields.filter((field) => field.shared),
        );
  return Object.assign(base === undefined ? {} : pickFields(base.values, fields), shared, changes);
}

/** True if a published version is written in addition to the draft. */
const writesPublished = ({ type, publish }: WriteContext): boolean => type.draftAndPublish && publish;

/** Returns a new row. The content comes first, since V8 would otherwise use a slow dictionary for the row. */
const newRow = (
  { documentId, locale, now, times }: WriteContext,
  status: VersionStatus,
  createdAt: Date,
  content: FieldValues,
): FieldValues => ({
  ...content,
  documentId,
  locale,
  status,
  createdAt: times?.createdAt ?? createdAt,
  updatedAt: times?.updatedAt ?? now,
  publishedAt: status === 'published' ? (times?.publishedAt ?? now) : null,
});

/** Returns the new times of an existing version. */
const newTimes = ({ now, times }: WriteContext, status: VersionStatus): FieldValues => ({
  updatedAt: times?.updatedAt ?? now,
  ...(times?.createdAt === undefined ? {} : { createdAt: times.createdAt }),
  ...(status === 'published' && times?.publishedAt !== undefined ? { publishedAt: times.publishedAt } : {}),
});

/** Returns the version rows to insert, the edited version's first. */
const newRows = (context: WriteContext, content: FieldValues): readonly FieldValues[] => {
  const createdAt = baseRow(context)?.createdAt ?? context.now;
  const primaryRows =
    primaryRow(context) === undefined
      ? [newRow(context, primaryStatus(context.type), createdAt, content)]
      : [];
  const insertsPublished = writesPublished(context) && publishedRow(context) === undefined;
  return insertsPublished ? [...primaryRows, newRow(context, 'published', createdAt, content)] : primaryRows;
};

const updateRows = async (
  { tx, type, versionTableOf }: WriteContext,
  ids: readonly number[],
  values: FieldValues,
): Promise<void> => {
  const { sql, parameters } = versionTableOf(type).update(ids, values);
  await tx.execute(sql, parameters);
};

/** Returns the column links of the type with a position in the inverse side's list. */
const orderedColumns = memoizeWeakly((type: ContentType) =>
  Object.values(type.attributes).flatMap((attribute) => {
    if (!('link' in attribute) || attribute.link?.kind !== 'column' || attribute.side !== 'owner') return [];
    const { field, position } = attribute.link;
    return position === null ? [] : [{ field, position }];
  }),
);

/**
 * Returns the fields to copy to the published version. An unchanged column link keeps its position in the
 * inverse side's list of published versions, independent of its position in that of drafts.
 */
const copiedFields = ({ type }: WriteContext, published: VersionRow, content: FieldValues): FieldValues => {
  const changed: Record<string, unknown> = { ...changedFields(published.values, content) };
  for (const { field, position } of orderedColumns(type))
    if (!Object.hasOwn(changed, field)) delete changed[position.field];
  return changed;
};

const publishedCounterpart = ({ rows }: WriteContext, { locale }: VersionRow): VersionRow | undefined =>
  rows.find((row) => row.locale === locale && row.status === 'published');

/**
 * True if another locale's draft has unpublished edits. Its time must stay later than its published
 * version's.
 */
const isEditedDraft = (context: WriteContext, row: VersionRow): boolean => {
  const published = publishedCounterpart(context, row);
  return row.status === 'draft' && published !== undefined && row.updatedAt > published.updatedAt;
};

const syncTime = (context: WriteContext, row: VersionRow): Date => {
  const time =
    context.publish && isEditedDraft(context, row) ? context.now.getTime() + 1 : context.now.getTime();
  return new Date(Math.max(time, row.updatedAt.getTime() + 1));
};

/** Copies the values that all locales share to the other locales' versions, in all written statuses. */
const syncLocales = async (context: WriteContext, content: FieldValues): Promise<void> => {
  const shared = pickFields(
    content,
    context.contentFieldsOf(context.type).filter((field) => field.shared),
  );
  const statuses = writtenStatuses(context);
  const changesOf = (row: VersionRow | undefined): FieldValues =>
    row === undefined || !statuses.includes(row.status) ? {} : changedFields(row.values, shared);
  const isChanged = (row: VersionRow | undefined): boolean => Object.keys(changesOf(row)).length > 0;
  const groups = new Map<number, { readonly ids: number[]; readonly data: FieldValues }>();
  for (const row of context.rows) {
    if (row.locale === context.locale) continue;
    // An edited draft with these values must stay later than its published version, which changes now.
    if (!isChanged(row) && !(isEditedDraft(context, row) && isChanged(publishedCounterpart(context, row))))
      continue;
    assertMayShare(context, row.locale, changesOf(row));
    const time = syncTime(context, row).getTime();
    const group = getOrCreate(groups, time, () => ({ ids: [], data: {} }));
    group.ids.push(row.id);
    Object.assign(group.data, changesOf(row));
  }
  for (const [time, { ids, data }] of groups)
    await updateRows(context, ids, { updatedAt: new Date(time), ...data });
};

/** Content of the versions of the written locale after a write. */
export interface ContentAfter {
  readonly edited: FieldValues;
  /** Changes to the published version; null if there is none or it stays unchanged. */
  readonly publishedChanges: FieldValues | null;
}

/** Returns the content of the versions of the written locale after a write. */
export function contentAfter(context: WriteContext, changes: FieldValues): ContentAfter {
  const edited = finalContent(context, changes);
  const published = writesPublished(context) ? publishedRow(context) : undefined;
  return {
    edited,
    publishedChanges: published === undefined ? null : copiedFields(context, published, edited),
  };
}

/** Returns the new values of the existing versions of a document. */
const versionUpdates = (
  context: WriteContext,
  fields: FieldValues,
  { publishedChanges }: ContentAfter,
): readonly RowUpdate[] => {
  const primary = primaryRow(context);
  const published = publishedRow(context);
  return [
    ...(primary === undefined
      ? []
      : [{ id: primary.id, values: { ...newTimes(context, primary.status), ...fields } }]),
    ...(published === undefined || publishedChanges === null
      ? []
      : [
          {
            id: published.id,
            values: { publishedAt: context.now, ...newTimes(context, 'published'), ...publishedChanges },
          },
        ]),
  ];
};

/**
 * Groups the values of rows by the columns that they set. Drafts have no time of publication, but join the
 * group of the versions published with them. One statement per group writes the indexes less often.
 */
const groupByColumns = (updates: readonly RowUpdate[]): readonly (readonly RowUpdate[])[] => {
  const groups = new Map<string, { readonly rows: RowUpdate[]; readonly drafts: RowUpdate[] }>();
  for (const update of updates) {
    const names = Object.keys(update.values).filter((name) => name !== 'publishedAt');
    const group = getOrCreate(groups, names.toSorted().join(), () => ({ rows: [], drafts: [] }));
    (Object.hasOwn(update.values, 'publishedAt') ? group.rows : group.drafts).push(update);
  }
  return [...groups.values()].map(({ rows, drafts }) =>
    rows.length === 0
      ? drafts
      : [...drafts.map(({ id, values }) => ({ id, values: { publishedAt: null, ...values } })), ...rows],
  );
};

/** Updates rows with one statement for all that set the same columns. */
const updateEach = async (
  { tx, type, versionTableOf }: WriteContext,
  updates: readonly RowUpdate[],
): Promise<void> => {
  const table = versionTableOf(type);
  for (const group of groupByColumns(updates))
    for (const rows of chunksOf(group, table.maxRows)) {
      const { sql, parameters } = table.updateEach(rows);
      await tx.execute(sql, parameters);
    }
};

/** A document, and the new values of its versions. */
interface VersionWrite {
  readonly context: WriteContext;
  /** The scalars, components and column links that change. */
  readonly fields: FieldValues;
  readonly after: ContentAfter;
}

const versionKey = (documentId: unknown, status: unknown): string =>
  `${String(documentId)} ${String(status)}`;

/** Inserts the rows. Returns the `id`s by {@link versionKey}. */
const insertRows = async (
  { tx, type, versionTableOf }: WriteContext,
  rows: readonly FieldValues[],
): Promise<ReadonlyMap<string, number>> => {
  const table = versionTableOf(type);
  const ids = new Map<string, number>();
  for (const chunk of chunksOf(rows, table.maxRows)) {
    const { sql, parameters } = table.insert(chunk, ['id', 'document_id', 'status']);
    for (const row of await tx.query(sql, parameters))
      ids.set(versionKey(row['document_id'], row['status']), Number(row['id']));
  }
  return ids;
};

/**
 * Writes documents of one type: the edited versions, the values that they share with other locales, and the
 * published versions if the writes publish. An existing version keeps its row, so that its `id` stays the
 * same when it is published again.
 *
 * @returns the ids of each document's versions, in the same order
 */
export async function writeVersions(
  documents: readonly VersionWrite[],
): Promise<readonly WrittenVersionIds[]> {
  const { context: anyContext } = defined(documents[0], 'A write');
  const { type } = anyContext;
  const updates = documents.flatMap(({ context, fields, after }) => versionUpdates(context, fields, after));
  await updateEach(anyContext, updates);
  const rows = documents.flatMap(({ context, after }) => newRows(context, after.edited));
  const ids = await insertRows(anyContext, rows);
  if (type.localized) for (const { context, after } of documents) await syncLocales(context, after.edited);
  return documents.map(({ context }) => {
    const idOf = (status: VersionStatus): number =>
      defined(ids.get(versionKey(context.documentId, status)), `The inserted ${status} version`);
    return {
      primary: primaryRow(context)?.id ?? idOf(primaryStatus(type)),
      published: writesPublished(context) ? (publishedRow(context)?.id ?? idOf('published')) : null,
    };
  });
}
