import type { Loss as MigrationLoss } from '../../migrations/losses/destructive-change.js';
import { losesData } from '../../migrations/losses/destructive-change.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import type { ContentChange } from '../../migrations/content/content-plan.js';
import { storageOf } from './attribute-storage.js';

/** The place of the content that a table or column belongs to. */
type Place = Pick<ContentChange, 'type' | 'path'>;

const placeOfTable = (types: readonly ContentType[], table: string): Place => {
  for (const type of types) {
    if (type.storage.version.table === table || type.storage.document.table === table)
      return { type: type.uid, path: null };
    const attribute = Object.values(type.attributes).find(
      (candidate) => storageOf(candidate).linkTable === table,
    );
    if (attribute !== undefined) return { type: type.uid, path: attribute.name };
  }
  return { type: `table ${table}`, path: null };
};

const placeOfColumn = (types: readonly ContentType[], table: string, column: string): Place => {
  const type = types.find(({ storage }) => storage.version.table === table);
  if (type === undefined) return { type: `table ${table}`, path: column };
  const attribute = Object.values(type.attributes).find((candidate) =>
    storageOf(candidate).columns.includes(column),
  );
  return { type: type.uid, path: attribute?.name ?? column };
};

/** What happens to documents when a type gains or loses drafts or locales. */
const VERSION_REASONS: Partial<Record<MigrationLoss['kind'], string>> = {
  draft: 'without drafts, what was edited since it was published is dropped',
  unpublished: 'without drafts, those that were never published become public',
  locale: 'without locales, one version of each document stays and the others are dropped',
};

/** What keeps the values that would be lost. */
const VERSION_REMEDIES: Partial<Record<MigrationLoss['kind'], string>> = {
  draft: 'Publish what was edited first: cms content publish TYPE DOCUMENT',
  unpublished: 'Publish or delete those documents first',
  locale: 'Export the other locales first: cms content pull',
};

const placeOf = (types: readonly ContentType[], loss: MigrationLoss): Place =>
  'column' in loss ? placeOfColumn(types, loss.table, loss.column) : placeOfTable(types, loss.table);

const reasonFor = (loss: MigrationLoss, { path }: Place): string => {
  if (loss.kind === 'shared') return 'it becomes the same in all locales, whose other values are dropped';
  if (loss.kind === 'column') return 'the attribute is dropped';
  if (loss.kind === 'type')
    return `its values cannot be kept when it changes from ${loss.from} to ${loss.to}`;
  return (
    VERSION_REASONS[loss.kind] ?? (path === null ? 'its documents are dropped' : 'its links are dropped')
  );
};

const toChange = (types: readonly ContentType[], loss: MigrationLoss): ContentChange => {
  const place = placeOf(types, loss);
  return {
    kind: 'dropped',
    ...place,
    values: loss.rows,
    samples: [],
    reason: reasonFor(loss, place),
    remedy: VERSION_REMEDIES[loss.kind] ?? null,
  };
};

/**
 * The tables of a type are dropped together. Reports their documents once: those of the document table, which
 * has one row per document.
 */
const withoutVersionTables = (
  types: readonly ContentType[],
  losses: readonly MigrationLoss[],
): readonly MigrationLoss[] => {
  const dropped = new Set(losses.filter(({ kind }) => kind === 'table').map(({ table }) => table));
  const covered = new Set(
    types
      .filter(({ storage }) => dropped.has(storage.document.table))
      .map(({ storage }) => storage.version.table),
  );
  return losses.filter(({ kind, table }) => kind !== 'table' || !covered.has(table));
};

/**
 * Returns what a migration would lose in tables and columns, named by type and attribute, with the number of
 * rows that hold a value. Leaves out rows that violate a new constraint: accepting data loss does not help
 * there.
 *
 * @param model the model before the change
 */
export function describeLosses(
  { types }: Pick<ContentModel, 'types'>,
  losses: readonly MigrationLoss[],
): readonly ContentChange[] {
  return withoutVersionTables(types, losses.filter(losesData)).map((loss) => toChange(types, loss));
}
