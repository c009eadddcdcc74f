import type { JsonRewriting, JsonType, ListRewrite, ObjectRewrite } from '../dialect/json-rewriting.js';
import { addedMembers, keptMembers, newKey, newValue } from '../dialect/json-object-rewrite.js';
import { quoteText, quoteTexts } from '../dialect/sql-text.js';

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
 * The functions that build JSON take text for JSON only where it comes straight from another JSON function.
 * A subquery or a CASE in between makes it plain text.
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
