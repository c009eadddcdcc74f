import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../../access/access.js';
import type { AccountContext } from '../../access/accounts/account-context.js';
import type { Definitions } from '../../model/content-types/definition.js';
import type { DocumentService, DryRunner, ImportProgressStore } from '../../documents/documents.js';
import type { DocumentHistory } from '../../documents/versions/document-history.js';
import type { AdministrationContext } from '../administration/operation.js';
import type { ResponseCache } from '../http/response-cache.js';
import type { MediaMaintenance } from '../../media/media.js';
import type { ContentModel } from '../../model/model.js';
import type { QueryLimits } from '../../query/read-params.js';
import type { QueryCache } from './parse-query-string.js';

/** Dependencies of the endpoints for remote commands. */
export interface RemoteDependencies {
  /** The version of this package. */
  readonly version: string;
  readonly dryRun: DryRunner;
  readonly media: MediaMaintenance;
  readonly progress: ImportProgressStore;
  readonly administration: Omit<AdministrationContext, 'grants'>;
}

/** Dependencies of the REST transport. */
export interface RestDependencies {
  readonly model: ContentModel;
  readonly documents: DocumentService;
  /** Service for the endpoints of published versions. */
  readonly history?: DocumentHistory;
  readonly access: Access;
  /** `/api` */
  readonly prefix: string;
  readonly limits: QueryLimits;
  /** Maximum number of items in one bulk request. */
  readonly maxBulk: number;
  /** Maximum bytes of the body of a bulk request. Default: the limit of other requests. */
  readonly bulkBodyLimit?: number;
  /** True: reads reject unknown parameters. Default: they ignore them, as in Strapi. */
  readonly strictParams?: boolean;
  /** The schemas that clients may read. Absent: their endpoints do not exist. */
  readonly definitions?: Pick<Definitions, 'types' | 'components'>;
  /** Dependencies of the endpoints for remote commands. Absent: these endpoints do not exist. */
  readonly remote?: RemoteDependencies;
  /** Users, roles and signing in. Absent: these endpoints do not exist. */
  readonly accounts?: AccountContext;
  /** Cache of responses. Absent: every response is read from the database. */
  readonly cache?: ResponseCache;
}

/** Dependencies of handlers that read. */
export interface ReadDependencies extends RestDependencies {
  readonly queries: QueryCache;
}

/** Sends the response to a request whose caller has the required permission. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Handlers by the names of their operations. */
export type Handlers = Readonly<Record<string, Handler>>;
