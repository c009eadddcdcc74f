import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { assertNever } from '../lib/assert-never.js';
import type { PopulateNode, Selection } from '../query/query.js';
import type { CompileContext, JsonPairList } from './compile-context.js';
import { fieldJson } from './fields.js';
import { populateComponent } from './populate-component.js';
import { populateLink } from './populate-link.js';
import { populateLocalizations } from './populate-localizations.js';
import { populateMorph } from './populate-morph.js';
import { populateReferrers } from './populate-referrers.js';
import { populateZone } from './populate-zone.js';
import type { ItemScope, Scope } from './scope.js';

const populated = (context: CompileContext, scope: Scope, node: PopulateNode): RawBuilder<unknown> => {
  switch (node.kind) {
    case 'link': return populateLink(context, scope, node);
    case 'morph': return populateMorph(context, scope, node);
    case 'component': return populateComponent(context, scope, node);
    case 'zone': return populateZone(context, scope, node);
    case 'referrers': return populateReferrers(context, scope, node);
    case 'localizations': return populateLocalizations(context, scope, node);
    default: return assertNever(node, 'populate node');
  }
};

const pairsOf = (context: CompileContext, scope: Scope, { fields, populate }: Selection): JsonPairList => {
  const identity = scope.kind === 'row' ? ['id', 'documentId'] : ['id'];
  return [
    ...[...identity, ...fields].map((name) => [name, fieldJson(context, scope, name)] as const),
    ...populate.map((node) => [node.key, populated(context, scope, node)] as const),
  ];
};

const itemRecord = (context: CompileContext, scope: ItemScope, selection: Selection, leading: JsonPairList): RawBuilder<unknown> => {
  const { dialect } = context;
  const keys = ['id', ...selection.fields, ...selection.populate.map(({ attribute }) => attribute)];
  const { from, member } = dialect.jsonMembers(scope.json, keys, context.alias('c'));
  const object = dialect.jsonObject([...leading, ...pairsOf(context, { ...scope, member }, selection)]);
  return from === null ? object : sql`(select ${object} from ${from})`;
};

/**
 * The JSON of one record: its identity, the selected fields and what is populated. Nothing else, so that what is private stays where it is.
 *
 * @param leading keys that come before all others
 */
export function compileRecord(context: CompileContext, scope: Scope, selection: Selection, leading: JsonPairList = []): RawBuilder<unknown> {
  if (scope.kind === 'item') return itemRecord(context, scope, selection, leading);
  return context.dialect.jsonObject([...leading, ...pairsOf(context, scope, selection)]);
}
