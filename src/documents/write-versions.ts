import type { VersionStatus } from '../model/model.js';
import type { WrittenIds } from './links/plan-owner-list.js';
import { changedFields, pickFields, toClientData } from './version-fields.js';
import type { FieldValues } from './version-fields.js';
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

const versions = (scope: WriteScope) => scope.tx.model(scope.type.storage.version.model);

const clientData = ({ type, context }: WriteScope, values: FieldValues): FieldValues => toClientData(context.fieldsOf(type), context.database.jsonNull, values);

const insertVersion = async (scope: WriteScope, status: VersionStatus, times: { readonly createdAt: Date; readonly publishedAt: Date | null }, content: FieldValues): Promise<number> => {
  const { documentId, locale, now } = scope;
  // A null needs no mention in a new row.
  const set = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
  const row = await versions(scope).create({ data: { documentId, locale, status, updatedAt: now, ...times, ...set }, select: { id: true } });
  return Number(row['id']);
};

const updateVersion = async (scope: WriteScope, row: VersionRow, times: { readonly publishedAt?: Date }, changes: FieldValues): Promise<number> => {
  await versions(scope).updateMany({ where: { id: row.id }, data: { ...clientData(scope, changes), updatedAt: scope.now, ...times } });
  return row.id;
};

const writePrimary = (scope: WriteScope, changes: FieldValues, content: FieldValues): Promise<number> => {
  const own = primaryRow(scope);
  if (own !== undefined) return updateVersion(scope, own, {}, changes);
  const publishedAt = scope.type.draftAndPublish ? null : scope.now;
  return insertVersion(scope, primaryStatus(scope.type), { createdAt: baseRow(scope)?.createdAt ?? scope.now, publishedAt }, content);
};

/** The published version keeps its row, and so its `id`, from one publishing to the next. */
const writePublished = async (scope: WriteScope, content: FieldValues): Promise<number | null> => {
  if (!scope.type.draftAndPublish || !scope.publish) return null;
  const published = publishedRow(scope);
  if (published !== undefined) return updateVersion(scope, published, { publishedAt: scope.now }, copiedFields(scope, published, content));
  return insertVersion(scope, 'published', { createdAt: primaryRow(scope)?.createdAt ?? scope.now, publishedAt: scope.now }, content);
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

/** Later than the published version's, where the draft was edited since: so that this can still be told afterwards. */
const syncedTime = (scope: WriteScope, row: VersionRow): Date => {
  const published = scope.rows.find(({ locale, status }) => locale === row.locale && status === 'published');
  const isEdited = row.status === 'draft' && published !== undefined && row.updatedAt > published.updatedAt;
  const time = isEdited && scope.publish ? scope.now.getTime() + 1 : scope.now.getTime();
  return new Date(Math.max(time, row.updatedAt.getTime()));
};

/** Gives the other locales' versions, in every status that is written, what all locales share. */
const syncLocales = async (scope: WriteScope, content: FieldValues): Promise<void> => {
  const shared = pickFields(content, scope.context.fieldsOf(scope.type).filter((field) => field.shared));
  const statuses = writtenStatuses(scope);
  const groups = new Map<number, { readonly ids: number[]; data: FieldValues }>();
  for (const row of scope.rows) {
    if (row.locale === scope.locale || !statuses.includes(row.status)) continue;
    const changes = changedFields(row.values, shared);
    if (Object.keys(changes).length === 0) continue;
    const time = syncedTime(scope, row).getTime();
    const group = groups.get(time) ?? { ids: [], data: {} };
    group.ids.push(row.id);
    group.data = { ...group.data, ...changes };
    groups.set(time, group);
  }
  for (const [time, { ids, data }] of groups) {
    await versions(scope).updateMany({ where: { id: { in: ids } }, data: { ...clientData(scope, data), updatedAt: new Date(time) } });
  }
};

/** Writes the edited version, what it shares with other locales, and the published version where that is asked for. */
export async function writeVersions(scope: WriteScope, changes: FieldValues): Promise<WrittenIds> {
  const content = finalContent(scope, changes);
  const primary = await writePrimary(scope, changes, content);
  const published = await writePublished(scope, content);
  if (scope.type.localized) await syncLocales(scope, content);
  return { primary, published };
}
