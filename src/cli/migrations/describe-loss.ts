import type { Loss as MigrationLoss } from '../../migrations/losses/destructive-change.js';
import { losesData } from '../../migrations/losses/destructive-change.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import type { DataLoss } from '../prompts/confirmation.js';
import { storageOf } from './attribute-storage.js';

/** A loss whose rows were counted. */
export interface CountedLoss extends DataLoss {
  readonly rows: number;
}

/** The content-type or attribute that a table or column of the database belongs to. */
interface SchemaOrigin {
  readonly name: string;
  readonly holdsDocuments: boolean;
}

const originOfTable = (types: readonly ContentType[], table: string): SchemaOrigin => {
  for (const type of types) {
    if (type.storage.version.table === table || type.storage.document.table === table)
      return { name: type.uid, holdsDocuments: true };
    const attribute = Object.values(type.attributes).find(
      (candidate) => storageOf(candidate).linkTable === table,
    );
    if (attribute !== undefined) return { name: `${type.uid} ${attribute.name}`, holdsDocuments: false };
  }
  return { name: `table ${table}`, holdsDocuments: false };
};

const originOfColumn = (types: readonly ContentType[], table: string, column: string): string => {
  const type = types.find(({ storage }) => storage.version.table === table);
  const attribute =
    type === undefined
      ? undefined
      : Object.values(type.attributes).find((candidate) => storageOf(candidate).columns.includes(column));
  return type === undefined ? `${table}.${column}` : `${type.uid} ${attribute?.name ?? column}`;
};

/** What happens to documents when a type gains or loses drafts or locales. */
const VERSION_REASONS: Partial<Record<MigrationLoss['kind'], string>> = {
  draft: 'without drafts, what was edited since it was published is dropped',
  unpublished: 'without drafts, those that were never published become public',
  locale: 'without locales, one version of each document stays and the others are dropped',
};

const toDataLoss = (types: readonly ContentType[], loss: MigrationLoss): CountedLoss => {
  if (loss.kind === 'shared')
    return {
      what: originOfColumn(types, loss.table, loss.column),
      reason: 'it becomes the same in all locales, whose other values are dropped',
      rows: loss.rows,
    };
  if (loss.kind === 'column')
    return {
      what: originOfColumn(types, loss.table, loss.column),
      reason: 'the attribute is dropped',
      rows: loss.rows,
    };
  if (loss.kind === 'type') {
    return {
      what: originOfColumn(types, loss.table, loss.column),
      reason: `its values cannot be kept when it changes from ${loss.from} to ${loss.to}`,
      rows: loss.rows,
    };
  }
  const { name: what, holdsDocuments } = originOfTable(types, loss.table);
  return {
    what,
    reason:
      VERSION_REASONS[loss.kind] ?? (holdsDocuments ? 'its documents are dropped' : 'its links are dropped'),
    rows: loss.rows,
  };
};

/** The two tables of a type are dropped together. Reports them once, with the larger number of rows. */
const mergeDuplicates = (losses: readonly CountedLoss[]): readonly CountedLoss[] => {
  const byText = new Map<string, CountedLoss>();
  for (const loss of losses) {
    const key = `${loss.what} ${loss.reason}`;
    const existing = byText.get(key);
    if (existing === undefined || existing.rows < loss.rows) byText.set(key, loss);
  }
  return [...byText.values()];
};

/**
 * Returns what a migration would lose, named by type and attribute instead of table and column, with the
 * number of rows that hold a value. Leaves out rows that violate a new constraint: accepting data loss does
 * not help there.
 *
 * @param model the model before the change
 */
export function describeLosses(
  model: ContentModel,
  losses: readonly MigrationLoss[],
): readonly CountedLoss[] {
  return mergeDuplicates(losses.filter(losesData).map((loss) => toDataLoss(model.types, loss)));
}

/** Prints `article.title: the attribute is dropped (3 rows)`. */
export function printLoss({ what, reason, rows }: CountedLoss): string {
  return `${what}: ${reason} (${rows} rows)`;
}

/** Prints losses as comments below the SQL that causes them, for `--dry-run`. */
export function printLossComments(losses: readonly CountedLoss[]): string {
  return losses.map((loss) => `-- would lose: ${printLoss(loss)}\n`).join('');
}
