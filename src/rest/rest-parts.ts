import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.js';
import type { PeopleContext } from '../access/people/people.js';
import type { DocumentService } from '../documents/documents.js';
import type { ContentModel } from '../model/model.js';
import type { QueryLimits } from '../query/query.js';
import type { QueryMemory } from './query-memory.js';

/** What the REST transport is built from. */
export interface RestParts {
  readonly model: ContentModel;
  readonly documents: DocumentService;
  readonly access: Access;
  /** `/api` */
  readonly prefix: string;
  readonly limits: QueryLimits;
  /** Sign-in, users and roles; absent: there are no such endpoints. */
  readonly people?: PeopleContext;
}

/** What reading handlers are built from besides. */
export interface ReadParts extends RestParts {
  readonly queries: QueryMemory;
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
