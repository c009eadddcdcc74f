import { isDeepStrictEqual } from 'node:util';
import type { MigrationSession, SessionRow } from '../../../database/dialect/migration-support.js';
import type { ScalarConstraints, Strictness } from '../../../model/fields/field-type.js';
import { isTooLong } from '../../../model/fields/text-value.js';
import { defined } from '../../../lib/assert.js';
import type { ScalarAttribute } from '../../../model/model.js';
import { isUnique } from '../../../documents/validation/parse-scalar.js';
import { countRows, hasColumns, ImpactCounter } from '../../impact/data-impact.js';
import type { DataImpact, Inspection } from '../../impact/data-impact.js';
import { joinClauses, quoteName } from '../../../database/dialect/sql-text.js';
import type { ContentPlanRequest } from '../content-transition.js';
import { strictnessIn } from '../json/invalid-reason.js';
import { distinguishedBy, isMoved, remainingVersions, tableBefore } from './scalar-change.js';
import type { PresentScalar, RemovedScalar, ScalarChange, TypePair } from './scalar-change.js';
import { conditionValues, convertedSql, parseReadable, readable } from './scalar-sql.js';
import type { ConditionValues } from './scalar-sql.js';

const BATCH = 1000;

/** Returns the FROM clause for the remaining versions of a type that meet conditions, as table `v`. */
export const fromVersions = (pair: TypePair, ...conditions: readonly string[]): string => {
  const all = [...remainingVersions(pair), ...conditions];
  return joinClauses(
    `FROM ${quoteName(tableBefore(pair))} AS v`,
    all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`,
  );
};

/** Reads versions in batches. `source` must have a WHERE clause. */
export const readBatches = async (
  session: MigrationSession,
  select: string,
  source: string,
  visit: (row: SessionRow) => void,
): Promise<void> => {
  let last = 0;
  for (;;) {
    const rows = await session.query(
      `SELECT v."id" AS "id", ${select} ${source} AND v."id" > ${last} ORDER BY v."id" LIMIT ${BATCH}`,
    );
    rows.forEach(visit);
    if (rows.length < BATCH) return;
    last = Number(defined(rows.at(-1)?.['id'], 'The last row'));
  }
};

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Returns a sample of a value. Passwords are never shown. */
const sampleOf = (attribute: ScalarAttribute, stored: string): unknown =>
  attribute.field.hash === undefined ? parseReadable(attribute.column.kind, stored) : undefined;

const inspectRemoved = async (
  session: MigrationSession,
  { before, attribute, reason, ...change }: RemovedScalar,
  { dialect }: ContentPlanRequest,
): Promise<readonly DataImpact[]> => {
  const table = tableBefore({ before, ...change });
  const column = attribute.column.name;
  if (!(await hasColumns(session, table, [column]))) return [];
  const source = `FROM ${quoteName(table)} WHERE ${quoteName(column)} IS NOT NULL`;
  const count = await countRows(session, source);
  const value = readable(dialect.migrations.values, attribute.column.kind, quoteName(column));
  const rows = await session.query(`SELECT ${value} AS "value" ${source} ORDER BY "id" LIMIT 20`);
  const counter = new ImpactCounter(before.uid);
  for (const row of rows)
    counter.add({
      kind: 'dropped',
      path: attribute.name,
      reason,
      sample: sampleOf(attribute, textOrNull(row['value']) ?? ''),
    });
  return counter.impact().map((entry) => ({ ...entry, values: count }));
};

const isLowered = <T extends number | bigint | string>(
  before: T | undefined,
  after: T | undefined,
): boolean => after !== undefined && (before === undefined || after < before);

/** True if values that fitted the constraints may not fit the new ones. */
const isTightened = (before: ScalarConstraints, after: ScalarConstraints): boolean =>
  isLowered(before.max, after.max) ||
  isLowered(before.maxLength, after.maxLength) ||
  (after.min !== undefined && (before.min === undefined || after.min > before.min)) ||
  (after.minLength !== undefined && (before.minLength === undefined || after.minLength > before.minLength)) ||
  (after.regex !== undefined &&
    (before.regex?.source !== after.regex.source || (after.required && !before.required))) ||
  (after.enum !== undefined && !(before.enum ?? []).every((value) => after.enum?.includes(value) === true));

/** True if the migration may show values that a condition hid, and that were not checked. */
const mayBecomeVisible = (
  { condition: before }: ScalarAttribute,
  { condition: after }: ScalarAttribute,
): boolean => before !== undefined && !isDeepStrictEqual(before.rule, after?.rule);

const mayBeInvalid = ({ from: source, attribute, before, after }: PresentScalar): boolean =>
  source !== null &&
  (source.attribute.type !== attribute.type ||
    isTightened(source.attribute.constraints, attribute.constraints) ||
    mayBecomeVisible(source.attribute, attribute) ||
    (before.draftAndPublish && !after.draftAndPublish));

/** Returns the option that makes a value valid. */
const invalidRemedy = ({ attribute, key }: PresentScalar, value: string): string =>
  attribute.type === 'enumeration' ? `--map '${key}:${value}=…'` : `--convert '${key}=…'`;

const strictnessOf = ({ after }: TypePair, status: unknown): Strictness =>
  after.draftAndPublish && status === 'draft' ? 'draft' : 'full';

/** Counts the impact on the stored values of one attribute, row by row. */
class ValueVisitor {
  readonly #seen = new Set<string>();

  constructor(
    private readonly change: PresentScalar,
    private readonly source: NonNullable<PresentScalar['from']>,
    private readonly siblings: ConditionValues,
    private readonly counter: ImpactCounter,
  ) {}

  visit(row: SessionRow): void {
    const [old, stored] = [textOrNull(row['before']) ?? '', textOrNull(row['after'])];
    const { attribute } = this.change;
    const isShown = attribute.field.hash === undefined;
    const sample = isShown ? sampleOf(this.source.attribute, old) : undefined;
    if (stored === null) {
      this.#drop(this.#reason(), sample);
      return;
    }
    if (this.#isDuplicate(row, stored)) {
      this.#drop('another document has the same value, which must be unique', sample);
      return;
    }
    const invalid = this.#invalidReason(row, stored);
    if (invalid !== null) this.#add('invalid', invalid, sample, invalidRemedy(this.change, stored));
    else if (isMoved(this.change) && this.source.conversion.kind === 'same')
      this.#add('moved', `is now ${attribute.name}`, sample);
    else if (this.source.attribute.column.kind !== attribute.column.kind || old !== stored)
      this.#add('converted', this.#conversionReason(), sample);
    else if (this.source.attribute.name !== attribute.name)
      this.#add('moved', `is now ${attribute.name}`, sample);
  }

  #add(kind: DataImpact['kind'], reason: string, sample: unknown, remedy: string | null = null): void {
    this.counter.add({ kind, path: this.source.attribute.name, reason, remedy, sample });
  }

  #drop(reason: string, sample: unknown): void {
    this.#add('dropped', reason, sample, `--convert '${this.change.key}=…'`);
  }

  #conversionReason(): string {
    const { type } = this.change.attribute;
    return this.source.attribute.type === type ? 'has another value' : `is now of type ${type}`;
  }

  #reason(): string {
    return this.source.conversion.kind === 'same' ? '' : this.source.conversion.reason;
  }

  #isDuplicate(row: SessionRow, stored: string): boolean {
    if (!isMoved(this.change) || !isUnique(this.change.attribute)) return false;
    if (strictnessOf(this.change, row['status']) === 'draft') return false;
    const key = JSON.stringify([stored, ...distinguishedBy(this.change).map((column) => row[column])]);
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }

  /** Returns the reason why the API would reject the value; null if it accepts it. */
  #invalidReason(row: SessionRow, stored: string): string | null {
    const { attribute } = this.change;
    const { field, constraints, column } = attribute;
    if (field.hash !== undefined) return null;
    const value = column.kind === 'json' ? (JSON.parse(stored) as unknown) : stored;
    const strictness = strictnessIn(
      attribute,
      strictnessOf(this.change, row['status']),
      this.siblings.parse(row),
    );
    const parsed = field.parse(value, constraints, strictness);
    if (!parsed.ok) return [...new Set(parsed.issues.map(({ message }) => message))].join(', ');
    if (this.source.attribute.type !== this.change.attribute.type && isTooLong(field, stored))
      return `must be at most ${field.maxCharacters} characters`;
    // The API accepts some values in other forms than it stores, such as the date of a datetime.
    return column.kind === 'text' && parsed.value !== stored ? this.#reason() : null;
  }
}

/** The request, with the changes of all scalar attributes. */
type InspectionContext = readonly [request: ContentPlanRequest, changes: readonly ScalarChange[]];

const inspectValues = async (
  session: MigrationSession,
  change: PresentScalar,
  [request, changes]: InspectionContext,
  counter: ImpactCounter,
): Promise<void> => {
  const source = change.from;
  if (source === null) return;
  const isRead =
    source.conversion.kind !== 'same' ||
    mayBeInvalid(change) ||
    source.attribute.name !== change.attribute.name;
  const { name, kind } = source.attribute.column;
  if (!isRead || !(await hasColumns(session, tableBefore(change), [name]))) return;
  const { values } = request.dialect.migrations;
  const column = `v.${quoteName(name)}`;
  const after =
    source.conversion.kind === 'impossible'
      ? 'NULL'
      : readable(values, change.attribute.column.kind, convertedSql(change, column));
  const siblings = conditionValues(request, changes, change.after, change.attribute);
  const visitor = new ValueVisitor(change, source, siblings, counter);
  const present = `${readable(values, kind, column)} AS "before"`;
  await readBatches(
    session,
    ['v."locale"', 'v."status"', present, `${after} AS "after"`, ...siblings.columns].join(', '),
    fromVersions(change, `${column} IS NOT NULL`),
    (row) => visitor.visit(row),
  );
};

const inspectFilled = async (
  session: MigrationSession,
  change: PresentScalar,
  counter: ImpactCounter,
): Promise<void> => {
  const { attribute, fill, from } = change;
  if (fill === null || !(await hasColumns(session, tableBefore(change), ['status']))) return;
  const isAbsent = from === null ? [] : [`v.${quoteName(from.attribute.column.name)} IS NULL`];
  const count = await countRows(session, fromVersions(change, ...isAbsent));
  const path = from?.attribute.name ?? attribute.name;
  counter.add({ kind: 'converted', path, reason: 'had no value', sample: fill.value, count });
};

const inspectPresent = async (
  session: MigrationSession,
  change: PresentScalar,
  context: InspectionContext,
): Promise<readonly DataImpact[]> => {
  const counter = new ImpactCounter(change.before.uid);
  await inspectValues(session, change, context, counter);
  await inspectFilled(session, change, counter);
  return counter.impact();
};

const isUnaffected = (change: ScalarChange): boolean =>
  change.kind === 'present' &&
  change.from !== null &&
  change.fill === null &&
  change.from.conversion.kind === 'same' &&
  !isMoved(change) &&
  change.before.draftAndPublish === change.after.draftAndPublish &&
  isDeepStrictEqual({ ...change.from.attribute, localized: null }, { ...change.attribute, localized: null });

/** Returns the inspections that count the impact on scalar values. */
export function scalarInspections(
  changes: readonly ScalarChange[],
  request: ContentPlanRequest,
): readonly Inspection[] {
  return changes
    .filter((change) => !isUnaffected(change))
    .map(
      (change): Inspection =>
        (session) =>
          change.kind === 'removed'
            ? inspectRemoved(session, change, request)
            : inspectPresent(session, change, [request, changes]),
    );
}
