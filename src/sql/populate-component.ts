import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ComponentPopulate } from '../query/query.js';
import { componentOf } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { componentJson } from './filter.js';
import { attributeOf } from './links.js';
import { itemScope } from './scope.js';
import type { Scope } from './scope.js';

/** A component or a list of them, reduced to what is selected; keys that are not stored are null. */
export function populateComponent(context: CompileContext, scope: Scope, node: ComponentPopulate): RawBuilder<unknown> {
  const attribute = attributeOf(scope.holder, node.attribute);
  if (attribute.family !== 'component') throw new TypeError(`${scope.holder.uid} ${node.attribute} holds no component`);
  const { dialect } = context;
  const holder = componentOf(context, attribute.component);
  const json = componentJson(scope, attribute);
  const print = (item: RawBuilder<unknown>): RawBuilder<unknown> => context.record(context, itemScope(dialect, scope, holder, item), node.selection);
  if (!attribute.repeatable) return sql`case when not ${dialect.jsonAbsent(json)} then ${print(json)} end`;
  const { from, item } = dialect.jsonRows(json, context.alias('j'));
  return sql`(select ${dialect.jsonArray(print(item))} from ${from})`;
}
