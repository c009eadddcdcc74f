import type { DocumentNode, GraphQLResolveInfo } from 'graphql';
import type { Access, Caller } from '../access/access.js';
import type { PeopleContext } from '../access/people/people.js';
import type { RateCounter } from '../access/rate-counter.js';
import type { ChangeFeed } from '../documents/changes/change-feed.js';
import type { DocumentService } from '../documents/documents.js';
import type { GalleyError } from '../errors/galley-error.js';
import type { MediaLibrary } from '../media/media.js';
import type { ContentModel } from '../model/model.js';
import type { QueryLimits, ReadAccess } from '../query/query.js';
import type { GraphqlOptions } from './graphql-options.js';
import type { ProjectContext } from './project-context.js';
import type { Delivery } from './subscriptions/delivery.js';
import type { SchemaExtension } from './schema/switches.js';

/** Does what one mutation of a plugin asks for, whose caller may do it; answers a value of the mutation's type. */
export type Service = (call: ServiceCall) => Promise<unknown>;

export interface ServiceCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
}

/** What the GraphQL transport is built from. */
export interface GraphqlParts {
  /** Counts tries to sign in, for all processes together. */
  readonly tries: RateCounter;
  readonly model: ContentModel;
  readonly documents: DocumentService;
  readonly access: Access;
  readonly options: GraphqlOptions;
  /** Most things one root field may populate, filter and sort by. */
  readonly maxNodes: number;
  readonly people: PeopleContext;
  readonly media: MediaLibrary;
  /** Whatever was thrown, as an error of the catalogue. */
  readonly describe: (error: unknown, headers?: unknown) => GalleyError;
  /** What is written, for subscriptions; absent: there are none. */
  readonly changes?: ChangeFeed;
  /** Reads the project's own documents (`persistedQueries.from`), by hash and by name; absent: it has none. */
  readonly loadPersisted?: () => Promise<ReadonlyMap<string, string>>;
  /** What the project adds to the schema; absent: nothing. */
  readonly extension?: SchemaExtension;
}

/** Narrows the value of a list that is no list of documents: items of a repeatable component, versions in other languages. */
export type ListWindow = (items: readonly unknown[]) => readonly unknown[];

/** One field's time, as the tracing extension reports it. */
export interface ResolverTrace {
  readonly path: readonly (string | number)[];
  readonly parentType: string;
  readonly fieldName: string;
  readonly returnType: string;
  readonly startOffset: number;
  readonly duration: number;
}

/** What resolvers are given: one per operation. */
export interface GraphqlContext extends ProjectContext {
  readonly parts: GraphqlParts;
  readonly limits: QueryLimits;
  readonly caller: Caller;
  /** Address the request came from. */
  readonly ip: string;
  /** What the caller may look at over relations. */
  readonly rights: ReadAccess;
  /** By the place of the field in the document. */
  readonly windows: Map<number, ListWindow>;
  /** Counts records of root lists; throws `graphql/too-many-items` when the request's are more than `amountLimit`. */
  readonly spendItems: (count: number) => void;
  /** Throws `graphql/too-many-items` for a list within others that is longer than `amountLimit`. */
  readonly allowList: (count: number) => void;
  /** What a subscription is told of; null: the operation is none. */
  readonly delivery: Delivery | null;
  /** Asked once the document is known to be valid, and before anything of it runs; throws to refuse it. */
  readonly beforeRun: (document: DocumentNode, variables: Readonly<Record<string, unknown>>) => void;
  /** Null where times are not asked for. */
  readonly trace: { readonly startedAt: bigint; readonly resolvers: ResolverTrace[] } | null;
}
