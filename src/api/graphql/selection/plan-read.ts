import { getArgumentValues, getNamedType, isObjectType } from 'graphql';
import type { FieldNode, GraphQLObjectType, GraphQLOutputType, GraphQLResolveInfo } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Grants } from '../../../access/access.js';
import { createError } from '../../../errors/catalogue.js';
import { deepFreeze, isRecord } from '../../../lib/records.js';
import { getOrCreate, memoizeWeakly } from '../../../lib/collections.js';
import type { ContentType, VersionStatus } from '../../../model/model.js';
import { typeInScope } from '../../../query/access-scope.js';
import { accessAtStatus, fromClient } from '../../../query/read-access.js';
import { parseReadQuery, withRecordLimit } from '../../../query/parse/parse-read-query.js';
import type { ReadQuery, Selection } from '../../../query/query.js';
import { createReadContext } from '../../../query/read-context.js';
import type { QueryLimits } from '../../../query/read-context.js';
import type { ArgumentErrors, GraphqlContext, PlanningContext } from '../graphql-context.js';
import { collectFields, planSelection } from './plan-selection.js';
import type { FieldRequest } from './plan-selection.js';
import { toFilters } from './decode-input.js';

/** Maximum of plans per field of a document and grants: one for each set of variables. */
const MAX_VARIANTS = 50;

/** Longer sets of variables are rarely repeated. */
const MAX_KEY_LENGTH = 1000;

/** The read of a root field, without nested fields whose arguments are invalid. */
interface Plan {
  readonly query: ReadQuery;
  readonly argumentErrors: ArgumentErrors;
}

type Plans = LRUCache<string, Plan>;

/** The plans by field node and grants. Documents are cached by text, so equal documents share field nodes. */
const plansOf = memoizeWeakly((_field: FieldNode) =>
  memoizeWeakly((_grants: Grants): Plans => new LRUCache({ max: MAX_VARIANTS })),
);

/**
 * Returns the plan of a root field, created once per document, variables and grants. Plans of callers whose
 * permissions have conditions, and plans with large variables, are not cached.
 */
function getOrCreatePlan(
  { dependencies, caller, rights, limits, project }: GraphqlContext,
  info: GraphQLResolveInfo,
  createPlan: () => Plan,
): Plan {
  const [field] = info.fieldNodes;
  // Several selections of one field may be merged differently with the same first node.
  if (field === undefined || info.fieldNodes.length > 1 || rights.scopeOf !== undefined) return createPlan();
  const key = JSON.stringify([
    dependencies.access.locales.defaultCode(),
    limits.maxRecords,
    info.variableValues,
    project.calls.get(info.path)?.args,
  ]);
  if (key.length > MAX_KEY_LENGTH) return createPlan();
  return getOrCreate(plansOf(field)(caller.grants), key, createPlan);
}

const PAGE_INFO = 'pageInfo';

export type Args = Readonly<Record<string, unknown>>;

/**
 * Returns the arguments of the field being resolved. They are coerced again, since compiled documents of
 * Mercurius do not substitute variables inside custom scalars.
 */
export function argumentsOf(info: GraphQLResolveInfo): Args {
  const field = info.parentType.getFields()[info.fieldName];
  const [node] = info.fieldNodes;
  return field === undefined || node === undefined ? {} : getArgumentValues(field, node, info.variableValues);
}

const objectTypeOf = (type: GraphQLOutputType): GraphQLObjectType => {
  const named = getNamedType(type);
  if (!isObjectType(named))
    throw createError(
      'server/internal',
      {},
      { cause: new TypeError(`${named.name} is not an object type.`) },
    );
  return named;
};

/** The parts of a root field that planning needs. */
export type RootField = Pick<
  GraphQLResolveInfo,
  'schema' | 'fragments' | 'variableValues' | 'returnType' | 'fieldNodes'
>;

export interface RootSelectionOptions {
  readonly context: PlanningContext;
  readonly info: RootField;
  readonly type: ContentType;
  /** The action whose permission decides which attributes are shown. */
  readonly action: string;
  /** The status whose access decides about the records. Default: `published`. */
  readonly status?: VersionStatus;
  /** The subfield that holds the records (`nodes`, `data`). Null: the records are the field's value. */
  readonly recordsField: string | null;
  /** Receives errors in the arguments of nested fields. Default: the errors of the operation. */
  readonly argumentErrors?: ArgumentErrors;
}

/** Returns limits with one item more than allowed for nested lists, to detect lists that are too long. */
const nestedLimits = ({ limits, dependencies }: PlanningContext): QueryLimits => {
  const maxSize = dependencies.options.amountLimit + 1;
  return { ...limits, maxLimit: limits.maxLimit < 0 ? maxSize : Math.min(limits.maxLimit, maxSize) };
};

/** Plans the selection of a root field's records, whose number may reach the limit of a response. */
export function planRootSelection(root: RootSelectionOptions): Selection {
  return withRecordLimit(root.context.limits, planRecords(root));
}

const planRecords = ({
  context,
  info,
  type,
  action,
  status = 'published',
  recordsField,
  argumentErrors = context.argumentErrors,
}: RootSelectionOptions): Selection => {
  const readContext = createReadContext(context.dependencies.model, {
    access: accessAtStatus(context.rights, status),
    limits: nestedLimits(context),
  });
  const location = { schema: typeInScope(readContext, type.uid, action), path: '', depth: 0 };
  const object = objectTypeOf(info.returnType);
  const planContext = { document: info, read: readContext, context, argumentErrors };
  if (recordsField === null) return planSelection(planContext, location, object, info.fieldNodes);
  const nodes = requestsOf(info, object, recordsField).flatMap((request) => request.nodes);
  const item = object.getFields()[recordsField];
  if (item === undefined)
    throw createError(
      'server/internal',
      {},
      { cause: new TypeError(`${object.name} has no ${recordsField}.`) },
    );
  return planSelection(planContext, location, objectTypeOf(item.type), nodes);
};

/**
 * Returns the action whose permission determines the attributes in the response to a write: `find` for
 * callers who may find the type's documents, otherwise the action of the write.
 */
export function responseAction({ rights }: GraphqlContext, type: ContentType, writeAction: string): string {
  return rights.canFind(type.uid) ? 'find' : writeAction;
}

const requestsOf = (info: RootField, object: GraphQLObjectType, name: string): readonly FieldRequest[] =>
  collectFields(info, object, info.fieldNodes).filter((request) => request.name === name);

/** Fields of `pageInfo` that are known without counting. */
const CURSOR_FIELDS: ReadonlySet<string> = new Set([
  'startCursor',
  'endCursor',
  'hasNextPage',
  'hasPreviousPage',
]);

/** Parts of a connection, besides its records, that the operation requests. */
export interface PageInfoRequest {
  readonly isRequested: boolean;
  readonly withCount: boolean;
  readonly withCursors: boolean;
}

/** Returns the requested parts of `pageInfo`. Records are counted only if a requested field needs it. */
export function pageInfoRequest(info: RootField): PageInfoRequest {
  const connection = objectTypeOf(info.returnType);
  const nodes = requestsOf(info, connection, PAGE_INFO).flatMap((request) => request.nodes);
  const field = connection.getFields()[PAGE_INFO];
  const fields = field === undefined ? [] : collectFields(info, objectTypeOf(field.type), nodes);
  const ofCursors = fields.filter(({ name }) => CURSOR_FIELDS.has(name));
  return {
    isRequested: nodes.length > 0,
    withCount: ofCursors.length < fields.length,
    withCursors: ofCursors.length > 0,
  };
}

interface RootQueryOptions {
  readonly context: Omit<PlanningContext, 'argumentErrors'>;
  readonly type: ContentType;
  readonly args: Args;
  /** Null for a single document. */
  readonly list:
    | ({ readonly recordsField: string | null } & Pick<PageInfoRequest, 'withCount'> &
        Partial<Pick<PageInfoRequest, 'withCursors'>>)
    | null;
}

export interface RootReadOptions extends RootQueryOptions {
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
}

/**
 * Plans the read of a root field. Filters and names are checked as in every transport. Nested fields with
 * invalid arguments are omitted; their resolvers then throw.
 */
export function planRead(root: RootReadOptions): ReadQuery {
  const { query, argumentErrors } = getOrCreatePlan(root.context, root.info, () => createReadPlan(root));
  for (const [position, argumentError] of argumentErrors)
    root.context.argumentErrors.set(position, argumentError);
  return query;
}

/** Returns the pagination parameters. An empty `after` reads the start of the list and requests cursors. */
const paginationOf = (args: Args, list: RootReadOptions['list']): Readonly<Record<string, unknown>> => {
  const pagination = isRecord(args['pagination']) ? args['pagination'] : {};
  const after = (pagination['before'] ?? null) === null && list?.withCursors === true ? '' : undefined;
  return {
    ...pagination,
    after: pagination['after'] ?? after,
    withCount: list?.withCount ?? false,
  };
};

/** Returns the action whose permission a read requires. */
function readAction(type: ContentType, isList: boolean): string {
  return isList || type.kind === 'singleType' ? 'find' : 'findOne';
}

/** Parses the arguments of a root field into its query, which selects nothing yet. */
function parseRootQuery({ context, type, args, list }: RootQueryOptions): ReadQuery {
  const {
    dependencies: { model, access },
    rights,
    limits,
  } = context;
  const raw = {
    _q: args['_q'],
    filters: toFilters(model, type, args['filters']),
    sort: args['sort'],
    pagination: paginationOf(args, list),
    status: args['status'],
    locale: args['locale'],
    hasPublishedVersion: args['hasPublishedVersion'],
    publicationFilter: args['publicationFilter'],
    release: args['release'],
    fields: [],
  };
  return parseReadQuery(model, type.uid, raw, {
    limits,
    access: rights,
    action: readAction(type, list !== null),
    defaultLocale: access.locales.defaultCode(),
    paginated: list !== null,
  });
}

const createReadPlan = (root: RootReadOptions): Plan => {
  const { context, info, type, list } = root;
  const baseQuery = parseRootQuery(root);
  const action = readAction(type, list !== null);
  const recordsField = list?.recordsField ?? null;
  const argumentErrors: ArgumentErrors = new Map();
  const selection = planRootSelection({
    context,
    info,
    type,
    action,
    recordsField,
    argumentErrors,
    status: baseQuery.release === undefined ? baseQuery.status : 'draft',
  });
  const query = fromClient({ ...baseQuery, selection }, { access: context.rights, action });
  deepFreeze<object>(query);
  return { query, argumentErrors };
};
