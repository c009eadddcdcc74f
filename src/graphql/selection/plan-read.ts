import { getArgumentValues, getNamedType, isObjectType } from 'graphql';
import type { GraphQLObjectType, GraphQLOutputType, GraphQLResolveInfo } from 'graphql';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { ContentType } from '../../model/model.js';
import { coveredType } from '../../query/coverage.js';
import { parseReadQuery } from '../../query/parse-read-query.js';
import type { QueryLimits, ReadQuery, Selection } from '../../query/query.js';
import { createReadContext } from '../../query/read-context.js';
import { deepFreeze } from '../../lib/freeze.js';
import type { GraphqlContext, ListWindow } from '../graphql-parts.js';
import { collectFields } from './collect-fields.js';
import type { FieldRequest } from './collect-fields.js';
import { rememberPlan } from './plan-cache.js';
import type { Plan } from './plan-cache.js';
import { planSelection } from './plan-selection.js';
import { toFilters } from './to-filters.js';

export type Args = Readonly<Record<string, unknown>>;

/** The arguments of the field that is resolved; read anew, since a compiled query does not fill variables into scalars of our own. */
export function argumentsOf(info: GraphQLResolveInfo): Args {
  const field = info.parentType.getFields()[info.fieldName];
  const [node] = info.fieldNodes;
  return field === undefined || node === undefined ? {} : getArgumentValues(field, node, info.variableValues);
}

const objectOf = (type: GraphQLOutputType): GraphQLObjectType => {
  const named = getNamedType(type);
  if (!isObjectType(named)) throw fail('server/internal', {}, { cause: new TypeError(`${named.name} is no object type.`) });
  return named;
};

interface Planned {
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
  readonly type: ContentType;
}

export interface RootPlanning extends Planned {
  /** The action whose limits hold for what is shown. */
  readonly action: string;
  /** The field under which the records stand (`nodes`); null: they are the root field's own value. */
  readonly under: string | null;
}

/** Of a list within others one item more than may be answered is read, which tells that it is too long. */
const nestedLimits = ({ limits, parts }: GraphqlContext): QueryLimits => {
  const most = parts.options.amountLimit + 1;
  return { ...limits, maxLimit: limits.maxLimit < 0 ? most : Math.min(limits.maxLimit, most) };
};

/** What the operation asks for of the records of its root field. */
export function planRoot({ context, info, type, action, under }: RootPlanning): Selection {
  const read = createReadContext(context.parts.model, { access: context.rights, limits: nestedLimits(context) });
  const place = { holder: coveredType(read, type.uid, action), path: '', depth: 0 };
  const object = objectOf(info.returnType);
  const planning = { document: info, read, context };
  if (under === null) return planSelection(planning, place, object, info.fieldNodes);
  const nodes = requestsOf(info, object, under).flatMap((request) => request.nodes);
  const item = object.getFields()[under];
  if (item === undefined) throw fail('server/internal', {}, { cause: new TypeError(`${object.name} has no ${under}.`) });
  return planSelection(planning, place, objectOf(item.type), nodes);
}

/** The action whose limits hold for what a write answers: whoever may find documents sees of it what finding shows. */
export function shownAction({ rights }: GraphqlContext, type: ContentType, written: string): string {
  return rights.canFind(type.uid) ? 'find' : written;
}

const requestsOf = (info: GraphQLResolveInfo, object: GraphQLObjectType, name: string): readonly FieldRequest[] =>
  collectFields(info, object, info.fieldNodes).filter((request) => request.name === name);

/** Whether a connection's `pageInfo` is asked for; without it nothing is counted. */
export function wantsPageInfo(info: GraphQLResolveInfo): boolean {
  return requestsOf(info, objectOf(info.returnType), 'pageInfo').length > 0;
}

export interface RootRead extends Planned {
  readonly args: Args;
  /** Null: one document. */
  readonly list: { readonly under: string | null; readonly withCount: boolean } | null;
}

/** The one read that answers a root field, checked like any other. */
export function planRead(root: RootRead): ReadQuery {
  const { query, windows } = rememberPlan(root.context, root.info, () => makePlan(root));
  for (const [place, window] of windows) root.context.windows.set(place, window);
  return query;
}

const makePlan = ({ context, info, type, args, list }: RootRead): Plan => {
  const { parts: { model, access }, rights, limits } = context;
  const pagination = isRecord(args['pagination']) ? args['pagination'] : {};
  const action = list !== null || type.kind === 'singleType' ? 'find' : 'findOne';
  const raw = {
    filters: toFilters(model, type, args['filters']),
    sort: args['sort'],
    pagination: { ...pagination, withCount: list?.withCount ?? false },
    status: args['status'],
    locale: args['locale'],
    hasPublishedVersion: args['hasPublishedVersion'],
    publicationFilter: args['publicationFilter'],
    fields: [],
  };
  const read = parseReadQuery(model, type.uid, raw, { limits, access: rights, action, defaultLocale: access.locales.defaultCode(), paginated: list !== null });
  const windows = new Map<number, ListWindow>();
  const query = { ...read, selection: planRoot({ context: { ...context, windows }, info, type, action, under: list?.under ?? null }) };
  deepFreeze<object>(query);
  return { query, windows };
};
