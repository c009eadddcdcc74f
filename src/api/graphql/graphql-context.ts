import type { DocumentNode, FieldNode } from 'graphql';
import type { Access, Caller } from '../../access/access.js';
import type { AccountContext } from '../../access/accounts/account-context.js';
import type { ChangeFeed } from '../../documents/changes/change-feed.js';
import type { DocumentService } from '../../documents/documents.js';
import type { DocumentHistory } from '../../documents/versions/document-history.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { LazySignal } from '../../lib/resources.js';
import type { MediaLibrary } from '../../media/media.js';
import type { ContentModel } from '../../model/model.js';
import type { ReadQuery } from '../../query/query.js';
import type { ReadAccess } from '../../query/read-access.js';
import type { QueryLimits } from '../../query/read-params.js';
import type { ResponseCache } from '../http/response-cache.js';
import type { GraphqlOptions } from './graphql-options.js';
import type { ProjectContext } from './project-context.js';
import type { SchemaExtension } from './schema/type-registry.js';
import type { Delivery } from './subscriptions/delivery.js';

/** Errors in the arguments of fields, by the position of the field in the document. */
export type ArgumentErrors = Map<number, GalleyError>;

/** The codes of errors in the arguments of one field. All others concern the whole request. */
const ARGUMENT_ERROR_CODES: readonly string[] = ['request/invalid-parameter', 'request/mixed-pagination'];

const positionOf = (node: FieldNode | undefined): number => node?.loc?.start ?? -1;

/** Returns the result of `parse`. If the arguments are invalid, records the error and returns null. */
export function recordArgumentError<T>(
  argumentErrors: ArgumentErrors,
  node: FieldNode,
  parse: () => T,
): T | null {
  try {
    return parse();
  } catch (error) {
    if (!isGalleyError(error) || !ARGUMENT_ERROR_CODES.includes(error.code)) throw error;
    argumentErrors.set(positionOf(node), error);
    return null;
  }
}

/** Returns the error in the arguments of the field, if there is one. */
export function argumentErrorOf(
  argumentErrors: ArgumentErrors,
  node: FieldNode | undefined,
): GalleyError | undefined {
  return argumentErrors.get(positionOf(node));
}

/** The services the GraphQL transport is built from. */
export interface GraphqlDependencies {
  readonly model: ContentModel;
  readonly documents: DocumentService;
  /** Service for the fields of published versions. */
  readonly history?: DocumentHistory;
  readonly access: Access;
  readonly options: GraphqlOptions;
  /** Limit on the populated attributes, filter conditions and sort keys of one root field. */
  readonly maxNodes: number;
  /** Maximum number of items in one bulk mutation. */
  readonly maxBulk: number;
  readonly accounts: AccountContext;
  readonly media: MediaLibrary;
  /** Parses the JSON body of a request. Throws errors of the catalogue. */
  readonly parseBody: (text: string) => unknown;
  /** Converts any thrown value to an error of the catalogue. */
  readonly toGalleyError: (error: unknown, headers?: unknown) => GalleyError;
  /** Notifies subscriptions of writes. Absent: no subscriptions. */
  readonly changes?: ChangeFeed;
  /** Loads the project's persisted documents (`persistedQueries.from`) by hash or name. Absent: none. */
  readonly loadPersisted?: () => Promise<ReadonlyMap<string, string>>;
  /** Cache of responses. Absent: every response is read from the database. */
  readonly cache?: ResponseCache;
  /** The project's additions to the schema. Absent: none. */
  readonly extension?: SchemaExtension;
}

/** Timing of one field, in the format of the tracing extension. Times are in nanoseconds. */
interface ResolverTrace {
  readonly path: readonly (string | number)[];
  readonly parentType: string;
  readonly fieldName: string;
  readonly returnType: string;
  readonly startOffset: number;
  readonly duration: number;
}

/** The part of the context that planning a read depends on. */
export type PlanningContext = Pick<GraphqlContext, 'dependencies' | 'rights' | 'limits' | 'argumentErrors'>;

/** The context that resolvers get. One per operation. */
export interface GraphqlContext extends ProjectContext {
  readonly dependencies: GraphqlDependencies;
  readonly limits: QueryLimits;
  readonly caller: Caller;
  /** Returns the signal that aborts a query when its client disconnects. Undefined in a mutation. */
  readonly signal: () => LazySignal | undefined;
  /** The reads of generated root fields, in the order in which they begin. */
  readonly reads: ReadQuery[];
  /** The client's IP address. */
  readonly ip: string;
  /** The caller's rights to documents, also over relations. */
  readonly rights: ReadAccess;
  /**
   * Adds to the number of records in root lists.
   *
   * @throws `graphql/too-many-items` when the request exceeds `amountLimit`
   */
  readonly chargeItems: (count: number) => void;
  /** @throws `graphql/too-many-items` if a nested list is longer than `amountLimit` */
  readonly assertListSize: (count: number) => void;
  /** Errors in the arguments of nested fields, which the plan omits. Their resolvers throw them. */
  readonly argumentErrors: ArgumentErrors;
  /** The event a subscription delivers. Null for queries and mutations. */
  readonly delivery: Delivery | null;
  /** Called after validation and before execution. Throws to reject the operation. */
  readonly beforeRun: (document: DocumentNode, variables: Readonly<Record<string, unknown>>) => void;
  /** Null unless tracing is on. */
  readonly trace: { readonly startedAt: bigint; readonly resolvers: ResolverTrace[] } | null;
}
