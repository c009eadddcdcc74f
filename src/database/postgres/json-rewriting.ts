import type { JsonRewriting, JsonType, ListRewrite, ObjectRewrite } from '../dialect/json-rewriting.js';
import { addedMembers, keptMembers, newKey, newValue } from '../dialect/json-object-rewrite.js';
import { quoteText } from '../dialect/sql-text.js';

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
