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
import { quoteText, quoteTexts } from '../dialect/sql-text.js';

/** Digits that a double keeps in any case. */
const SAFE_DIGITS = 15;

const DATE_TEXTS = createDateTexts({
  hasShape: (text, shape) => `${text} GLOB '${shape.replaceAll('d', '[0-9]')}'`,
  ending: (text, length) => `substr(${text}, -${length})`,
  toUtc: (local, minutes) =>
    bindText(
      `strftime('%Y-%m-%dT%H:%M:%fZ', ${local}, (-(${minutes})) || ' minutes')`,
      `CASE WHEN "t" >= '0001' THEN "t" END`,
    ),
});

/** Whole numbers in digits, up to 64 bits. */
const doubleText = (value: string): string =>
  [
    `CASE WHEN ${value} = CAST(${value} AS INTEGER) THEN CAST(CAST(${value} AS INTEGER) AS TEXT)`,
    `ELSE CAST(${value} AS TEXT) END`,
  ].join(' ');

const mantissa = `substr("t", 1, instr(lower("t") || 'e', 'e') - 1)`;
/** The digits without zeros at both ends. */
const digits = `rtrim(ltrim(replace(${mantissa}, '.', ''), '+-0'), '0')`;

/** Text of a number equals its conversion, because SQLite then compares numbers. Other text does not. */
const isWhole = '"t" = CAST("t" AS INTEGER)';
const isNumber = `("t" = CAST("t" AS REAL) OR ${isWhole})`;

const inRange = (min: string, max: string): string =>
  [
    `CASE WHEN ${isWhole} AND CAST("t" AS INTEGER) BETWEEN ${min} AND ${max}`,
    'THEN CAST(CAST("t" AS INTEGER) AS TEXT) END',
  ].join(' ');

const NORMALIZE: Readonly<Record<TextForm, (text: string) => string>> = {
  integer: (text) => bindText(text, inRange('-2147483648', '2147483647')),
  bigint: (text) => bindText(text, inRange('-9223372036854775808', '9223372036854775807')),
  double: (text) =>
    bindText(
      text,
      [
        `CASE WHEN ${isNumber} AND abs(CAST("t" AS REAL)) <= 1e308`,
        `AND (length(${digits}) <= ${SAFE_DIGITS} OR "t" = ${doubleText('CAST("t" AS REAL)')} || '')`,
        `THEN ${doubleText('CAST("t" AS REAL)')} END`,
      ].join(' '),
    ),
  boolean: (text) => bindText(`lower(trim(${text}))`, NORMAL_BOOLEAN),
  ...DATE_TEXTS,
};

/** Conversions of stored values in migrations, in SQL of SQLite. */
export const SQLITE_MIGRATION_VALUES: MigrationValues = Object.freeze({
  textForm: (kind, value) => {
    switch (kind) {
      case 'text':
        return value;
      case 'integer':
      case 'bigint':
        return `CAST(${value} AS TEXT)`;
      case 'double':
        return doubleText(value);
      case 'boolean':
        return `CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`;
      // The driver adapter stores times as `….678+00:00`.
      case 'datetime':
        return `(substr(${value}, 1, 23) || 'Z')`;
      case 'json':
        return [
          `CASE json_type(CASE WHEN json_valid(${value}) THEN ${value} END) WHEN 'null' THEN NULL`,
          `WHEN 'text' THEN ${value} ->> '$' ELSE CAST(${value} AS TEXT) END`,
        ].join(' ');
      default:
        return kind satisfies never;
    }
  },
  normalize: (form, text) => NORMALIZE[form](text),
  // SQLite's functions write a space between date and time.
  resultText: (kind, expression) =>
    kind === 'datetime' ? `replace(CAST(${expression} AS TEXT), ' ', 'T')` : `CAST(${expression} AS TEXT)`,
  jsonString: (text) => `json_quote(${text} || '')`,
  storedOf: (kind, text) => {
    switch (kind) {
      case 'text':
      case 'json':
        return text;
      case 'integer':
      case 'bigint':
        return `CAST(${text} AS INTEGER)`;
      case 'double':
        return `CAST(${text} AS REAL)`;
      case 'boolean':
        return `CASE ${text} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`;
      case 'datetime':
        return `(substr(${text}, 1, 23) || '+00:00')`;
      default:
        return kind satisfies never;
    }
  },
  createLookupTable: (name) =>
    `CREATE TEMP TABLE ${name} ("old_value" TEXT PRIMARY KEY NOT NULL, "new_value" TEXT)`,
} satisfies MigrationValues);

const TYPE_NAMES: Readonly<Record<JsonType, readonly string[]>> = {
  object: ['object'],
  array: ['array'],
  string: ['text'],
  number: ['integer', 'real'],
  integer: ['integer'],
  boolean: ['true', 'false'],
  null: ['null'],
};

const isType = (json: string, type: JsonType): string => {
  const name = type === 'null' ? `coalesce(json_type(${json}), 'null')` : `json_type(${json})`;
  return `${name} IN (${quoteTexts(TYPE_NAMES[type])})`;
};

const member = (json: string, key: string): string => `${json} -> ${quoteText(`$.${JSON.stringify(key)}`)}`;

/**
 * Functions that build JSON treat an argument as JSON only if another JSON function returns it directly. A
 * subquery or a CASE in between turns it into plain text.
 */
const embedded = (json: string): string => `json(${json})`;

/** Keeps the planner from inlining a subquery, whose columns would be computed wherever they are used. */
const ONCE = 'LIMIT -1';

const object = (json: string, alias: string, rewrite: ObjectRewrite): string => {
  const source = `${alias}e`;
  const members = [
    `SELECT ${source}.key AS k, ${json} -> ${source}.fullkey AS j FROM json_each(${json}) AS ${source}`,
    keptMembers(`${source}.key`, rewrite),
  ];
  const added = addedMembers(rewrite, '', (key) => `${member(json, key)} IS NULL`);
  const rows = [members.filter((clause) => clause !== '').join(' '), ...added].join(' UNION ALL ');
  const key = newKey(`${alias}.k`, rewrite);
  const value = embedded(newValue(`${alias}.k`, `${alias}.j`, rewrite));
  return `(SELECT json_group_object(${key}, ${value}) FROM (${rows} ${ONCE}) AS ${alias})`;
};

const list = (json: string, alias: string, { item, where }: ListRewrite): string => {
  const source = `${alias}e`;
  const whole = `${alias}w`;
  const rows = [
    `SELECT ${whole}.j -> ${source}.fullkey AS j`,
    `FROM (SELECT ${json} AS j ${ONCE}) AS ${whole}, json_each(${whole}.j) AS ${source} ${ONCE}`,
  ].join(' ');
  const condition = where === undefined ? '' : ` WHERE ${where(`${alias}.j`)}`;
  const items = `json_group_array(${embedded(item(`${alias}.j`))})`;
  return `(SELECT ${items} FROM (${rows}) AS ${alias}${condition})`;
};

const whenType = (json: string, type: JsonType, then: string): string =>
  `CASE WHEN ${isType(json, type)} THEN ${then} END`;

const memberText = (json: string, key: string): string =>
  whenType(json, 'object', `${json} ->> ${quoteText(`$.${JSON.stringify(key)}`)}`);

/** Rewrites JSON in SQLite, where it is text. */
export const SQLITE_JSON_REWRITING: JsonRewriting = Object.freeze({
  isType,
  hasKey: (json, key) => `${member(json, key)} IS NOT NULL`,
  literal: (value) => quoteText(JSON.stringify(value)),
  object,
  list,
  listOf: (json) => `json_array(${embedded(json)})`,
  first: (json) => `${json} -> '$[0]'`,
  ofText: (text) => `coalesce(${text}, 'null')`,
  orElse: (json, other) => `coalesce(nullif(${json}, 'null'), ${other})`,
  memberText,
  newId: () => `CAST(abs(random() % 281474976710655) + 1 AS TEXT)`,
  toColumn: (json) => `nullif(${json}, 'null')`,
  toText: (json) => `CAST(${json} AS TEXT)`,
} satisfies JsonRewriting);
