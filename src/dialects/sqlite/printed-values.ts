import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { UNPRINTABLE } from '../../lib/unprintable.js';
import type { JsonMember, PrintedType } from '../json-expressions.js';

const MARK = sql.lit(UNPRINTABLE);

export function sqliteOrMark(value: Expression<unknown>): RawBuilder<unknown> {
  return sql`coalesce(${value}, ${MARK})`;
}

export function sqliteMarkWhere(
  condition: Expression<unknown>,
  value: Expression<unknown>,
): RawBuilder<unknown> {
  return sql`case when ${condition} then ${MARK} else ${value} end`;
}

export function sqliteSafeInteger(column: Expression<unknown>): RawBuilder<unknown> {
  const [least, greatest] = [sql.lit(Number.MIN_SAFE_INTEGER), sql.lit(Number.MAX_SAFE_INTEGER)];
  const isSafe = sql`${column} between ${least} and ${greatest}`;
  return sql`case when ${isSafe} then ${column} else cast(${column} as text) end`;
}

/** A member whose JSON type is one of the given ones. */
interface MemberForm {
  readonly types: readonly string[];
  /** What else must be true of its value. */
  readonly condition?: (value: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** How its value is printed. Default: as the JSON that it is. */
  readonly print?: (value: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** Digits that JavaScript holds exactly. Longer and negative ones are rare inside components. */
const isShortNumber = (value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${value} not glob '*[^0-9]*' and length(${value}) between 1 and 15`;

const FORMS: Readonly<Record<PrintedType, MemberForm>> = {
  ID: { types: ['integer', 'text'], print: (value) => sql`cast(${value} as text)` },
  String: { types: ['text'] },
  Int: { types: ['integer'], condition: (value) => sql`${value} between -2147483648 and 2147483647` },
  Float: { types: ['integer', 'real'] },
  Boolean: { types: ['true', 'false'] },
  Long: {
    types: ['integer', 'text'],
    condition: isShortNumber,
    print: (value) => sql`cast(${value} as integer)`,
  },
};

export function sqlitePrintedMember({ json, key }: JsonMember, type: PrintedType): RawBuilder<unknown> {
  const { types, condition, print } = FORMS[type];
  const path = sql.lit(`$."${key}"`);
  const value = sql`(${json} ->> ${path})`;
  const isOfType = sql`json_type(${json}, ${path}) in (${sql.join(types.map((each) => sql.lit(each)))})`;
  const isPrintable = condition === undefined ? isOfType : sql`${isOfType} and ${condition(value)}`;
  const printed = print === undefined ? sql`${json} -> ${path}` : print(value);
  const isNull = sql`${value} is null`;
  return sql`case when ${isPrintable} then ${printed} when ${isNull} then null else ${MARK} end`;
}
