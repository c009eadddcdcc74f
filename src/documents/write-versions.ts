import type { VersionStatus } from '../model/model.js';
import type { WrittenIds } from './links/plan-owner-list.js';
import type { FieldValues } from './rows/table-statements.js';
import { changedFields, pickFields } from './version-fields.js';
import type { VersionRow } from './version-row.js';
import { baseRow, primaryRow, primaryStatus, publishedRow, siblingRow, writtenStatuses } from './write-scope.js';
import type { WriteScope } from './write-scope.js';

/** The content of the edited version as it will be: stored values, those shared with other locales, and the changes. */
export function finalContent(scope: WriteScope, changes: FieldValues): FieldValues {
  const fields = scope.context.fieldsOf(scope.type);
  const base = baseRow(scope);
  const sibling = siblingRow(scope);
  const stored = base === undefined ? {} : pickFields(base.values, fields);
  const shared = sibling === undefined ? {} : pickFields(sibling.values, fields.filter((field) => field.shared));
  return { ...stored, ...shared, ...changes };
}

/** Whether the published version beside the draft is written. */
const isPublishedWritten = ({ type, publish }: WriteScope): boolean => type.draftAndPublish && publish;

const newRow = ({ documentId, locale, now }: WriteScope, status: VersionStatus, createdAt: Date, content: FieldValues): FieldValues =>
  ({ ...content, documentId, locale, status, createdAt, updatedAt: now, publishedAt: status === 'published' ? now : null });

/** The rows that the document has not got yet, the edited version's first. */
const newRows = (scope: WriteScope, content: FieldValues): readonly FieldValues[] => {
  const createdAt = baseRow(scope)?.createdAt ?? scope.now;
  const primary = primaryRow(scope) === undefined ? [newRow(scope, primaryStatus(scope.type), createdAt, content)] : [];
  const isPublishedNew = isPublishedWritten(scope) && publishedRow(scope) === undefined;
  return isPublishedNew ? [...primary, newRow(scope, 'published', createdAt, content)] : primary;
};

/** Makes the rows; answers where to find the new `id` of each status. */
const insertRows = async ({ tx, type, context }: WriteScope, rows: readonly FieldValues[]): Promise<(status: VersionStatus) => number> => {
  const { sql, parameters } = context.versionsOf(type).insert(rows, ['id', 'status']);
  const made = rows.length === 0 ? [] : await tx.query(sql, parameters);
  return (status) => Number(made.find((row) => row['status'] === status)?.['id']);
};

const updateRows = async ({ tx, type, context }: WriteScope, ids: readonly number[], values: FieldValues): Promise<void> => {
  const { sql, parameters } = context.versionsOf(type).update(ids, values);
  await tx.execute(sql, parameters);
};

/** A link that stays keeps its place in the inverse side's list of published versions, whatever its place among the drafts. */
const copiedFields = ({ type }: WriteScope, published: VersionRow, content: FieldValues): FieldValues => {
  const changed = { ...changedFields(published.values, content) };
  for (const attribute of Object.values(type.attributes)) {
    if (!('link' in attribute) || attribute.link?.kind !== 'column' || attribute.side !== 'owner') continue;
    const { field, position } = attribute.link;
    if (position !== null && !Object.hasOwn(changed, field)) delete changed[position.field];
  }
  return changed;
};

const publishedBeside = ({ rows }: WriteScope, { locale }: VersionRow): VersionRow | undefined => rows.find((row) => row.locale === locale && row.status === 'published');

/** Whether another locale's draft was edited since it was published, which its times must go on telling. */
const isEditedDraft = (scope: WriteScope, row: VersionRow): boolean => {
  const published = publishedBeside(scope, row);
  return row.status === 'draft' && published !== undefined && row.updatedAt > published.updatedAt;
};

const syncedTime = (scope: WriteScope, row: VersionRow): Date => {
  const time = scope.publish && isEditedDraft(scope, row) ? scope.now.getTime() + 1 : scope.now.getTime();
  return new Date(Math.max(time, row.updatedAt.getTime()));
};

/** Gives the other locales' versions, in every status that is written, what all locales share. */
const syncLocales = async (scope: WriteScope, content: FieldValues): Promise<void> => {
  const shared = pickFields(content, scope.context.fieldsOf(scope.type).filter((field) => field.shared));
  const statuses = writtenStatuses(scope);
  const changesOf = (row: VersionRow | undefined): FieldValues => (row === undefined || !statuses.includes(row.status) ? {} : changedFields(row.values, shared));
  const isChanged = (row: VersionRow | undefined): boolean => Object.keys(changesOf(row)).length > 0;
  const groups = new Map<number, { readonly ids: number[]; data: FieldValues }>();
  for (const row of scope.rows) {
    if (row.locale === scope.locale) continue;
    // A draft that holds the values already must stay later than its published version, which gets them now.
    if (!isChanged(row) && !(isEditedDraft(scope, row) && isChanged(publishedBeside(scope, row)))) continue;
    const time = syncedTime(scope, row).getTime();
    const group = groups.get(time) ?? { ids: [], data: {} };
    group.ids.push(row.id);
    group.data = { ...group.data, ...changesOf(row) };
    groups.set(time, group);
  }
  for (const [time, { ids, data }] of groups) await updateRows(scope, ids, { ...data, updatedAt: new Date(time) });
};

/**
 * Writes the edited version, what it shares with other locales, and the published version where that is asked for. A version that is there
 * keeps its row, and so its `id`, from one publishing to the next.
 */
export async function writeVersions(scope: WriteScope, changes: FieldValues): Promise<WrittenIds> {
  const { now } = scope;
  const content = finalContent(scope, changes);
  const primary = primaryRow(scope);
  const published = isPublishedWritten(scope) ? publishedRow(scope) : undefined;
  if (primary !== undefined) await updateRows(scope, [primary.id], { ...changes, updatedAt: now });
  if (published !== undefined) await updateRows(scope, [published.id], { ...copiedFields(scope, published, content), updatedAt: now, publishedAt: now });
  const newId = await insertRows(scope, newRows(scope, content));
  if (scope.type.localized) await syncLocales(scope, content);
  return { primary: primary?.id ?? newId(primaryStatus(scope.type)), published: isPublishedWritten(scope) ? (published?.id ?? newId('published')) : null };
}
