import type { DialectName } from '../../src/database/dialect/dialect.js';

/** What someone writes differently for the two databases. */
export interface BaselineWords {
  readonly objectFunction: string;
  readonly array: (item: string) => string;
  readonly time: (column: string) => string;
  readonly flag: (column: string) => string;
  /** JSON in a column or from a subquery, whose result is plain text since SQLite 3.54. */
  readonly json: (value: string) => string;
  readonly member: (json: string, key: string) => string;
  /** The elements of an array as rows of `s(value)`. */
  readonly elements: (column: string) => string;
  readonly join: string;
  /** Text in the order of the indexes. */
  readonly ordered: (column: string) => string;
  readonly descending: (column: string) => string;
  /** A column that no index is to be used for. */
  readonly plain: (column: string) => string;
  readonly placeholder: string;
  /** The whole answer. */
  readonly text: (json: string) => string;
}

const sqliteFlag = (column: string): string =>
  `json(CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END)`;

export const BASELINE_WORDS: Readonly<Record<DialectName, BaselineWords>> = {
  sqlite: {
    objectFunction: 'json_object',
    array: (item) => `json_group_array(${item})`,
    time: (column) => `substr(${column}, 1, 23) || 'Z'`,
    flag: sqliteFlag,
    json: (value) => `json(${value})`,
    member: (json, key) => `${json} ->> '$.${key}'`,
    elements: (column) => `jsonb_each(${column}) s`,
    join: 'CROSS JOIN',
    ordered: (column) => column,
    descending: (column) => `${column} DESC`,
    plain: (column) => `+${column}`,
    placeholder: '?',
    text: (json) => json,
  },
  postgresql: {
    objectFunction: 'json_build_object',
    array: (item) => `coalesce(json_agg(${item}), '[]')`,
    time: (column) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    flag: (column) => column,
    json: (value) => value,
    member: (json, key) => `${json} -> '${key}'`,
    elements: (column) => `json_array_elements(${column}) s(value)`,
    join: 'JOIN',
    ordered: (column) => `${column} COLLATE "C" NULLS FIRST`,
    descending: (column) => `${column} COLLATE "C" DESC NULLS LAST`,
    plain: (column) => column,
    placeholder: '$1',
    text: (json) => `(${json})::text`,
  },
};
