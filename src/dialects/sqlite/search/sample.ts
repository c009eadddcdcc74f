import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { FoundRows } from '../../search-expressions.js';

/** A sample has at most so many rows. */
const SAMPLE_ROWS = 200;

/** Of a sample, what is rare is in at most one row of so many. */
const RARE_SHARE = 10;

/** Some rows of a table, by their ids, and what a full-text index finds among them. */
export interface Sample {
  readonly first: RawBuilder<unknown>;
  readonly last: RawBuilder<unknown>;
  readonly found: Pick<FoundRows, 'index'>;
}

const tableOf = ({ index }: Pick<FoundRows, 'index'>): RawBuilder<unknown> => sql.id(index.table);

export function oldestRows(found: Sample['found']): Sample {
  const first = sql`(select min(id) from ${tableOf(found)})`;
  return { first, last: sql`(${first} + ${sql.lit(SAMPLE_ROWS - 1)})`, found };
}

export function newestRows(found: Sample['found']): Sample {
  const last = sql`(select max(id) from ${tableOf(found)})`;
  return { first: sql`(${last} - ${sql.lit(SAMPLE_ROWS - 1)})`, last, found };
}

/** Whether few rows of a sample meet a match. */
export function isRareIn({ first, last, found }: Sample, match: RawBuilder<unknown>): RawBuilder<boolean> {
  const [name, range] = [sql.id(found.index.name), sql`${first} and ${last}`];
  const matching = sql`select count(*) from ${name} where ${name} match ${match} and rowid between ${range}`;
  const share = sql`count(*) / ${sql.lit(RARE_SHARE)}`;
  const rows = sql`select ${share} from ${tableOf(found)} where id between ${range}`;
  return sql<boolean>`(${matching}) <= (${rows})`;
}
