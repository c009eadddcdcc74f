import type { FastifyPluginAsync } from 'fastify';
import { createImportProgress } from '../documents/import-progress.js';
import { createRunTransaction } from '../transfer/store/document-store.js';
import { createDocumentService } from '../documents/create-document-service.js';
import { createDocumentHistory } from '../documents/versions/document-history.js';
import type { SchemaExtension } from '../api/graphql/schema/switches.js';
import { createResponseCache } from '../api/http/response-cache.js';
import type { ResponseCache } from '../api/http/response-cache.js';
import type { OwnRoute } from '../api/openapi/create-document.js';
import { createRestPlugin } from '../api/rest/rest-plugin.js';
import type { TryOut } from '../api/rest/rest-dependencies.js';
import { createTransferPlugin } from '../api/rest/remote/transfer-plugin.js';
import { createUploadPlugin } from '../api/rest/upload/upload-plugin.js';
import { createMetricsPlugin } from '../server/metrics-plugin.js';
import { createGraphqlPlugins } from './graphql/graphql-plugins.js';
import { createLandingPlugins } from './landing-plugins.js';
import { isCaching } from './open-services.js';
import type { AppServices } from './open-services.js';
import { packageVersion } from './package-version.js';
import { createReferencePlugins } from './reference-plugins.js';
import { createTransfers } from './archives/serve-transfers.js';

const MEGABYTE = 1024 * 1024;

const createCache = ({
  opened,
  access,
  metrics,
  revisions,
  hooks,
}: AppServices): ResponseCache | undefined => {
  const { config, model } = opened.project;
  const { megabytes, cachesDrafts } = config.api.cache;
  if (!isCaching(opened.project, revisions)) return undefined;
  const onLookUp = metrics?.measureCache(() => cache.bytes());
  const cache: ResponseCache = createResponseCache({
    model,
    locales: access.locales,
    revisions,
    maxBytes: megabytes * MEGABYTE,
    cachesDrafts,
    hasMiddleware: hooks.wrapsReads,
    ...(onLookUp === undefined ? {} : { onLookUp }),
  });
  return cache;
};

/** The factor by which the body of a bulk request may be larger than that of one document. */
const BULK_BODY_FACTOR = 16;

/** Creates the dry run of writes. Project code, which may do more than write, does not run. */
const createTryOut = ({ opened, access }: AppServices): TryOut => {
  const { database, project } = opened;
  const documents = createDocumentService({ database, model: project.model, locales: access.locales });
  const run = createRunTransaction(database);
  return (work) => run(() => work(documents), { isDryRun: true });
};

/**
 * Creates what answers requests: REST, uploads, GraphQL, and the pages for developers.
 *
 * @param ownRoutes lists the routes of the project's code
 */
export function createTransports(
  services: AppServices,
  extension: SchemaExtension,
  ownRoutes: () => readonly OwnRoute[],
): readonly FastifyPluginAsync[] {
  const { opened, access, documents, media, accounts, changes } = services;
  const { config, definitions, model, root } = opened.project;
  const { prefix, maxBulk, ...limits } = config.api.rest;
  const { directory, sizeLimit, maxFiles, transforms } = config.upload;
  const bulkBodyLimit = BULK_BODY_FACTOR * config.server.bodyLimit;
  const { database } = opened;
  const history = createDocumentHistory({ database, model, documents, locales: access.locales });
  const rest = { model, documents, history, access, prefix, limits, maxBulk, bulkBodyLimit };
  const cache = createCache(services);
  return [
    createRestPlugin({
      ...rest,
      definitions,
      remote: {
        version: packageVersion(),
        tryOut: createTryOut(services),
        media,
        progress: createImportProgress(services.opened.context.database),
      },
      accounts: accounts.context,
      ...(cache === undefined ? {} : { cache }),
    }),
    createTransferPlugin(rest, createTransfers(services)),
    createUploadPlugin({ ...rest, media, directory, sizeLimit, maxFiles, transforms }),
    ...createGraphqlPlugins({
      root,
      config,
      model,
      documents,
      history,
      access,
      accounts: accounts.context,
      media,
      extension,
      changes,
      cache,
    }),
    ...createReferencePlugins(opened.project, ownRoutes),
    ...(config.metrics && services.metrics ? [createMetricsPlugin(config.metrics, services.metrics)] : []),
    ...createLandingPlugins(opened.project, opened.database),
  ];
}
