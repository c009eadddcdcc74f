import type { TextForm } from '../../../database/dialect/migration-values.js';
import type { ScalarTypeName } from '../../../model/fields/field-type.js';
import { NUMBER_TYPES } from '../../../model/fields/number-value.js';
import type { ScalarAttribute } from '../../../model/model.js';
import { quoteName, quoteText } from '../../../database/dialect/sql-text.js';
import type { MigrationDialect } from '../../../database/dialect/dialect.js';
import type { ContentDecisions, PlannedDecisions } from '../content-decisions.js';

/** Prefix of conversions that are TypeScript instead of SQL. */
const CODE_PREFIX = 'ts:';

/** A conversion of the user that is TypeScript. */
export interface CodeConversion {
  /** The attribute after the migration, as decisions name it. */
  readonly key: string;
  readonly code: string;
  /** The temporary table with the new values by the old ones. */
  readonly table: string;
}

/** Lists the conversions that are TypeScript. Their tables have the same names in every database. */
export function codeConversions({ convert }: Pick<ContentDecisions, 'convert'>): readonly CodeConversion[] {
  return Object.entries(convert).flatMap(([key, expression], index) =>
    expression.startsWith(CODE_PREFIX)
      ? [{ key, code: expression.slice(CODE_PREFIX.length), table: `galley_conversion_${index}` }]
      : [],
  );
}

/** Returns the JSON key that holds an old value in place of the new one while old values are collected. */
export function collectedKey({ table }: CodeConversion): string {
  return `${table}:old value`;
}

/** Conversion of the stored values of one scalar attribute to those of another. */
export type ScalarConversion =
  /** The stored form stays the same. The new type may still reject some values. */
  | { readonly kind: 'same' }
  | {
      readonly kind: 'converted';
      /** The reason why a value does not convert: `not a whole number`. */
      readonly reason: string;
      /**
       * Returns SQL of the new stored value for SQL of the old one, each typed as its column. The SQL yields
       * null if a value does not convert. It never fails, unless the user's expression does.
       */
      readonly stored: (value: string) => string;
      /** Returns the same for the JSON value that a component stores. The result is JSON text, or null. */
      readonly json: (value: string) => string;
    }
  /** No value converts. */
  | { readonly kind: 'impossible'; readonly reason: string };

type ScalarType = Pick<ScalarAttribute, 'type' | 'column'>;

const WRITTEN_TEXT: ReadonlySet<ScalarTypeName> = new Set([
  'string',
  'text',
  'richtext',
  'email',
  'uid',
  'enumeration',
]);

/** True if values of the type are text of any form. Text can at most break a limit. */
export const takesAnyText = ({ type }: Pick<ScalarAttribute, 'type'>): boolean => WRITTEN_TEXT.has(type);

/** The form that text must have to convert to the type, and the reason reported if it lacks that form. */
const FORMS: Readonly<Partial<Record<ScalarTypeName, { readonly form: TextForm; readonly reason: string }>>> =
  {
    integer: { form: 'integer', reason: 'not a whole number of 32 bits' },
    biginteger: { form: 'bigint', reason: 'not a whole number of 64 bits' },
    float: { form: 'double', reason: 'not a number, or one with more digits than a double keeps' },
    decimal: { form: 'double', reason: 'not a number, or one with more digits than a double keeps' },
    boolean: { form: 'boolean', reason: 'neither true nor false' },
    date: { form: 'date', reason: 'not a date, or one with a time of day' },
    time: { form: 'time', reason: 'not a time of day' },
    datetime: { form: 'datetime', reason: 'not a date and time' },
    timestamp: { form: 'datetime', reason: 'not a date and time' },
  };

const impossibleReason = (before: ScalarTypeName, after: ScalarTypeName): string | null => {
  if (after === 'password') return 'a password is stored as a hash, which a migration cannot make';
  if (before === 'password') return 'the hash of a password is not the password';
  if (before === 'blocks' && after !== 'json') return 'blocks cannot become text';
  if (after === 'blocks' && before !== 'json' && !WRITTEN_TEXT.has(before))
    return `a value of type ${before} is not rich text`;
  return null;
};

const isSame = (before: ScalarType, after: ScalarType): boolean => {
  if (before.type === after.type) return true;
  if (before.column.kind !== after.column.kind) return false;
  return WRITTEN_TEXT.has(after.type) || before.column.kind !== 'text';
};

/** Returns the JSON text of a value with this text form. */
const jsonOf = (type: ScalarTypeName, text: string, { migrations }: MigrationDialect): string => {
  if (type === 'boolean' || (NUMBER_TYPES.has(type) && type !== 'biginteger')) return text;
  return migrations.values.jsonString(text);
};

/** Returns SQL of blocks with one paragraph that holds the text. */
const blocksOf = (text: string, { migrations }: MigrationDialect): string =>
  [
    `'[{"type":"paragraph","children":[{"type":"text","text":'`,
    migrations.values.jsonString(text),
    `'}]}]'`,
  ].join(' || ');

/** Returns SQL of the new text form for SQL of the old one. For `json` and `blocks` it is JSON text. */
const convertText = (
  before: ScalarTypeName,
  after: ScalarTypeName,
  text: string,
  dialect: MigrationDialect,
): string => {
  if (after === 'json') return jsonOf(before, text, dialect);
  if (after === 'blocks') return blocksOf(text, dialect);
  const form = FORMS[after]?.form;
  if (form === undefined) return text;
  const written =
    before === 'boolean' && NUMBER_TYPES.has(after)
      ? `CASE ${text} WHEN 'true' THEN '1' WHEN 'false' THEN '0' END`
      : text;
  return dialect.migrations.values.normalize(form, written);
};

const isJson = ({ column }: ScalarType): boolean => column.kind === 'json';

/** Returns the conversion that changes the text form. */
const throughText = (
  before: ScalarType,
  after: ScalarType,
  dialect: MigrationDialect,
  { reason, convert }: { readonly reason: string; readonly convert: (text: string) => string },
): ScalarConversion => {
  const { textForm, storedOf } = dialect.migrations.values;
  const printJson = (text: string): string => (isJson(after) ? text : jsonOf(after.type, text, dialect));
  return {
    kind: 'converted',
    reason,
    stored: (value) => storedOf(after.column.kind, convert(textForm(before.column.kind, value))),
    json: (value) => printJson(convert(textForm('json', value))),
  };
};

/** Returns the conversion by the user's SQL expression over `value`. */
const byExpression = (
  before: ScalarType,
  after: ScalarType,
  dialect: MigrationDialect,
  expression: string,
): ScalarConversion => {
  const { textForm, storedOf, resultText } = dialect.migrations.values;
  const evaluate = (value: string): string => {
    const result = `(SELECT ${expression} FROM (SELECT ${value} AS "value" LIMIT 1) AS "input")`;
    const text = resultText(after.column.kind, result);
    return isJson(after) ? text : convertText('text', after.type, text, dialect);
  };
  return {
    kind: 'converted',
    reason: 'the expression returns no value of the new type',
    stored: (value) => storedOf(after.column.kind, evaluate(value)),
    json: (value) => {
      const text = evaluate(isJson(before) ? value : storedOf(before.column.kind, textForm('json', value)));
      return isJson(after) ? text : jsonOf(after.type, text, dialect);
    },
  };
};

/** Returns SQL of the JSON text of an old value, the key for looking up its new value. */
export function lookupKey(
  before: ScalarType,
  value: string,
  dialect: MigrationDialect,
  isInComponent = false,
): string {
  const { json, values } = dialect.migrations;
  return isInComponent || isJson(before)
    ? json.toText(value)
    : jsonOf(before.type, values.textForm(before.column.kind, value), dialect);
}

/** Returns the conversion by the user's TypeScript, which has filled the table that its SQL reads. */
const byCode = (
  before: ScalarType,
  after: ScalarType,
  dialect: MigrationDialect,
  conversion: CodeConversion,
  collectsOldValues: boolean,
): ScalarConversion => {
  const { storedOf, jsonString } = dialect.migrations.values;
  const lookUp = (key: string): string =>
    `(SELECT m."new_value" FROM ${quoteName(conversion.table)} AS m WHERE m."old_value" = ${key})`;
  const marked = (key: string): string =>
    `${quoteText(`{${JSON.stringify(collectedKey(conversion))}:`)} || ${jsonString(key)} || '}'`;
  return {
    kind: 'converted',
    reason: 'the expression returns no value of the new type',
    stored: (value) => storedOf(after.column.kind, lookUp(lookupKey(before, value, dialect))),
    json: (value) => {
      const key = lookupKey(before, value, dialect, true);
      if (collectsOldValues) return marked(key);
      return isJson(after) ? lookUp(key) : jsonOf(after.type, lookUp(key), dialect);
    },
  };
};

/** Replaces values of an enumeration in the text form. */
const mapText = (text: string, map: Readonly<Record<string, string>>): string => {
  const cases = Object.entries(map).map(([from, to]) => `WHEN ${quoteText(from)} THEN ${quoteText(to)}`);
  return cases.length === 0 ? text : `CASE ${text} ${cases.join(' ')} ELSE ${text} END`;
};

/**
 * Returns the conversion from values of one scalar type to another, by the user's decisions or else by the
 * types.
 *
 * @param key the attribute after the migration, as {@link PlannedDecisions} name it
 */
export function convertScalar(
  before: ScalarType,
  after: ScalarType,
  dialect: MigrationDialect,
  {
    convert,
    map,
    collectsOldValues = false,
  }: Pick<PlannedDecisions, 'convert' | 'map' | 'collectsOldValues'> = { convert: {}, map: {} },
  key = '',
): ScalarConversion {
  const expression = convert[key];
  // An expression would store a password as plain text, or show its hash.
  if (expression !== undefined && before.type !== 'password' && after.type !== 'password') {
    const code = codeConversions({ convert }).find((conversion) => conversion.key === key);
    return code === undefined
      ? byExpression(before, after, dialect, expression)
      : byCode(before, after, dialect, code, collectsOldValues);
  }
  const reason = before.type === after.type ? null : impossibleReason(before.type, after.type);
  if (reason !== null) return { kind: 'impossible', reason };
  const newValues = map[key];
  if (isSame(before, after) && (newValues === undefined || isJson(before))) return { kind: 'same' };
  return throughText(before, after, dialect, {
    reason: FORMS[after.type]?.reason ?? 'not text',
    convert: (text) => convertText(before.type, after.type, mapText(text, newValues ?? {}), dialect),
  });
}
