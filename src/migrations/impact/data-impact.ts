import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import { countNoun } from '../../lib/text.js';
import { defined } from '../../lib/assert.js';
import type { Uid } from '../../model/model.js';
import { joinClauses } from '../../database/dialect/sql-text.js';

/*
 * Counts the stored values that a migration moves, converts, invalidates or drops. `DataImpact` is one
 * such count; `assertAccepted` rejects counts that the user has not accepted. pending-impact counts for
 * pending migrations, table-changes for tables without content.
 */

/**
 * - `moved`: the values stay unchanged under another name.
 * - `converted`: the values change their type, without loss.
 * - `invalid`: the values stay, but the new schema does not accept them.
 * - `dropped`: the values are deleted.
 */
type ImpactKind = 'moved' | 'converted' | 'invalid' | 'dropped';

/** The effect of a migration on the stored values of one attribute, or on documents, in one database. */
export interface DataImpact {
  readonly kind: ImpactKind;
  /** The content-type whose documents hold the values, before the migration; or `table cms_state`. */
  readonly type: Uid;
  /**
   * The attribute before the migration, with the components above it: `price`, `seo.title`,
   * `sections[blocks.quote].author`. Null if it concerns the documents as a whole.
   */
  readonly path: string | null;
  /** The number of values, or of documents: over all drafts, locales and nested items. Never 0. */
  readonly values: number;
  /** Up to three of the values, as JSON. */
  readonly samples: readonly string[];
  /** The reason: `the attribute is removed`, `not a whole number`. */
  readonly reason: string;
  /** The step that keeps the values or makes them valid; null if there is none. */
  readonly remedy: string | null;
  /** Set if the database rejects the rows, so that nobody can accept the impact. */
  readonly isRejected?: true;
}

/** An impact whose values are not counted yet. */
export type UncountedImpact = Omit<DataImpact, 'values' | 'samples'>;

/** Counts impacts in the database before the migration. It writes only temporary tables. */
export type Inspection = (session: MigrationSession) => Promise<readonly DataImpact[]>;

/** The impacts that a user has accepted. */
export interface AcceptedImpact {
  readonly acceptsDataLoss?: boolean;
  readonly acceptsInvalid?: boolean;
}

/** Runs the inspections of a plan one after another, on one database. */
export async function inspect(
  session: MigrationSession,
  inspections: readonly Inspection[],
): Promise<readonly DataImpact[]> {
  const impact: DataImpact[] = [];
  for (const inspection of inspections) impact.push(...(await inspection(session)));
  return impact;
}

export const droppedIn = (impact: readonly DataImpact[]): readonly DataImpact[] =>
  impact.filter(({ kind }) => kind === 'dropped');

/** Returns the invalid values that a user may accept. */
export const invalidIn = (impact: readonly DataImpact[]): readonly DataImpact[] =>
  impact.filter(({ kind, isRejected }) => kind === 'invalid' && isRejected === undefined);

export const rejectedIn = (impact: readonly DataImpact[]): readonly DataImpact[] =>
  impact.filter(({ isRejected }) => isRejected === true);

/** Prints the place: `api::article.article price`. */
export const locationOf = ({ type, path }: Pick<DataImpact, 'type' | 'path'>): string =>
  path === null ? type : `${type} ${path}`;

/** Prints `api::article.article price: not a number (3 values, such as "a", "b")`, without the remedy. */
export function describeImpact(impact: DataImpact): string {
  const { kind, type, path, values, reason } = impact;
  const samples = impact.samples.length === 0 ? '' : `, such as ${impact.samples.join(', ')}`;
  const unit = type.startsWith('table ') ? 'row' : path === null ? 'document' : 'value';
  const count = countNoun(values, unit);
  return kind === 'moved' || kind === 'converted'
    ? `${locationOf(impact)}: ${count} ${kind}${samples} (${reason})`
    : `${locationOf(impact)}: ${reason} (${count}${samples})`;
}

const describeAll = (impact: readonly DataImpact[]): string => impact.map(describeImpact).join('; ');

/**
 * Rejects a migration that drops values or leaves invalid ones, unless the user has accepted that. Rows that
 * violate a new constraint are never accepted, since the database would reject the constraint in the middle
 * of the migration.
 *
 * @throws `migration/data-loss`, `migration/constraint-violation`, `migration/invalid-values`, with the whole
 *   impact as `details.changes`
 */
export function assertAccepted(impact: readonly DataImpact[], accepted: AcceptedImpact): void {
  const details = { details: { changes: impact } };
  const [dropped, rejected, invalid] = [droppedIn(impact), rejectedIn(impact), invalidIn(impact)];
  if (dropped.length > 0 && accepted.acceptsDataLoss !== true)
    throw createError('migration/data-loss', { losses: describeAll(dropped) }, details);
  if (rejected.length > 0)
    throw createError('migration/constraint-violation', { losses: describeAll(rejected) }, details);
  if (invalid.length > 0 && accepted.acceptsInvalid !== true)
    throw createError('migration/invalid-values', { invalid: describeAll(invalid) }, details);
}

const MAX_SAMPLES = 3;
const MAX_SAMPLE_LENGTH = 120;

const printSample = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length <= MAX_SAMPLE_LENGTH ? text : `${text.slice(0, MAX_SAMPLE_LENGTH)}…`;
};

/** One or several values of an attribute with the same impact. */
interface CountedValue {
  readonly kind: ImpactKind;
  readonly path: string;
  readonly reason: string;
  readonly remedy?: string | null;
  /** Undefined if the value must not be shown. */
  readonly sample?: unknown;
  /** Default: 1. */
  readonly count?: number;
}

/** Adds up the impacts on a content-type by kind, attribute and reason. */
export class ImpactCounter {
  readonly #impacts = new Map<string, DataImpact>();

  /** @param type the content-type of the values that {@link add} counts */
  constructor(private readonly type: Uid = '') {}

  add({ sample, count = 1, remedy = null, ...place }: CountedValue): void {
    const samples = sample === undefined ? [] : [printSample(sample)];
    this.merge([{ ...place, remedy, type: this.type, values: count, samples }]);
  }

  /** Adds impacts that are already counted. The first at a location sets the remedy. */
  merge(impacts: readonly DataImpact[]): void {
    for (const impact of impacts) {
      if (impact.values <= 0) continue;
      const key = JSON.stringify([impact.kind, impact.type, impact.path, impact.reason]);
      const sum = this.#impacts.get(key) ?? { ...impact, values: 0, samples: [] };
      const samples =
        sum.samples.length < MAX_SAMPLES ? [...new Set([...sum.samples, ...impact.samples])] : sum.samples;
      this.#impacts.set(key, {
        ...sum,
        values: sum.values + impact.values,
        samples: samples.slice(0, MAX_SAMPLES),
      });
    }
  }

  impact(): readonly DataImpact[] {
    return [...this.#impacts.values()];
  }
}

/** Counts the rows of a source such as `FROM t WHERE …`. */
export async function countRows(session: MigrationSession, source: string): Promise<number> {
  const [row] = await session.query(`SELECT count(*) AS "count" ${source}`);
  return Number(defined(row?.['count'], 'The number of rows'));
}

/** True if the database has the columns. An earlier, pending migration may have yet to create them. */
export async function hasColumns(
  session: MigrationSession,
  table: string,
  columns: readonly string[],
): Promise<boolean> {
  const existing = (await session.columns()).get(table);
  return existing !== undefined && columns.every((column) => existing.has(column));
}

/** The number of values that a query found, with some of them as JSON. */
export type Finding = Pick<DataImpact, 'values' | 'samples'>;

/**
 * Counts the rows of a query with the columns `version_id` and `sample`; a pair counts once.
 *
 * @param withClause the clause that defines the tables of the query, or empty text
 */
export async function findIn(session: MigrationSession, query: string, withClause = ''): Promise<Finding> {
  const pairs = `(SELECT DISTINCT "version_id", "sample" FROM (${query}) AS q) AS r`;
  const [row] = await session.query(joinClauses(withClause, `SELECT count(*) AS "count" FROM ${pairs}`));
  const values = Number(defined(row?.['count'], 'The number of values'));
  if (values === 0) return { values, samples: [] };
  const rows = await session.query(
    joinClauses(withClause, `SELECT DISTINCT "sample" FROM ${pairs} ORDER BY "sample" LIMIT ${MAX_SAMPLES}`),
  );
  return { values, samples: rows.map(({ sample }) => JSON.stringify(sample)) };
}

/** Returns the impact on the found values; empty if there are none. */
export function impactOn(place: UncountedImpact, { values, samples }: Finding): readonly DataImpact[] {
  return values <= 0 ? [] : [{ ...place, values, samples }];
}
