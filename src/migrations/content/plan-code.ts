import { compileExpression } from '../../config/module-loader.js';
import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { textForm } from '../../lib/stored-value.js';
import { lastSegment, withoutLastSegment } from '../../lib/ids.js';
import type { ScalarConstraints } from '../../model/fields/field-type.js';
import type { ContentModel, ScalarAttribute } from '../../model/model.js';
import { hasColumns } from '../impact/data-impact.js';
import type { Inspection } from '../impact/data-impact.js';
import { quoteName } from '../../database/dialect/sql-text.js';
import type { ContentPlanPart, ContentPlanRequest } from './content-transition.js';
import { TABLE_ALIAS, changedJsonColumns, readColumn } from './json/plan-json-columns.js';
import { codeConversions, collectedKey, lookupKey, takesAnyText } from './scalars/convert-scalar.js';
import type { CodeConversion } from './scalars/convert-scalar.js';
import { listScalarChanges, tableBefore } from './scalars/scalar-change.js';

const MAX_VALUE_LENGTH = 120;

const UNCONSTRAINED: ScalarConstraints = Object.freeze({ required: false, unique: false });

const reasonOf = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.trim().replace(/\.$/, '');
};

/** Returns the request value for an expression's result, or undefined if there is none. */
const asInput = (attribute: ScalarAttribute, result: unknown): unknown => {
  if (result === null || (typeof result === 'number' && !Number.isFinite(result))) return undefined;
  if (result instanceof Date) return Number.isNaN(result.getTime()) ? undefined : result.toISOString();
  if (typeof result === 'bigint') return String(result);
  const isPrintable = typeof result === 'number' || typeof result === 'boolean';
  return isPrintable && takesAnyText(attribute) ? String(result) : result;
};

/**
 * Returns the text form of the value that an attribute stores; JSON text for `json`. Values that break a
 * limit of the attribute are kept, and inspections count them as invalid. Returns null if the result is not a
 * value of the type.
 */
const storableText = (attribute: ScalarAttribute, result: unknown): string | null => {
  const input = asInput(attribute, result);
  if (input === undefined) return null;
  const { field, constraints, column } = attribute;
  const complete = field.parse(input, constraints, 'full');
  const parsed = complete.ok ? complete : field.parse(input, UNCONSTRAINED, 'draft');
  if (!parsed.ok) return typeof input === 'string' && takesAnyText(attribute) ? input : null;
  if (parsed.value === null) return null;
  return column.kind === 'json' ? JSON.stringify(parsed.value) : textForm(parsed.value);
};

const printValue = (json: string): string =>
  json.length <= MAX_VALUE_LENGTH ? json : `${json.slice(0, MAX_VALUE_LENGTH)}…`;

/**
 * Compiles a conversion into a function from JSON text of the old value to the text form of the new one,
 * which is null if the expression returns no value of the new type.
 *
 * @throws `migration/invalid-expression`; the function throws `migration/conversion-failed`
 */
function compileConversion(
  { key, code }: CodeConversion,
  attribute: ScalarAttribute,
): (oldJson: string) => string | null {
  const compile = (): ((value: unknown) => unknown) => {
    try {
      return compileExpression(code);
    } catch (cause) {
      throw createError(
        'migration/invalid-expression',
        { attribute: key, reason: reasonOf(cause) },
        { cause },
      );
    }
  };
  const convert = compile();
  const fail = (oldJson: string, reason: string, options?: ErrorOptions): Error =>
    createError(
      'migration/conversion-failed',
      { attribute: key, value: printValue(oldJson), reason },
      options,
    );
  const evaluate = (oldJson: string): unknown => {
    try {
      return convert(JSON.parse(oldJson));
    } catch (cause) {
      throw fail(oldJson, reasonOf(cause), { cause });
    }
  };
  return (oldJson) => {
    const result = evaluate(oldJson);
    if (result instanceof Promise)
      throw fail(oldJson, 'it returns a promise, which a migration does not await');
    return storableText(attribute, result);
  };
}

/** Each row takes two parameters. SQLite and PostgreSQL accept several thousand. */
const ROWS_PER_INSERT = 500;

const attributeOf = ({ typesByUid, componentsByUid }: ContentModel, key: string): ScalarAttribute => {
  const uid = withoutLastSegment(key);
  const attribute = (typesByUid[uid] ?? componentsByUid[uid])?.attributes[lastSegment(key)];
  if (attribute?.family === 'scalar') return attribute;
  throw createError('migration/invalid-expression', {
    attribute: key,
    reason: 'only values are converted, not components, relations and media',
  });
};

/** Visits the old values in components, as JSON text. */
const collectFromComponents = async (
  session: MigrationSession,
  request: ContentPlanRequest,
  conversion: CodeConversion,
  onValue: (json: string) => void,
): Promise<void> => {
  const marker = collectedKey(conversion);
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isRecord(value)) return;
    const collected = value[marker];
    if (typeof collected === 'string') onValue(collected);
    else Object.values(value).forEach(visit);
  };
  const decisions = { ...request.decisions, collectsOldValues: true };
  for (const column of changedJsonColumns({ ...request, decisions })) {
    const isConverted = column.after.includes(marker);
    if (isConverted && (await hasColumns(session, column.table, ['id', column.column])))
      await readColumn(session, { ...column, versions: [] }, ({ after }) => visit(after));
  }
};

/** Visits the old values in columns of their attribute, as JSON text. */
const collectFromColumns = async (
  session: MigrationSession,
  request: ContentPlanRequest,
  { key }: CodeConversion,
  onValue: (json: string) => void,
): Promise<void> => {
  const { dialect } = request;
  for (const change of listScalarChanges(request)) {
    if (change.kind !== 'present' || change.key !== key || change.from?.conversion.kind !== 'converted')
      continue;
    const { attribute } = change.from;
    const { name } = attribute.column;
    const table = tableBefore(change);
    if (!(await hasColumns(session, table, ['id', name]))) continue;
    const json = lookupKey(attribute, `${TABLE_ALIAS}.${quoteName(name)}`, dialect);
    const column = { table, column: name, kind: attribute.column.kind, withNulls: false, versions: [] };
    await readColumn(
      session,
      { ...column, before: 'NULL', after: dialect.migrations.values.jsonString(json) },
      ({ after }) => {
        if (typeof after === 'string') onValue(after);
      },
    );
  }
};

const insertRows = async (
  session: MigrationSession,
  table: string,
  rows: readonly (readonly [string, string | null])[],
): Promise<void> => {
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const batch = rows.slice(start, start + ROWS_PER_INSERT);
    const places = batch.map((_, index) => `($${2 * index + 1}, $${2 * index + 2})`);
    await session.query(`INSERT INTO ${table} VALUES ${places.join(', ')}`, batch.flat());
  }
};

/** Fills the table of new values for every old value of this database. Reports no impact. */
const fillTable =
  (conversion: CodeConversion, request: ContentPlanRequest): Inspection =>
  async (session) => {
    const convert = compileConversion(conversion, attributeOf(request.after, conversion.key));
    const table = quoteName(conversion.table);
    const newValues = new Map<string, string | null>();
    const onValue = (json: string): void => {
      if (json !== 'null' && !newValues.has(json)) newValues.set(json, convert(json));
    };
    await collectFromColumns(session, request, conversion, onValue);
    await collectFromComponents(session, request, conversion, onValue);
    await session.script(
      `DROP TABLE IF EXISTS ${table}; ${request.dialect.migrations.values.createLookupTable(table)}`,
    );
    await insertRows(session, table, [...newValues]);
    return [];
  };

/**
 * Plans the conversions that are TypeScript. The SQL of the migration looks up new values in temporary
 * tables. The same session fills these from the current old values right before.
 */
export function planCode(request: ContentPlanRequest): ContentPlanPart {
  const conversions = codeConversions(request.decisions);
  return {
    statementsLast: conversions.map(({ table }) => `DROP TABLE ${quoteName(table)};`),
    inspections: conversions.map((conversion) => fillTable(conversion, request)),
  };
}
