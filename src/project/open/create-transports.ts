import { basename } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { listPermissions } from '../../access/permissions/role-permissions.js';
import { graphqlOptionsOf } from '../../api/graphql/graphql-options.js';
import type { SchemaExtension } from '../../api/graphql/schema/type-registry.js';
import { createResponseCache } from '../../api/http/response-cache.js';
import type { ResponseCache } from '../../api/http/response-cache.js';
import type { CustomRoute } from '../../api/openapi/create-document.js';
import { createRestPlugin } from '../../api/rest/rest-plugin.js';
import { restRoutes } from '../../api/rest/routes/rest-routes.js';
import { createTransferPlugin } from '../../api/rest/transfer-plugin.js';
import { createUploadPlugin } from '../../api/rest/upload/upload-plugin.js';
import { accountSettings } from '../../config/account-settings.js';
import { servesDocs } from '../../config/config.js';
import type { Database } from '../../database/database.js';
import { createImportProgress } from '../../documents/documents.js';
import { createDocumentHistory } from '../../documents/versions/document-history.js';
import { MEGABYTE } from '../../lib/units.js';
import { createLandingPlugin } from '../../server/landing-plugin.js';
import { REFERENCE_PATH, createReferencePlugin } from '../../server/reference/reference-plugin.js';
import { createMetricsPlugin } from '../../server/telemetry/metrics.js';
import { administrationContext } from './administration-context.js';
import { createTransfers } from '../archives/serve-transfers.js';
import { createDryRun, isCaching } from './open-services.js';
import type { AppServices } from './open-services.js';
import { createGraphqlPlugins } from './graphql-plugins.js';
import type { Project } from './open-project.js';
import { createOpenapiDocument } from '../openapi-document.js';
import { packageVersion } from '../package-manifest.js';

/** Returns the plugin of the API reference, if the project enables it. */
function createReferencePlugins(
  project: Project,
  projectRoutes: () => readonly CustomRoute[],
): readonly FastifyPluginAsync[] {
  const { config, root } = project;
  if (!servesDocs(config)) return [];
  return [
    createReferencePlugin({
      prefix: config.api.rest.prefix,
      title: basename(root),
      createDocument: () => createOpenapiDocument(project, projectRoutes()),
    }),
  ];
}

/** Returns the plugin of the page at `/`, which exists only in development. */
function createLandingPlugins({ config, model }: Project, database: Database): readonly FastifyPluginAsync[] {
  if (config.environment !== 'development') return [];
  const graphql = graphqlOptionsOf(config);
  const { prefix } = config.api.rest;
  return [
    createLandingPlugin({
      model,
      prefix,
      routes: restRoutes({ model, prefix, accounts: accountSettings(config) }),
      graphql: graphql === null ? null : { path: graphql.endpoint, hasPlayground: graphql.playground },
      reference: servesDocs(config) ? REFERENCE_PATH : null,
      permissions: () => listPermissions({ database, model }),
    }),
  ];
}

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

/** The maximum size of the body of a bulk request, as a multiple of that of one document. */
const BULK_BODY_FACTOR = 16;

/**
 * Creates the plugins that serve requests: REST, uploads, GraphQL, and the pages for developers.
 *
 * @param projectRoutes returns the routes of project code
 */
export function createTransports(
  services: AppServices,
  extension: SchemaExtension,
  projectRoutes: () => readonly CustomRoute[],
): readonly FastifyPluginAsync[] {
  const { opened, access, documents, media, accounts, changes } = services;
  const { config, definitions, model, root } = opened.project;
  const { prefix, maxBulk, strictParams, ...limits } = config.api.rest;
  const { directory, sizeLimit, maxFiles, transforms } = config.upload;
  const bulkBodyLimit = BULK_BODY_FACTOR * config.server.bodyLimit;
  const { database } = opened;
  const history = createDocumentHistory({ database, model, documents, locales: access.locales });
  const rest = { model, documents, history, access, prefix, limits, maxBulk, bulkBodyLimit };
  const cache = createCache(services);
  return [
    createRestPlugin({
      ...rest,
      strictParams,
      definitions,
      remote: {
        version: packageVersion(),
        dryRun: createDryRun(services),
        media,
        progress: createImportProgress(services.opened.context.database),
        administration: administrationContext(opened, async (work) => work(accounts.context)),
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
    ...createReferencePlugins(opened.project, projectRoutes),
    ...(config.metrics && services.metrics ? [createMetricsPlugin(config.metrics, services.metrics)] : []),
    ...createLandingPlugins(opened.project, opened.database),
  ];
}
