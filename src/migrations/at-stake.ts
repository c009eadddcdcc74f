/**
 * Something a migration does that existing rows may not survive or may not fit. Tables and columns go by the names they have in the
 * database before the migration, since that is where their rows are counted.
 */
export type AtStake =
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  /** The values cannot be kept in the new type. */
  | { readonly kind: 'type'; readonly table: string; readonly column: string; readonly from: string; readonly to: string }
  /** `isNew`: the column is added, so every row lacks a value; else those that hold null. */
  | { readonly kind: 'required'; readonly table: string; readonly column: string; readonly isNew: boolean }
  | { readonly kind: 'unique'; readonly table: string; readonly columns: readonly string[] }
  /** Drafts go, and what was edited in them since they were published. */
  | { readonly kind: 'draft'; readonly table: string }
  /** Drafts go, and those that were never published become public. */
  | { readonly kind: 'unpublished'; readonly table: string }
  /** Locales go, and with them all versions but one of each document and status. */
  | { readonly kind: 'locale'; readonly table: string }
  /** The column becomes the same in all locales, whose own values go. */
  | { readonly kind: 'shared'; readonly table: string; readonly column: string }
  | { readonly kind: 'reference'; readonly table: string; readonly columns: readonly string[]; readonly target: string; readonly targetColumns: readonly string[] };

/** What is at stake with the number of rows it concerns, never 0. */
export type Loss = AtStake & { readonly rows: number };

const LOSING_KINDS: ReadonlySet<AtStake['kind']> = new Set(['table', 'column', 'type', 'draft', 'unpublished', 'locale', 'shared']);

/** Whether data is lost, which one may accept. The other kinds cannot be accepted: the database refuses while such rows are there. */
export function losesData(stake: AtStake): boolean {
  return LOSING_KINDS.has(stake.kind);
}

const count = (rows: number): string => (rows === 1 ? '1 row' : `${rows} rows`);

/** One loss in words: `articles.teaser would be dropped (12 rows hold a value)`. */
export function describeLoss(loss: Loss): string {
  const rows = count(loss.rows);
  const hold = loss.rows === 1 ? 'holds' : 'hold';
  switch (loss.kind) {
    case 'table':
      return `${loss.table} would be dropped (${rows})`;
    case 'column':
      return `${loss.table}.${loss.column} would be dropped (${rows} ${hold} a value)`;
    case 'type':
      return `${loss.table}.${loss.column} would change from ${loss.from} to ${loss.to} and lose its values (${rows} ${hold} one)`;
    case 'required':
      return `${loss.table}.${loss.column} would be required (${rows} ${hold} none)`;
    case 'unique':
      return `${loss.table}.${loss.columns.join(' + ')} would be unique (${rows} share a value)`;
    case 'draft':
      return `${loss.table} would have no drafts (${rows} ${loss.rows === 1 ? 'was' : 'were'} edited since last published)`;
    case 'unpublished':
      return `${loss.table} would have no drafts (${rows} never published would become public)`;
    case 'locale':
      return `${loss.table} would have no locales (${rows} of other locales would be dropped)`;
    case 'shared':
      return `${loss.table}.${loss.column} would be the same in all locales (${rows} ${hold} another value)`;
    case 'reference':
      return `${loss.table}.${loss.columns.join(' + ')} would have to point into ${loss.target} (${rows} ${loss.rows === 1 ? 'does' : 'do'} not)`;
  }
}
