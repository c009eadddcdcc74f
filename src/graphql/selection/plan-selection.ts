import { getArgumentValues, getNamedType, isObjectType, isUnionType } from 'graphql';
import type { FieldNode, GraphQLField, GraphQLObjectType, GraphQLOutputType } from 'graphql';
import type { Attribute } from '../../model/model.js';
import { coveredType } from '../../query/coverage.js';
import { isContentType, readableAttribute, selectableFields } from '../../query/holder-fields.js';
import { parseFields } from '../../query/parse-fields.js';
import { parsePopulateEntry } from '../../query/parse-populate.js';
import type { PopulateNode, Selection } from '../../query/query.js';
import { descend, locate } from '../../query/read-context.js';
import type { Place, ReadContext } from '../../query/read-context.js';
import type { GraphqlContext } from '../graphql-parts.js';
import { fieldSourcesOf, populateKeyOf } from '../holder-fields.js';
import type { FieldSource } from '../holder-fields.js';
import { isProjectField, needsRecord } from '../schema/field-marks.js';
import { holderOf } from '../schema/type-book.js';
import { collectFields } from './collect-fields.js';
import type { Document, FieldRequest } from './collect-fields.js';
import { planWindow } from './plan-window.js';
import { toFilters } from './to-filters.js';

/** What planning one root field works with. */
export interface Planning {
  readonly document: Document;
  readonly read: ReadContext;
  readonly context: GraphqlContext;
}

interface Populated {
  readonly request: FieldRequest;
  readonly source: Extract<FieldSource, { readonly kind: 'populate' }>;
  readonly field: GraphQLField<unknown, unknown>;
  /** Arguments in the place of the document's. */
  readonly args?: Args | undefined;
}

type Args = Readonly<Record<string, unknown>>;

/**
 * What is answered of a record of that type, from the selections of the document: scalars as fields, everything else as populate nodes, checked by the
 * query parser like those of any transport. What the caller may not find is left out, and its resolver says so; attributes that the caller's right
 * does not cover are refused like unknown ones.
 */
export function planSelection(planning: Planning, place: Place, type: GraphQLObjectType, nodes: readonly FieldNode[]): Selection {
  const sources = fieldSourcesOf(holderOf(type) ?? place.holder);
  const names: string[] = [];
  const populated: Populated[] = [];
  for (const request of collectFields(planning.document, type, nodes)) {
    const source = sources.get(request.name);
    const field = type.getFields()[request.name];
    if (field !== undefined && needsRecord(field)) names.push(...selectableFields(place.holder));
    if (field !== undefined && isProjectField(field)) continue;
    if (source?.kind === 'scalar') names.push(source.attribute);
    else if (source?.kind === 'populate' && field !== undefined) populated.push({ request, source, field });
  }
  return {
    fields: parseFields(locate(place, 'fields'), [...new Set(names)]),
    populate: populated.flatMap((entry) => planPopulate(planning, place, entry) ?? []),
  };
}

/** The node of one populated field; null where the caller may not find what it shows. */
export function planPopulate(planning: Planning, place: Place, { request, source, field, args: given }: Populated): PopulateNode | null {
  const [first] = request.nodes;
  if (first === undefined) return null;
  const attribute = readableAttribute(place.holder, source.attribute);
  const args = source.form === 'one' ? {} : given ?? getArgumentValues(field, first, planning.document.variableValues);
  const options = givenOf(planning, attribute, source, args);
  const key = populateKeyOf(source.attribute, request.key);
  const node = parsePopulateEntry(planning.read, place, { attribute: source.attribute, key, options: { given: options, below: new Map() } });
  if (node === null) return null;
  const children = source.form === 'connection' ? nodesOf(planning.document, field.type, request.nodes) : request.nodes;
  const filled = fill({ planning, place, type: field.type, children }, node);
  return source.form === 'one' ? filled : planWindow(planning, { node: filled, holder: place.holder, first, args });
}

/** The options the query parser reads: scalars come with the selection. */
const givenOf = ({ context }: Planning, attribute: Attribute | null, { form }: Populated['source'], args: Args): Args => {
  if (attribute?.family === 'dynamiczone' || (attribute?.family === 'relation' && attribute.target === null)) return {};
  if (form === 'one' || (attribute?.family !== 'relation' && attribute?.family !== 'media')) return { fields: [] };
  const target = attribute.target === null ? undefined : context.parts.model.typesByUid[attribute.target];
  return { fields: [], sort: args['sort'], pagination: args['pagination'] ?? {}, filters: target === undefined ? undefined : toFilters(context.parts.model, target, args['filters']) };
};

/** What stands under `nodes` of a connection. */
const nodesOf = (document: Document, type: GraphQLOutputType, parents: readonly FieldNode[]): readonly FieldNode[] => {
  const connection = getNamedType(type);
  if (!isObjectType(connection)) return [];
  return collectFields(document, connection, parents).filter(({ name }) => name === 'nodes').flatMap(({ nodes }) => nodes);
};

interface Filling {
  readonly planning: Planning;
  readonly place: Place;
  readonly type: GraphQLOutputType;
  readonly children: readonly FieldNode[];
}

/** The object types that a field may answer with; of a connection those of its nodes. */
const objectsOf = (type: GraphQLOutputType): readonly GraphQLObjectType[] => {
  const named = getNamedType(type);
  if (isUnionType(named)) return named.getTypes();
  if (!isObjectType(named)) return [];
  const items = holderOf(named) === undefined ? named.getFields()['nodes'] : undefined;
  return items === undefined ? [named] : objectsOf(items.type);
};

const selectionOf = (filling: Filling, attribute: string, object: GraphQLObjectType): Selection => {
  const { planning, place } = filling;
  const shown = holderOf(object) ?? place.holder;
  const holder = isContentType(shown) ? coveredType(planning.read, shown.uid) : shown;
  return planSelection(planning, descend(place, attribute, { holder, limit: planning.read.limits.populateDepth }), object, filling.children);
};

/** The node with what is selected of what it populates. */
const fill = (filling: Filling, node: PopulateNode): PopulateNode => {
  const objects = objectsOf(filling.type);
  if (node.kind === 'zone' || node.kind === 'morph' || node.kind === 'referrers') {
    const selections = objects.flatMap((object) => {
      const uid = holderOf(object)?.uid;
      return uid === undefined || !Object.hasOwn(node.on, uid) ? [] : [[uid, selectionOf(filling, node.attribute, object)] as const];
    });
    return { ...node, on: Object.fromEntries(selections) };
  }
  const [object] = objects;
  return object === undefined ? node : { ...node, selection: selectionOf(filling, node.attribute, object) };
};
