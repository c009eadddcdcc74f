import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.js';
import type { AccountContext } from '../access/accounts/account-context.js';
import type { Definitions } from '../content-types/definition.js';
import type { SharedGrantsId } from '../access/shared-grants.js';
import type { AnswerMemory } from '../documents/answers/answer-memory.js';
import type { ImportProgressStore } from '../documents/import-progress.js';
import type { DocumentService } from '../documents/documents.js';
import type { DocumentHistory } from '../history/document-history.js';
import type { Shortcuts } from '../http/shortcuts.js';
import type { MediaMaintenance } from '../media/media.js';
import type { ContentModel, Uid } from '../model/model.js';
import type { QueryLimits } from '../query/read-params.js';
import type { QueryCache } from './query-cache.js';

/** Runs writes of a document service without the project's own code, and takes all of them back. */
export type TryOut = <T>(work: (documents: DocumentService) => Promise<T>) => Promise<T>;

/** What the endpoints for command lines elsewhere need. */
export interface RemoteDependencies {
  /** Of this package. */
  readonly version: string;
  readonly tryOut: TryOut;
  readonly media: MediaMaintenance;
  readonly progress: ImportProgressStore;
}

/** What the REST transport is built from. */
export interface RestDependencies {
  readonly model: ContentModel;
  readonly documents: DocumentService;
  /** What the endpoints of published versions need. */
  readonly history?: DocumentHistory;
  readonly access: Access;
  /** `/api` */
  readonly prefix: string;
  readonly limits: QueryLimits;
  /** The most items of one bulk. */
  readonly maxBulk: number;
  /** Bytes of the body of a bulk. Default: as of any other request. */
  readonly bulkBodyLimit?: number;
  /** The schemas that clients may read; without them these endpoints do not exist. */
  readonly definitions?: Pick<Definitions, 'types' | 'components'>;
  /** For command lines elsewhere; without it these endpoints do not exist. */
  readonly remote?: RemoteDependencies;
  /** Accounts, users and roles; without it these endpoints do not exist. */
  readonly accounts?: AccountContext;
  /** Without it, every answer is read from the database. */
  readonly answers?: AnswerMemory;
  /** Learns how answers are sent. */
  readonly shortcuts?: Shortcuts;
  /** Whether project code wraps reads of a type. Default: of any. */
  readonly hasMiddleware?: (type: Uid) => boolean;
  /** Whether project code has hooks that see the text of responses. */
  readonly sendsText?: () => boolean;
}

/** What reading handlers are built from. */
export interface ReadDependencies extends RestDependencies {
  readonly queries: QueryCache;
  readonly grantsId: SharedGrantsId;
}

/** Sends the response to a request whose caller has the required permission. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | void> | void;

/** Handlers by the names of their operations. */
export type Handlers = Readonly<Record<string, Handler>>;
