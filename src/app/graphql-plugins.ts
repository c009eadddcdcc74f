import type { FastifyPluginAsync } from 'fastify';
import type { Access } from '../access/access.js';
import type { PeopleContext } from '../access/people/people.js';
import { createRateCounter } from '../access/rate-counter.js';
import type { Config } from '../config/config.js';
import type { ChangeFeed } from '../documents/changes/change-feed.js';
import type { DocumentService } from '../documents/documents.js';
import { graphqlOptionsOf } from '../graphql/graphql-options.js';
import { createGraphqlPlugin } from '../graphql/http/graphql-plugin.js';
import type { SchemaExtension } from '../graphql/schema/switches.js';
import type { MediaLibrary } from '../media/media.js';
import type { ContentModel } from '../model/model.js';
import { toGalleyError } from '../server/to-galley-error.js';
import { loadPersistedDocuments } from './persisted-documents.js';

export interface GraphqlPluginParts {
  /** The project's folder. */
  readonly root: string;
  readonly config: Config;
  readonly model: ContentModel;
  readonly documents: DocumentService;
  readonly access: Access;
  readonly people: PeopleContext;
  readonly media: MediaLibrary;
  readonly extension: SchemaExtension;
  readonly changes: ChangeFeed;
}

/** The GraphQL endpoint, unless the project has switched it off. */
export function createGraphqlPlugins({ root, config, model, documents, access, people, media, extension, changes }: GraphqlPluginParts): readonly FastifyPluginAsync[] {
  const options = graphqlOptionsOf(config);
  if (options === null) return [];
  const { from } = options.persistedQueries;
  return [createGraphqlPlugin({
    model, documents, access, options, maxNodes: config.api.rest.maxNodes, people, media, extension, changes, tries: createRateCounter(people.database), describe: toGalleyError,
    ...(from === null ? {} : { loadPersisted: () => loadPersistedDocuments(root, from) }),
  })];
}
