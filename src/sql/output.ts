import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { JsonPairs } from '../dialects/json-pairs.js';
import { assertNever } from '../lib/assert-never.js';
import type { FieldOutput, ListOutput, PopulateOutput, RecordOutput } from '../query/record-output.js';
import type { CompileContext } from './compile-context.js';
import { fieldValue, storedJson } from './fields.js';
import type { ItemScope, RowScope, Scope } from './scope.js';

const MIN_INT32 = sql.lit(-2_147_483_648);
const MAX_INT32 = sql.lit(2_147_483_647);

const enumerationName = (
  context: CompileContext,
  scope: Scope,
  field: string,
  names: readonly (readonly [stored: string, name: string])[],
): RawBuilder<unknown> => {
  const cases = names.map(([stored, name]) => sql`when ${sql.lit(stored)} then ${sql.lit(name)}`);
  return sql`case ${fieldValue(context, scope, field).value} ${sql.join(cases, sql` `)} end`;
};

const columnOutput = (
  context: CompileContext,
  scope: RowScope,
  { field, type, required }: FieldOutput,
): RawBuilder<unknown> => {
  const { json } = context.expressions;
  const { value, kind } = fieldValue(context, scope, field);
  const print = (): RawBuilder<unknown> => {
    if (typeof type !== 'string') return enumerationName(context, scope, field, type);
    if (type === 'Long') return json.safeInteger(value);
    return type === 'Int'
      ? json.markWhere(sql`${value} not between ${MIN_INT32} and ${MAX_INT32}`, value)
      : storedJson(context, scope, field);
  };
  if (!required) return print();
  return kind === 'json' ? json.markWhere(json.isAbsent(value), print()) : json.orMark(print());
};

const memberOutput = (
  context: CompileContext,
  scope: ItemScope,
  { field, type, required }: FieldOutput,
): RawBuilder<unknown> => {
  const { json } = context.expressions;
  if (typeof type !== 'string') {
    const name = enumerationName(context, scope, field, type);
    return required ? json.orMark(name) : name;
  }
  const member = scope.member(field);
  const printed =
    type === 'Any' ? member : json.printedMember({ json: scope.json, key: field, member }, type);
  return required ? json.markWhere(json.isAbsent(member), printed) : printed;
};

const populateOutput = (
  { expressions: { json } }: CompileContext,
  { required, connection }: PopulateOutput,
  value: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  if (connection === null) return required ? json.orMark(value) : value;
  return json.object(connection.map(([key, text]) => [key, text === null ? value : sql.lit(text)] as const));
};

/** The members of a record as GraphQL prints them, in the order of its response. */
export function outputPairs(
  context: CompileContext,
  scope: Scope,
  output: readonly RecordOutput[],
  populate: (node: string) => RawBuilder<unknown>,
): JsonPairs {
  return output.map((member) => {
    switch (member.kind) {
      case 'field':
        return [
          member.key,
          scope.kind === 'row' ? columnOutput(context, scope, member) : memberOutput(context, scope, member),
        ] as const;
      case 'text':
        return [member.key, sql.lit(member.text)] as const;
      case 'populate':
        return [member.key, populateOutput(context, member, populate(member.node))] as const;
      default:
        return assertNever(member, 'member of a record');
    }
  });
}

/** The list of an aggregating subquery, or the mark of an unprintable value if it is too long. */
export function checkedList(
  { expressions }: CompileContext,
  list: ListOutput | undefined,
  items: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const maxItems = list?.maxItems ?? null;
  return maxItems === null ? items : expressions.json.markWhere(sql`count(*) > ${sql.lit(maxItems)}`, items);
}
