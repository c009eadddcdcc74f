import type { Loss as MigrationLoss } from '../../migrations/at-stake.js';
import { losesData } from '../../migrations/at-stake.js';
import type { Attribute, ContentModel, ContentType, Link } from '../../model/model.js';
import type { Loss } from './consent.js';

/** Where tables and columns of the database come from, in the words of the content-types. */
interface Origin {
  readonly what: string;
  readonly isDocuments: boolean;
}

const linkColumns = (link: Link): readonly string[] => (link.kind === 'column' ? [link.column, ...(link.position === null ? [] : [link.position.column])] : []);

/** The columns of the type's own table that hold an attribute. */
export function columnsOf(attribute: Attribute): readonly string[] {
  if ('column' in attribute) return [attribute.column.name];
  return attribute.link === null || attribute.side === 'inverse' ? [] : linkColumns(attribute.link);
}

const tableOf = (attribute: Attribute): string | null =>
  'link' in attribute && attribute.side === 'owner' && attribute.link !== null && attribute.link.kind !== 'column' ? attribute.link.table : null;

const originOfTable = (types: readonly ContentType[], table: string): Origin => {
  for (const type of types) {
    if (type.storage.version.table === table || type.storage.anchor.table === table) return { what: type.uid, isDocuments: true };
    const attribute = Object.values(type.attributes).find((candidate) => tableOf(candidate) === table);
    if (attribute !== undefined) return { what: `${type.uid} ${attribute.name}`, isDocuments: false };
  }
  return { what: `table ${table}`, isDocuments: false };
};

const originOfColumn = (types: readonly ContentType[], table: string, column: string): string => {
  const type = types.find(({ storage }) => storage.version.table === table);
  const attribute = type === undefined ? undefined : Object.values(type.attributes).find((candidate) => columnsOf(candidate).includes(column));
  return type === undefined ? `${table}.${column}` : `${type.uid} ${attribute?.name ?? column}`;
};

/** What becomes of documents where a type gets or loses drafts or locales. */
const VERSION_REASONS: Partial<Record<MigrationLoss['kind'], string>> = {
  draft: 'without drafts, what was edited since it was published is dropped',
  unpublished: 'without drafts, those that were never published become public',
  locale: 'without locales, one version of each document stays and the others are dropped',
};

const describe = (types: readonly ContentType[], loss: MigrationLoss): Loss => {
  if (loss.kind === 'shared') return { what: originOfColumn(types, loss.table, loss.column), reason: 'it becomes the same in all locales, whose other values are dropped', rows: loss.rows };
  if (loss.kind === 'column') return { what: originOfColumn(types, loss.table, loss.column), reason: 'the attribute is dropped', rows: loss.rows };
  if (loss.kind === 'type') {
    return { what: originOfColumn(types, loss.table, loss.column), reason: `its values cannot be kept when it changes from ${loss.from} to ${loss.to}`, rows: loss.rows };
  }
  const { what, isDocuments } = originOfTable(types, loss.table);
  return { what, reason: VERSION_REASONS[loss.kind] ?? (isDocuments ? 'its documents are dropped' : 'its links are dropped'), rows: loss.rows };
};

/** A type's two tables go together; the one with more rows speaks for both. */
const mergeSame = (losses: readonly Loss[]): readonly Loss[] => {
  const byText = new Map<string, Loss>();
  for (const loss of losses) {
    const key = `${loss.what} ${loss.reason}`;
    const known = byText.get(key);
    if (known === undefined || (known.rows ?? 0) < (loss.rows ?? 0)) byText.set(key, loss);
  }
  return [...byText.values()];
};

/**
 * What a migration would lose, by type and attribute instead of table and column, with the number of rows that hold a value.
 * `model` is the one before the change. Rows that stand in the way of a new constraint are not among it: no word can accept those.
 */
export function describeLosses(model: ContentModel, losses: readonly MigrationLoss[]): readonly Loss[] {
  return mergeSame(losses.filter(losesData).map((loss) => describe(model.types, loss)));
}
