import { getArgumentValues, getNamedType, isNonNullType, isObjectType } from 'graphql';
import type { FieldNode, GraphQLField, GraphQLObjectType } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Permission } from '../../access/permissions/controllers.js';
import { defined } from '../../lib/defined.js';
import { deepFreeze } from '../../lib/freeze.js';
import { getOrCreate } from '../../lib/memoize.js';
import type { Page, ReadQuery, Selection } from '../../query/query.js';
import { parseStatus } from '../../query/parse-version.js';
import { parseDocumentId } from '../../query/parse-document-id.js';
import type { PlanningContext } from '../graphql-context.js';
import { plainReadOf } from '../resolvers/plain-reads.js';
import type { PlainRead } from '../resolvers/plain-reads.js';
import { withinAmountLimit } from '../resolvers/find.js';
import { requiredPermission } from '../resolvers/required-permission.js';
import { collectFields } from '../selection/collect-fields.js';
import type { FieldRequest } from '../selection/collect-fields.js';
import { TYPENAME } from '../selection/plan-output.js';
import type { Printing } from '../selection/plan-output.js';
import { pageInfoRequest, parseRootQuery, planRootSelection, readAction } from '../selection/plan-read.js';
import type { Args, RootField } from '../selection/plan-read.js';
import type { PlainOperation } from './plain-operation.js';

/** Parsed reads per root field: one for each set of arguments. */
const MAX_READS = 50;

/** Longer arguments are rarely repeated. */
const MAX_KEY_LENGTH = 1000;

/** The values of an operation's variables, coerced to their types. */
export type Variables = Readonly<Record<string, unknown>>;

/** A member of a root connection: the list of records, `pageInfo` with its members, or a text. */
export type ConnectionMember =
  | { readonly kind: 'nodes'; readonly key: string }
  | { readonly kind: 'pageInfo'; readonly key: string; readonly members: readonly FieldRequest[] }
  | { readonly kind: 'text'; readonly key: string; readonly text: string };

/** What a root field reads. */
export interface RootRead {
  readonly query: ReadQuery;
  /** The page that the client requests, which may be longer than the one that is read. */
  readonly page: Page | null;
  /** The document to read. Null: a list, or a single type. Undefined: there is no such document. */
  readonly documentId: string | null | undefined;
}

/** A root field whose statement prints its records. */
export interface RootPlan {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
  readonly read: PlainRead;
  readonly isRequired: boolean;
  readonly permission: Permission;
  /** The members of a connection, in order. */
  readonly connection: readonly ConnectionMember[];
  /** Returns what to read. Throws what is wrong with the arguments. */
  readonly readOf: (context: PlanningContext, variables: Variables) => RootRead;
}

/** The root fields of an operation, in order: what to read, or a text. */
export type OperationPlan = readonly (RootPlan | { readonly key: string; readonly text: string })[];

/** Arguments that do not change how the records are printed. */
const KNOWN_ARGUMENTS: ReadonlySet<string> = new Set([
  '_q',
  'documentId',
  'filters',
  'hasPublishedVersion',
  'locale',
  'pagination',
  'publicationFilter',
  'sort',
  'status',
]);

interface RequestedRoot {
  readonly operation: PlainOperation;
  readonly variables: Variables;
  readonly request: FieldRequest;
  readonly field: GraphQLField<unknown, unknown>;
  readonly read: PlainRead;
}

const connectionMember = (
  document: Parameters<typeof collectFields>[0],
  connection: GraphQLObjectType,
  { key, name, nodes }: FieldRequest,
): ConnectionMember | null => {
  if (name === TYPENAME) return { kind: 'text', key, text: connection.name };
  if (name === 'nodes') return { kind: 'nodes', key };
  const type = getNamedType(connection.getFields()[name]?.type);
  if (name !== 'pageInfo' || !isObjectType(type)) return null;
  return { kind: 'pageInfo', key, members: collectFields(document, type, nodes) };
};

/** A root field as the part of the operation that planning needs. */
const rootFieldOf = ({ operation, variables, request, field }: RequestedRoot): RootField => ({
  schema: operation.schema,
  fragments: operation.fragments,
  variableValues: { ...variables },
  returnType: field.type,
  fieldNodes: request.nodes,
});

/** The members of a root connection. Null: it has others, or the nodes twice. */
const connectionOf = (root: RequestedRoot): RootPlan['connection'] | null => {
  const { request, field, read } = root;
  if (read.form !== 'connection') return [];
  const connection = getNamedType(field.type);
  if (!isObjectType(connection)) return null;
  const document = rootFieldOf(root);
  const requests = collectFields(document, connection, request.nodes);
  const members = requests
    .map((each) => connectionMember(document, connection, each))
    .filter((member) => member !== null);
  const isWhole = members.length === requests.length;
  return isWhole && members.filter(({ kind }) => kind === 'nodes').length <= 1 ? members : null;
};

const argumentsOf = ({ field, request, variables }: RequestedRoot): Args =>
  getArgumentValues(field, defined(request.nodes[0], 'the node of a field'), { ...variables });

const planSelectionOf = (context: PlanningContext, root: RequestedRoot): Selection | null => {
  const { read } = root;
  const printing: Printing = { maxItems: context.dependencies.options.amountLimit, isPlain: true };
  const selection = planRootSelection({
    context,
    info: rootFieldOf(root),
    type: read.type,
    action: readAction(read.type, read.form !== 'one'),
    status: parseStatus(argumentsOf(root)['status']),
    recordsField: read.form === 'connection' ? 'nodes' : null,
    printing,
  });
  return printing.isPlain && context.faults.size === 0 ? selection : null;
};

const NO_PAGE_INFO = { withCount: false, withCursors: false } as const;

const documentIdOf = ({ type, form }: PlainRead, value: unknown): RootRead['documentId'] =>
  form !== 'one' || type.kind === 'singleType' ? null : (parseDocumentId(value) ?? undefined);

/** Returns the function that parses the arguments of a root field, each set of them once. */
const createReadOf = (root: RequestedRoot, selection: Selection): RootPlan['readOf'] => {
  const { read } = root;
  const reads = new LRUCache<string, Omit<RootRead, 'documentId'>>({ max: MAX_READS });
  const { withCount, withCursors } =
    read.form === 'connection' ? pageInfoRequest(rootFieldOf(root)) : NO_PAGE_INFO;
  const parse = (context: PlanningContext, args: Args): Omit<RootRead, 'documentId'> => {
    const list = read.form === 'one' ? null : { recordsField: null, withCount, withCursors };
    const parsed = parseRootQuery({ context, type: read.type, args, list });
    const query = { ...withinAmountLimit(parsed, context.dependencies.options), selection };
    deepFreeze<object>(query);
    return { query, page: parsed.page };
  };
  return (context, variables) => {
    const { documentId, ...args } = argumentsOf({ ...root, variables });
    const key = JSON.stringify(args);
    const isRepeatable = key.length <= MAX_KEY_LENGTH && context.rights.scopeOf === undefined;
    const found = isRepeatable ? getOrCreate(reads, key, () => parse(context, args)) : parse(context, args);
    return { documentId: documentIdOf(read, documentId), ...found };
  };
};

const planRoot = (context: PlanningContext, root: RequestedRoot): RootPlan | null => {
  const { request, field, read } = root;
  const permission = requiredPermission(field.resolve);
  const hasUnknownArgument = request.nodes.some((node) =>
    node.arguments?.some(({ name }) => !KNOWN_ARGUMENTS.has(name.value)),
  );
  const connection = connectionOf(root);
  if (permission === undefined || hasUnknownArgument || connection === null) return null;
  const selection = planSelectionOf(context, root);
  if (selection === null) return null;
  return {
    key: request.key,
    nodes: request.nodes,
    read,
    isRequired: isNonNullType(field.type),
    permission,
    connection,
    readOf: createReadOf(root, selection),
  };
};

/**
 * Plans an operation whose answer is printed by its statements. Null: some value of it is not simply what a
 * statement reads, or the caller may not see it.
 *
 * @throws what is wrong with the arguments of a field
 */
export function planOperation(
  context: PlanningContext,
  operation: PlainOperation,
  variables: Variables,
): OperationPlan | null {
  const queryType = defined(operation.schema.getQueryType(), 'the type of queries');
  const requests = collectFields({ ...operation, variableValues: { ...variables } }, queryType, [
    operation.operation,
  ]);
  const roots = requests.map((request) => {
    if (request.name === TYPENAME) return { key: request.key, text: queryType.name };
    const field = defined(queryType.getFields()[request.name], 'the field of a valid document');
    const read = plainReadOf(field);
    return read === undefined ? null : planRoot(context, { operation, variables, request, field, read });
  });
  const plan = roots.filter((root) => root !== null);
  return plan.length === roots.length ? plan : null;
}
