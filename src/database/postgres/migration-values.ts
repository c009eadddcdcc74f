import {
  NORMAL_BOOLEAN,
  addedMembers,
  bindText,
  createDateTexts,
  keptMembers,
  newKey,
  newValue,
} from '../dialect/migration-values.js';
import type {
  JsonRewriting,
  JsonType,
  ListRewrite,
  MigrationValues,
  ObjectRewrite,
  TextForm,
} from '../dialect/migration-values.js';
import { quoteText } from '../dialect/sql-text.js';

/** Digits that a double keeps in any case. */
const SAFE_DIGITS = 15;

const ISO_TIME = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

const DATE_TEXTS = createDateTexts({
  hasShape: (text, shape) => `${text} ~ '^${shape.replaceAll('.', '[.]').replaceAll('d', '[0-9]')}$'`,
  ending: (text, length) => `right(${text}, ${length})`,
  toUtc: (local, minutes) =>
    bindText(
      `CAST(${local} AS TIMESTAMP) - (${minutes}) * INTERVAL '1 minute'`,
      [
        `CASE WHEN "t" >= TIMESTAMP '0001-01-01' AND "t" < TIMESTAMP '10000-01-01'`,
        `THEN to_char("t", ${ISO_TIME}) END`,
      ].join(' '),
    ),
});

/** Whole numbers in digits, up to 64 bits. */
const doubleText = (value: string): string =>
  [
    `CASE WHEN ${value} = trunc(${value}) AND abs(${value}) < 9.2e18`,
    `THEN CAST(CAST(${value} AS BIGINT) AS TEXT) ELSE CAST(${value} AS TEXT) END`,
  ].join(' ');

/** The digits without zeros at both ends. */
const digits = `rtrim(ltrim(regexp_replace("t", '[eE].*$|[^0-9]', '', 'g'), '0'), '0')`;

const inRange = (min: string, max: string): string => {
  const isInRange = `trunc(CAST("t" AS NUMERIC)) BETWEEN ${min} AND ${max}`;
  const printed = 'CAST(trunc(CAST("t" AS NUMERIC)) AS TEXT)';
  const isWhole = String.raw`"t" ~ '^\s*[+-]?([0-9]+[.]?0*|[.]0+)\s*$' AND length("t") <= 1000`;
  return `CASE WHEN ${isWhole} THEN CASE WHEN ${isInRange} THEN ${printed} END END`;
};

const DOUBLE = 'CAST("t" AS DOUBLE PRECISION)';

/** Numbers whose double neither overflows nor underflows. */
const isDouble = `(abs(CAST("t" AS NUMERIC)) BETWEEN 1e-307 AND 1e308 OR CAST("t" AS NUMERIC) = 0)`;

const double = [
  String.raw`CASE WHEN "t" ~ '^\s*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,3})?\s*$'`,
  `AND length("t") <= 1100 THEN CASE WHEN ${isDouble}`,
  `THEN CASE WHEN length(${digits}) <= ${SAFE_DIGITS} OR "t" = ${doubleText(DOUBLE)}`,
  `THEN ${doubleText(DOUBLE)} END END END`,
].join(' ');

const NORMALIZE: Readonly<Record<TextForm, (text: string) => string>> = {
  integer: (text) => bindText(text, inRange('-2147483648', '2147483647')),
  bigint: (text) => bindText(text, inRange('-9223372036854775808', '9223372036854775807')),
  double: (text) => bindText(text, double),
  boolean: (text) => bindText(`lower(trim(${text}))`, NORMAL_BOOLEAN),
  ...DATE_TEXTS,
};

/** Conversions of stored values in migrations, in SQL of PostgreSQL. */
export const POSTGRES_MIGRATION_VALUES: MigrationValues = Object.freeze({
  textForm: (kind, value) => {
    switch (kind) {
      case 'text':
        return value;
      case 'integer':
      case 'bigint':
      case 'boolean':
        return `CAST(${value} AS TEXT)`;
      case 'double':
        return doubleText(value);
      case 'datetime':
        return `to_char(${value}, ${ISO_TIME})`;
      // The text of a string without its quotes, and JSON text of all else.
      case 'json':
        return bindText(
          `CAST(${value} AS JSON)`,
          [
            `CASE json_typeof("t") WHEN 'null' THEN NULL`,
            `WHEN 'string' THEN "t" #>> '{}' ELSE CAST("t" AS TEXT) END`,
          ].join(' '),
        );
      default:
        return kind satisfies never;
    }
  },
  normalize: (form, text) => NORMALIZE[form](text),
  resultText: (kind, expression) => {
    const text = `CAST(${expression} AS TEXT)`;
    if (kind === 'datetime') return `replace(${text}, ' ', 'T')`;
    // Decimals have more digits than a double keeps, as of a division.
    return kind === 'double'
      ? bindText(text, `CASE WHEN "t" ~ '^-?[0-9]+[.][0-9]+$' THEN CAST(${DOUBLE} AS TEXT) ELSE "t" END`)
      : text;
  },
  jsonString: (text) => `CAST(to_json(CAST(${text} AS TEXT)) AS TEXT)`,
  storedOf: (kind, text) => {
    switch (kind) {
      case 'text':
        return text;
      case 'integer':
        return `CAST(${text} AS INTEGER)`;
      case 'bigint':
        return `CAST(${text} AS BIGINT)`;
      case 'double':
        return `CAST(${text} AS DOUBLE PRECISION)`;
      case 'boolean':
        return `CAST(${text} AS BOOLEAN)`;
      case 'datetime':
        return `CAST(${text} AS TIMESTAMP)`;
      case 'json':
        return `CAST(${text} AS JSON)`;
      default:
        return kind satisfies never;
    }
  },
  // Entries of the usual kind of index are limited in length.
  createLookupTable: (name) =>
    [
      `CREATE TEMP TABLE ${name} ("old_value" TEXT NOT NULL, "new_value" TEXT)`,
      `CREATE INDEX ON ${name} USING hash ("old_value")`,
    ].join('; '),
} satisfies MigrationValues);

const isType = (json: string, type: JsonType): string => {
  if (type === 'null') return `coalesce(json_typeof(${json}), 'null') = 'null'`;
  if (type === 'integer') return `(json_typeof(${json}) = 'number' AND (${json})::text ~ '^-?[0-9]+$')`;
  return `json_typeof(${json}) = ${quoteText(type)}`;
};

const rewriteObject = (json: string, alias: string, rewrite: ObjectRewrite): string => {
  const source = `${alias}e`;
  const members = [
    `SELECT ${source}.k, ${source}.j, ${source}.o`,
    `FROM json_each(${json}) WITH ORDINALITY AS ${source}(k, j, o)`,
    keptMembers(`${source}.k`, rewrite),
  ];
  const added = addedMembers(rewrite, ', 0', (key) => `${json} -> ${quoteText(key)} IS NULL`);
  const rows = [members.filter((clause) => clause !== '').join(' '), ...added].join(' UNION ALL ');
  const key = newKey(`${alias}.k`, rewrite);
  const value = newValue(`${alias}.k`, `${alias}.j`, rewrite);
  const object = `json_object_agg(${key}, ${value} ORDER BY ${alias}.o)`;
  return `(SELECT coalesce(${object}, '{}'::json) FROM (${rows}) AS ${alias})`;
};

const list = (json: string, alias: string, { item, where }: ListRewrite): string => {
  const rows = `json_array_elements(${json}) WITH ORDINALITY AS ${alias}(j, o)`;
  const condition = where === undefined ? '' : ` WHERE ${where(`${alias}.j`)}`;
  const items = `json_agg(${item(`${alias}.j`)} ORDER BY ${alias}.o)`;
  return `(SELECT coalesce(${items}, '[]'::json) FROM ${rows}${condition})`;
};

const whenType = (json: string, type: JsonType, then: string): string =>
  `CASE WHEN ${isType(json, type)} THEN ${then} END`;

const ofText = (text: string): string => `coalesce((${text})::json, 'null'::json)`;

/** Rewrites JSON in PostgreSQL: of type json, since jsonb would not keep JSON as it is written. */
export const POSTGRES_JSON_REWRITING: JsonRewriting = Object.freeze({
  isType,
  hasKey: (json, key) => `${json} -> ${quoteText(key)} IS NOT NULL`,
  literal: (value) => `${quoteText(JSON.stringify(value))}::json`,
  object: rewriteObject,
  list,
  listOf: (json) => `json_build_array(${json})`,
  first: (json) => `${json} -> 0`,
  ofText,
  orElse: (json, other) => `coalesce(nullif((${json})::text, 'null')::json, ${other})`,
  memberText: (json, key) =>
    whenType(`${json} -> ${quoteText(key)}`, 'string', `${json} ->> ${quoteText(key)}`),
  newId: () => 'to_json(floor(random() * 281474976710655)::bigint + 1)',
  toColumn: (json) => `nullif((${json})::text, 'null')::json`,
  toText: (json) => `(${json})::text`,
} satisfies JsonRewriting);
