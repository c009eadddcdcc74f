import type { Access } from '../access/access.js';
import type { AccountContext } from '../access/accounts/account-context.js';
import type { Config } from '../config/config.js';
import type { Definitions } from '../model/content-types/definition.js';
import type { ModuleLoader } from '../config/module-loader.js';
import type { ReadObjects } from '../database/dialect/read-objects.js';
import type { Database } from '../database/database.js';
import type { ChangeFeed } from '../documents/changes/change-feed.js';
import type { WebhookRegistry } from '../api/webhooks/webhook-registry.js';
import type { DocumentService } from '../documents/documents.js';
import type { VersionStore } from '../documents/operations/version-store.js';
import type { DocumentHooks } from '../documents/hooks.js';
import type { ProjectDocuments } from '../documents/repository/project-documents.js';
import type { GraphqlExtensionService } from '../api/graphql/extension/configuration.js';
import type { MediaLibrary } from '../media/media.js';
import type { ContentModel } from '../model/model.js';
import type { Logger } from '../server/logger.js';
import type { ProjectCode } from './code/load-project-code.js';
import type { StrapiConfiguration } from './configuration/strapi-configuration.js';
import type { Registries } from './registry.js';
import type { Strapi } from './strapi.js';

/** The parts of a project that exist before its services are open. */
export interface ProjectParts {
  readonly root: string;
  readonly config: Config;
  readonly definitions: Definitions;
  readonly model: ContentModel;
  readonly log: Logger;
}

/** The open services that the properties of `strapi` are made of. */
interface ServiceParts {
  readonly database: Database;
  readonly access: Access;
  readonly accounts: AccountContext;
  readonly documents: DocumentService;
  readonly versions: VersionStore;
  readonly objects: ReadObjects;
  readonly hooks: DocumentHooks;
  readonly media: MediaLibrary;
  readonly changes: ChangeFeed;
  readonly webhooks: WebhookRegistry;
}

/** The dependencies that the parts of `strapi` share. */
export interface StrapiContext extends ProjectParts, ServiceParts {
  readonly projectDocuments: ProjectDocuments;
  readonly graphql: GraphqlExtensionService;
  readonly registries: Registries;
  readonly configuration: StrapiConfiguration;
  readonly code: ProjectCode;
  readonly loader: ModuleLoader;
  readonly strapi: Strapi;
}
