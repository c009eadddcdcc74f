import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { JsonPairs, SqlJson } from '../../database/dialect/json-expressions.js';
import { assertNever } from '../../lib/assert-never.js';
import type { PopulateNode, Selection } from '../query.js';
import { enterBranch, spendOnRecord } from './budget.js';
import type { CompileContext } from './compile-context.js';
import { fieldJson } from './fields.js';
import { populateComponent } from './populate-component.js';
import { populateLink } from './populate-link.js';
import { populateLocalizations } from './populate-localizations.js';
import { populateMorph } from './populate-morph.js';
import { populateReferrers } from './populate-referrers.js';
import { populateZone } from './populate-zone.js';
import type { ItemScope, Scope } from './scope.js';

const compilePopulate = (context: CompileContext, scope: Scope, node: PopulateNode): RawBuilder<SqlJson> => {
  switch (node.kind) {
    case 'link':
      return populateLink(context, scope, node);
    case 'morph':
      return populateMorph(context, scope, node);
    case 'component':
      return populateComponent(context, scope, node);
    case 'zone':
      return populateZone(context, scope, node);
    case 'referrers':
      return populateReferrers(context, scope, node);
    case 'localizations':
      return populateLocalizations(context, scope, node);
    default:
      return assertNever(node, 'populate node');
  }
};

/** The names by which a record is known, which come first in it. */
const identityOf = (scope: Scope, { asInput }: Selection): readonly string[] => {
  if (asInput === 'content') return [];
  if (scope.kind === 'item') return ['id'];
  return asInput === 'link' ? ['documentId'] : ['id', 'documentId'];
};

const pairsOf = (context: CompileContext, scope: Scope, selection: Selection): JsonPairs => {
  const { fields, populate } = selection;
  const populated = (node: PopulateNode): RawBuilder<SqlJson> =>
    compilePopulate(enterBranch(context, node.attribute), scope, node);
  return [
    ...[...identityOf(scope, selection), ...fields].map(
      (name) => [name, fieldJson(context, scope, name)] as const,
    ),
    ...populate.map((node) => [node.key, populated(node)] as const),
  ];
};

const itemRecord = (
  context: CompileContext,
  scope: ItemScope,
  selection: Selection,
  leading: JsonPairs,
): RawBuilder<SqlJson> => {
  const { expressions } = context;
  const keys = [
    ...identityOf(scope, selection),
    ...selection.fields,
    ...selection.populate.map(({ attribute }) => attribute),
  ];
  const { from, member } = expressions.json.members(scope.json, keys, context.nextAlias('c'));
  const object = expressions.json.object([...leading, ...pairsOf(context, { ...scope, member }, selection)]);
  return from === null ? object : sql`(select ${object} from ${from})`;
};

/**
 * Compiles the JSON of one record: its ids, the selected fields and what is populated, and nothing else; or
 * what can be written again of it.
 *
 * @param leading keys that come before all others
 */
export function compileRecord(
  context: CompileContext,
  scope: Scope,
  selection: Selection,
  leading: JsonPairs = [],
): RawBuilder<SqlJson> {
  if (scope.kind === 'item') return itemRecord(context, scope, selection, leading);
  if (selection.asInput === 'link' && leading.length === 0) return fieldJson(context, scope, 'documentId');
  const record = context.expressions.json.object([...leading, ...pairsOf(context, scope, selection)]);
  return spendOnRecord(context, scope, selection, record);
}
