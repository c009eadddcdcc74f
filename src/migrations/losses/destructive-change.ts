import { agree, countNoun } from '../../lib/count-noun.js';

/** What a table of versions loses: what is there before the migration, and not after it. */
export interface RemainingVersions {
  readonly drafts?: 'dropped';
  readonly locales?: 'dropped';
  /** Columns that become shared by all locales. */
  readonly shared?: readonly string[];
}

/**
 * A change of a migration that may delete data, or that existing rows may not satisfy. Tables and columns
 * have the names they have before the migration, since rows are counted then.
 */
export type DestructiveChange =
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  /** The values cannot be converted to the new type. */
  | {
      readonly kind: 'type';
      readonly table: string;
      readonly column: string;
      readonly from: string;
      readonly to: string;
    }
  /** Where the column `isNew`, every row lacks a value. Otherwise the rows that hold null do. */
  | { readonly kind: 'required'; readonly table: string; readonly column: string; readonly isNew: boolean }
  | {
      readonly kind: 'unique';
      readonly table: string;
      readonly columns: readonly string[];
      /** Drafts may share a value. */
      readonly amongPublished?: true;
      /** Versions may share a value until there are no drafts or locales, or locales share one. */
      readonly amongRemaining?: RemainingVersions;
    }
  /** Drafts are deleted, with all edits since they were published. */
  | { readonly kind: 'draft'; readonly table: string; readonly keepsOneLocale?: true }
  /** Drafts that were never published become public. */
  | { readonly kind: 'unpublished'; readonly table: string; readonly keepsOneLocale?: true }
  /** Locales are dropped. One version of each document and status remains. */
  | { readonly kind: 'locale'; readonly table: string }
  /** The column becomes shared by all locales. Their own values are overwritten. */
  | { readonly kind: 'shared'; readonly table: string; readonly column: string }
  | {
      readonly kind: 'reference';
      readonly table: string;
      readonly columns: readonly string[];
      readonly target: string;
      readonly targetColumns: readonly string[];
    };

/** A destructive change and the number of rows it affects, never 0. */
export type Loss = DestructiveChange & { readonly rows: number };

const DATA_LOSS_KINDS: ReadonlySet<DestructiveChange['kind']> = new Set([
  'table',
  'column',
  'type',
  'draft',
  'unpublished',
  'locale',
  'shared',
]);

/**
 * Whether the change deletes data, which a user can accept. The other kinds cannot be accepted, since the
 * database refuses them while there are such rows.
 */
export function losesData(change: DestructiveChange): boolean {
  return DATA_LOSS_KINDS.has(change.kind);
}

/** Why values that could be shared cannot be any more: ` without drafts`. */
const uniquenessReason = ({ drafts, locales, shared }: RemainingVersions): string => {
  const dropped = [
    ...(drafts === undefined ? [] : ['drafts']),
    ...(locales === undefined ? [] : ['locales']),
  ];
  return [
    ...(dropped.length === 0 ? [] : [` without ${dropped.join(' and ')}`]),
    ...(shared === undefined ? [] : [' once all locales share it']),
  ].join(' and');
};

/** Describes a loss: `articles.teaser would be dropped (12 rows hold a value)`. */
export function describeLoss(loss: Loss): string {
  const rows = countNoun(loss.rows, 'row');
  const holdVerb = agree(loss.rows, 'holds', 'hold');
  switch (loss.kind) {
    case 'table':
      return `${loss.table} would be dropped (${rows})`;
    case 'column':
      return `${loss.table}.${loss.column} would be dropped (${rows} ${holdVerb} a value)`;
    case 'type':
      return (
        `${loss.table}.${loss.column} would change from ${loss.from} to ${loss.to} ` +
        `and lose its values (${rows} ${holdVerb} one)`
      );
    case 'required':
      return `${loss.table}.${loss.column} would be required (${rows} ${holdVerb} none)`;
    case 'unique':
      return (
        `${loss.table}.${loss.columns.join(' + ')} would be unique` +
        `${uniquenessReason(loss.amongRemaining ?? {})} (${rows} share a value)`
      );
    case 'draft':
      return (
        `${loss.table} would have no drafts ` +
        `(${rows} ${agree(loss.rows, 'was', 'were')} edited since last published)`
      );
    case 'unpublished':
      return `${loss.table} would have no drafts (${rows} never published would become public)`;
    case 'locale':
      return `${loss.table} would have no locales (${rows} of other locales would be dropped)`;
    case 'shared':
      return (
        `${loss.table}.${loss.column} would be the same in all locales ` +
        `(${rows} ${holdVerb} another value)`
      );
    case 'reference':
      return (
        `${loss.table}.${loss.columns.join(' + ')} would have to point into ${loss.target} ` +
        `(${rows} ${agree(loss.rows, 'does', 'do')} not)`
      );
  }
}
