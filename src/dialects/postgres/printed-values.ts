import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { UNPRINTABLE } from '../../lib/unprintable.js';
import type { JsonMember, PrintedType } from '../json-expressions.js';

const MARK = sql`${sql.lit(JSON.stringify(UNPRINTABLE))}::json`;

export function postgresOrMark(value: Expression<unknown>): RawBuilder<unknown> {
  return sql`coalesce(to_json(${value}), ${MARK})`;
}

export function postgresMarkWhere(
  condition: Expression<unknown>,
  value: Expression<unknown>,
): RawBuilder<unknown> {
  return sql`case when ${condition} then ${MARK} else to_json(${value}) end`;
}

export function postgresSafeInteger(column: Expression<unknown>): RawBuilder<unknown> {
  const [least, greatest] = [sql.lit(Number.MIN_SAFE_INTEGER), sql.lit(Number.MAX_SAFE_INTEGER)];
  const isSafe = sql`${column} between ${least} and ${greatest}`;
  return sql`case when ${isSafe} then to_json(${column}) else to_json(${column}::text) end`;
}

/** A member whose JSON type is one of the given ones. */
interface MemberForm {
  readonly types: readonly string[];
  /** A regular expression that its text must match. Longer numbers are rare inside components. */
  readonly pattern?: string;
  /** How its text is printed. Default: the JSON as it is. */
  readonly print?: (text: RawBuilder<unknown>) => RawBuilder<unknown>;
}

const FORMS: Readonly<Record<PrintedType, MemberForm>> = {
  ID: { types: ['number', 'string'], print: (text) => sql`to_json(${text})` },
  String: { types: ['string'] },
  Int: { types: ['number'], pattern: '^-?[0-9]{1,9}$' },
  Float: { types: ['number'] },
  Boolean: { types: ['boolean'] },
  Long: {
    types: ['number', 'string'],
    pattern: '^[0-9]{1,15}$',
    print: (text) => sql`to_json((${text})::bigint)`,
  },
};

export function postgresPrintedMember({ member }: JsonMember, type: PrintedType): RawBuilder<unknown> {
  const { types, pattern, print } = FORMS[type];
  const text = sql`(${member} #>> '{}')`;
  const isOfType = sql`json_typeof(${member}) in (${sql.join(types.map((each) => sql.lit(each)))})`;
  const isPrintable = pattern === undefined ? isOfType : sql`${isOfType} and ${text} ~ ${sql.lit(pattern)}`;
  const printed = print === undefined ? member : print(text);
  return sql`case when ${isPrintable} then ${printed} when ${text} is null then null else ${MARK} end`;
}
