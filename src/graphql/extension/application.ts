import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config/config.js';
import type { ContentModel, ContentType, Uid } from '../../model/model.js';
import type { GraphqlExtensionService } from './extension-service.js';
import type { TypeDocuments } from './type-documents.js';

/** The running project, as its own GraphQL code knows it. */
export interface Application {
  readonly config: Config;
  readonly model: ContentModel;
  readonly log: FastifyBaseLogger;
  /** The document service of one type, with the server's own rights: whoever asks is not asked for permissions. */
  readonly documents: (uid: Uid) => TypeDocuments;
  readonly contentType: (uid: Uid) => ContentType | undefined;
  readonly contentTypes: Readonly<Record<Uid, ContentType>>;
  /** `plugin('graphql').service('extension')`, where code written for the peer looks for the extension service. */
  readonly plugin: (name: string) => { readonly service: (name: string) => GraphqlExtensionService };
}

/** What code is handed that may work with the application; both names mean the same. */
export interface WithApplication {
  readonly app: Application;
  /** As `app`, under the name that code written for the peer uses. */
  readonly strapi: Application;
}
