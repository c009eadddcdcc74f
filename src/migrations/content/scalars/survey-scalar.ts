import { isDeepStrictEqual } from 'node:util';
import type { MigrationSession, SessionRow } from '../../../dialects/migration-support.js';
import type { ScalarConstraints, Strictness } from '../../../fields/field-type.js';
import { isTooLong } from '../../../fields/text-value.js';
import { defined } from '../../../lib/defined.js';
import type { ScalarAttribute } from '../../../model/model.js';
import { isUnique } from '../../../validation/parse-scalar.js';
import { joinClauses, quoteName } from '../../migration-dialect.js';
import type { ContentChange, ContentPlanRequest, Survey } from '../content-plan.js';
import { strictnessIn } from '../json/find-misfit.js';
import { Tally } from '../tally.js';
import type { AttributeTally } from '../tally.js';
import { distinguishedBy, remainingVersions } from './remaining-versions.js';
import { conditionValues, parseReadable, readable } from './row-values.js';
import type { ConditionValues } from './row-values.js';
import { isMoved, tableBefore } from './scalar-change.js';
import type { KeptScalar, RemovedScalar, ScalarChange, TypePair } from './scalar-change.js';
import { convertedSql } from './scalar-sql.js';

const BATCH = 1000;

/** The remaining versions of a type that meet conditions, as table `v`. */
export const fromVersions = (pair: TypePair, ...conditions: readonly string[]): string => {
  const all = [...remainingVersions(pair), ...conditions];
  return joinClauses(
    `FROM ${quoteName(tableBefore(pair))} AS v`,
    all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`,
  );
};

const countRows = async (session: MigrationSession, source: string): Promise<number> => {
  const [row] = await session.query(`SELECT count(*) AS "count" ${source}`);
  return Number(defined(row?.['count'], 'The number of rows'));
};

/** Whether the tables of the migration exist: not while an earlier migration has yet to create them. */
export const hasColumn = async (session: MigrationSession, table: string, column: string): Promise<boolean> =>
  (await session.columns()).get(table)?.has(column) === true;

/** Reads versions in batches. The source has a condition. */
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

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A sample of a value. Passwords and what becomes one are never shown. */
const sampleOf = (attribute: ScalarAttribute, stored: string): unknown =>
  attribute.field.hash === undefined ? parseReadable(attribute.column.kind, stored) : undefined;

const surveyRemoved = async (
  session: MigrationSession,
  { before, attribute, reason, ...change }: RemovedScalar,
  { dialect }: ContentPlanRequest,
): Promise<readonly ContentChange[]> => {
  const table = tableBefore({ before, ...change });
  const column = attribute.column.name;
  if (!(await hasColumn(session, table, column))) return [];
  const source = `FROM ${quoteName(table)} WHERE ${quoteName(column)} IS NOT NULL`;
  const tally = new Tally(before.uid);
  const count = await countRows(session, source);
  const value = readable(dialect.migrations.values, attribute.column.kind, quoteName(column));
  const rows = await session.query(`SELECT ${value} AS "value" ${source} ORDER BY "id" LIMIT 20`);
  for (const row of rows)
    tally.at(attribute.name).add({
      kind: 'dropped',
      reason,
      remedy: null,
      sample: sampleOf(attribute, text(row['value']) ?? ''),
    });
  return tally.changes().map((entry) => ({ ...entry, values: count }));
};

const lowers = <T extends number | bigint | string>(before: T | undefined, after: T | undefined): boolean =>
  after !== undefined && (before === undefined || after < before);

/** Whether values that fitted the constraints may not fit the new ones. */
const isTightened = (before: ScalarConstraints, after: ScalarConstraints): boolean =>
  lowers(before.max, after.max) ||
  lowers(before.maxLength, after.maxLength) ||
  (after.min !== undefined && (before.min === undefined || after.min > before.min)) ||
  (after.minLength !== undefined && (before.minLength === undefined || after.minLength > before.minLength)) ||
  (after.regex !== undefined &&
    (before.regex?.source !== after.regex.source || (after.required && !before.required))) ||
  (after.enum !== undefined && !(before.enum ?? []).every((value) => after.enum?.includes(value) === true));

/** Whether values that a condition hid, and that were not checked, may be shown. */
const isShownAnew = (
  { condition: before }: ScalarAttribute,
  { condition: after }: ScalarAttribute,
): boolean => before !== undefined && !isDeepStrictEqual(before.rule, after?.rule);

const mayMisfit = ({ from: source, attribute, before, after }: KeptScalar): boolean =>
  source !== null &&
  (source.attribute.type !== attribute.type ||
    isTightened(source.attribute.constraints, attribute.constraints) ||
    isShownAnew(source.attribute, attribute) ||
    (before.draftAndPublish && !after.draftAndPublish));

/** How to make a value fit. */
const misfitRemedy = ({ attribute, key }: KeptScalar, value: string): string =>
  attribute.type === 'enumeration' ? `--map '${key}:${value}=…'` : `--convert '${key}=…'`;

const strictnessOf = ({ after }: TypePair, status: unknown): Strictness =>
  after.draftAndPublish && status === 'draft' ? 'draft' : 'full';

/** Tells what becomes of one stored value. */
class ValueVisitor {
  readonly #seen = new Set<string>();

  constructor(
    private readonly change: KeptScalar,
    private readonly source: NonNullable<KeptScalar['from']>,
    private readonly beside: ConditionValues,
    private readonly tally: AttributeTally,
  ) {}

  visit(row: SessionRow): void {
    const [old, stored] = [text(row['before']) ?? '', text(row['after'])];
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
    const misfit = this.#misfitOf(row, stored);
    if (misfit !== null)
      this.tally.add({ kind: 'misfit', reason: misfit, remedy: misfitRemedy(this.change, stored), sample });
    else if (isMoved(this.change) && this.source.conversion.kind === 'same')
      this.#keep('moved', `is now ${attribute.name}`, sample);
    else if (this.source.attribute.column.kind !== attribute.column.kind || old !== stored)
      this.#keep('converted', this.#conversionReason(), sample);
    else if (this.source.attribute.name !== attribute.name)
      this.#keep('moved', `is now ${attribute.name}`, sample);
  }

  #keep(kind: 'moved' | 'converted', reason: string, sample: unknown): void {
    this.tally.add({ kind, reason, remedy: null, sample });
  }

  #drop(reason: string, sample: unknown): void {
    const remedy = `--convert '${this.change.key}=…'`;
    this.tally.add({ kind: 'dropped', reason, remedy, sample });
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

  /** Why the API would not accept the value. Null: it fits. */
  #misfitOf(row: SessionRow, stored: string): string | null {
    const { attribute } = this.change;
    const { field, constraints, column } = attribute;
    if (field.hash !== undefined) return null;
    const value = column.kind === 'json' ? (JSON.parse(stored) as unknown) : stored;
    const strictness = strictnessIn(
      attribute,
      strictnessOf(this.change, row['status']),
      this.beside.parse(row),
    );
    const parsed = field.parse(value, constraints, strictness);
    if (!parsed.ok) return [...new Set(parsed.issues.map(({ message }) => message))].join(', ');
    if (this.source.attribute.type !== this.change.attribute.type && isTooLong(field, stored))
      return `must be at most ${field.maxCharacters} characters`;
    // The API takes some values in other forms than it stores, as the date of a datetime.
    return column.kind === 'text' && parsed.value !== stored ? this.#reason() : null;
  }
}

/** The request with all that becomes of scalar values. */
type SurveyContext = readonly [request: ContentPlanRequest, changes: readonly ScalarChange[]];

const surveyValues = async (
  session: MigrationSession,
  change: KeptScalar,
  [request, changes]: SurveyContext,
  tally: AttributeTally,
): Promise<void> => {
  const source = change.from;
  if (source === null) return;
  const isRead =
    source.conversion.kind !== 'same' || mayMisfit(change) || source.attribute.name !== change.attribute.name;
  const { name, kind } = source.attribute.column;
  if (!isRead || !(await hasColumn(session, tableBefore(change), name))) return;
  const { values } = request.dialect.migrations;
  const column = `v.${quoteName(name)}`;
  const after =
    source.conversion.kind === 'impossible'
      ? 'NULL'
      : readable(values, change.attribute.column.kind, convertedSql(change, column));
  const beside = conditionValues(request, changes, change.after, change.attribute);
  const visitor = new ValueVisitor(change, source, beside, tally);
  const present = `${readable(values, kind, column)} AS "before"`;
  await readBatches(
    session,
    ['v."locale"', 'v."status"', present, `${after} AS "after"`, ...beside.columns].join(', '),
    fromVersions(change, `${column} IS NOT NULL`),
    (row) => visitor.visit(row),
  );
};

const surveyMissing = async (
  session: MigrationSession,
  change: KeptScalar,
  tally: AttributeTally,
): Promise<void> => {
  const { attribute, fill, key, after } = change;
  const isNewlyRequired = attribute.required && change.from?.attribute.required !== true;
  if (fill === null && !isNewlyRequired) return;
  const table = tableBefore(change);
  if (!(await hasColumn(session, table, 'status'))) return;
  const isAbsent = change.from === null ? [] : [`v.${quoteName(change.from.attribute.column.name)} IS NULL`];
  if (fill !== null) {
    const count = await countRows(session, fromVersions(change, ...isAbsent));
    tally.add({ kind: 'converted', reason: 'had no value', remedy: null, sample: fill.value, count });
    return;
  }
  const isChecked = after.draftAndPublish ? [`"status" = 'published'`] : [];
  const count = await countRows(session, fromVersions(change, ...isAbsent, ...isChecked));
  const remedy = `--set '${key}=…'${attribute.default === undefined ? '' : ' or --use-defaults'}`;
  tally.add({ kind: 'misfit', reason: 'must be set', remedy, count });
};

const surveyKept = async (
  session: MigrationSession,
  change: KeptScalar,
  context: SurveyContext,
): Promise<readonly ContentChange[]> => {
  const tally = new Tally(change.before.uid);
  const ofAttribute = tally.at(change.from?.attribute.name ?? change.attribute.name);
  await surveyValues(session, change, context, ofAttribute);
  await surveyMissing(session, change, ofAttribute);
  return tally.changes();
};

const isUnaffected = (change: ScalarChange): boolean =>
  change.kind === 'kept' &&
  change.from !== null &&
  change.fill === null &&
  change.from.conversion.kind === 'same' &&
  !isMoved(change) &&
  change.before.draftAndPublish === change.after.draftAndPublish &&
  isDeepStrictEqual({ ...change.from.attribute, localized: null }, { ...change.attribute, localized: null });

/** The surveys that count what becomes of scalar values. */
export function scalarSurveys(
  changes: readonly ScalarChange[],
  request: ContentPlanRequest,
): readonly Survey[] {
  return changes
    .filter((change) => !isUnaffected(change))
    .map(
      (change): Survey =>
        (session) =>
          change.kind === 'removed'
            ? surveyRemoved(session, change, request)
            : surveyKept(session, change, [request, changes]),
    );
}
