import type { FastifyPluginAsync } from 'fastify';
import type { Access } from '../../access/access.js';
import type { AccountContext } from '../../access/accounts/account-context.js';
import type { Config } from '../../config/config.js';
import type { ChangeFeed } from '../../documents/changes/change-feed.js';
import type { DocumentService } from '../../documents/documents.js';
import type { DocumentHistory } from '../../documents/versions/document-history.js';
import { graphqlOptionsOf } from '../../api/graphql/graphql-options.js';
import { createGraphqlPlugin } from '../../api/graphql/http/graphql-plugin.js';
import type { SchemaExtension } from '../../api/graphql/schema/switches.js';
import type { ResponseCache } from '../../api/http/response-cache.js';
import type { MediaLibrary } from '../../media/media.js';
import type { ContentModel } from '../../model/model.js';
import { parseJsonBody } from '../../api/rest/parse-json-body.js';
import { toGalleyError } from '../../server/to-galley-error.js';
import { loadPersistedDocuments } from './persisted-documents.js';

export interface GraphqlPluginDependencies {
  /** The project's folder. */
  readonly root: string;
  readonly config: Config;
  readonly model: ContentModel;
  readonly documents: DocumentService;
  readonly history: DocumentHistory;
  readonly access: Access;
  readonly accounts: AccountContext;
  readonly media: MediaLibrary;
  readonly extension: SchemaExtension;
  readonly changes: ChangeFeed;
  readonly cache: ResponseCache | undefined;
}

/** Returns the plugin of the GraphQL endpoint, or no plugin if the project has switched the endpoint off. */
export function createGraphqlPlugins({
  root,
  config,
  model,
  documents,
  history,
  access,
  accounts,
  media,
  extension,
  changes,
  cache,
}: GraphqlPluginDependencies): readonly FastifyPluginAsync[] {
  const options = graphqlOptionsOf(config);
  if (options === null) return [];
  const { from } = options.persistedQueries;
  return [
    createGraphqlPlugin({
      model,
      documents,
      history,
      access,
      options,
      maxNodes: config.api.rest.maxNodes,
      maxBulk: config.api.rest.maxBulk,
      accounts,
      media,
      extension,
      changes,
      ...(cache === undefined ? {} : { cache }),
      parseBody: parseJsonBody,
      toGalleyError: toGalleyError,
      ...(from === null ? {} : { loadPersisted: () => loadPersistedDocuments(root, from) }),
    }),
  ];
}
