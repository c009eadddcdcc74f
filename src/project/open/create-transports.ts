import { basename, extname, join, relative } from 'node:path';
import { readFile, readdir, stat } from 'node:fs/promises';
import type { FastifyPluginAsync } from 'fastify';
import { listPermissions } from '../../access/permissions/role-permissions.js';
import { graphqlOptionsOf } from '../../api/graphql/graphql-options.js';
import type { SchemaExtension } from '../../api/graphql/schema/type-registry.js';
import { createCacheHeaders } from '../../api/http/cache-headers.js';
import type { CacheHeaders } from '../../api/http/cache-headers.js';
import { createResponseCache } from '../../api/http/response-cache.js';
import type { ResponseCache } from '../../api/http/response-cache.js';
import type { CustomRoute } from '../../api/openapi/create-document.js';
import { createRestPlugin } from '../../api/rest/rest-plugin.js';
import { restRoutes } from '../../api/rest/routes/rest-routes.js';
import { createTransferPlugin } from '../../api/rest/transfer-plugin.js';
import { createEventPlugin } from '../../api/rest/event-plugin.js';
import { createUploadPlugin } from '../../api/rest/upload/upload-plugin.js';
import { accountSettings } from '../../config/account-settings.js';
import { servesDocs } from '../../config/config.js';
import type { Config } from '../../config/config.js';
import type { Database } from '../../database/database.js';
import { createLiveEvents } from '../../documents/changes/live-events.js';
import { createImportProgress } from '../../documents/documents.js';
import type { DocumentService } from '../../documents/documents.js';
import { createDocumentHistory } from '../../documents/versions/document-history.js';
import type { DocumentHistory } from '../../documents/versions/document-history.js';
import { MEGABYTE } from '../../lib/units.js';
import { createLandingPlugin } from '../../server/landing-plugin.js';
import { REFERENCE_PATH, createReferencePlugin } from '../../server/reference/reference-plugin.js';
import { createMetricsPlugin } from '../../server/telemetry/metrics.js';
import type { Access } from '../../access/access.js';
import type { AccountContext } from '../../access/accounts/account-context.js';
import { createGraphqlPlugin } from '../../api/graphql/http/graphql-plugin.js';
import { parseJsonBody } from '../../api/rest/parse-json-body.js';
import type { ChangeFeed } from '../../documents/changes/change-feed.js';
import { createError } from '../../errors/catalogue.js';
import { sha256Hex } from '../../lib/ids.js';
import { isRecord } from '../../lib/records.js';
import type { MediaLibrary } from '../../media/media.js';
import type { ContentModel } from '../../model/model.js';
import { toGalleyError } from '../../server/request-errors.js';
import { administrationContext } from './administration-context.js';
import { createTransfers } from '../archives/serve-transfers.js';
import { createDryRun, isCaching } from './open-services.js';
import type { AppServices } from './open-services.js';
import type { Project } from './open-project.js';
import { createOpenapiDocument } from '../openapi-document.js';
import { packageVersion } from '../package-manifest.js';

type NamedDocuments = readonly (readonly [name: string, text: string])[];

const GRAPHQL_EXTENSIONS = ['.graphql', '.gql'];

const persistedDocumentsError = (file: string, reason: string, cause?: unknown): Error =>
  createError('graphql/invalid-persisted-queries', { file, reason }, { cause });

const parseJson = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw persistedDocumentsError(file, 'it is not valid JSON', error);
  }
};

/** Parses `{hash: document}` or Apollo's manifest `{operations: [{id, body}]}`. */
const parseManifest = (file: string, text: string): NamedDocuments => {
  const value = parseJson(file, text);
  const operations: unknown = isRecord(value) ? value['operations'] : undefined;
  const entries = Array.isArray(operations)
    ? operations.map((item: unknown): readonly unknown[] =>
        isRecord(item) ? [item['id'], item['body']] : [],
      )
    : Object.entries(isRecord(value) ? value : {});
  return entries.map(([name, document]) => {
    if (typeof name !== 'string' || typeof document !== 'string')
      throw persistedDocumentsError(
        file,
        'every entry must be the text of a document, with its hash or name as the key',
      );
    return [name, document];
  });
};

const loadDocumentFile = async (root: string, path: string): Promise<NamedDocuments> => {
  const file = relative(root, path);
  const text = await readFile(path, 'utf8');
  if (extname(path) === '.json') return parseManifest(file, text);
  if (!GRAPHQL_EXTENSIONS.includes(extname(path)))
    throw persistedDocumentsError(file, 'it is neither a .graphql nor a .json file');
  // Files usually end with a line break, which clients do not send, so both forms get a hash.
  return [
    [basename(path, extname(path)), text],
    [sha256Hex(text.trim()), text],
  ];
};

const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && [...GRAPHQL_EXTENSIONS, '.json'].includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
};

/**
 * Loads the persisted GraphQL documents of a project. Each one is listed twice: by its SHA-256 hash and by
 * its name. The name is the file name without extension, or the key in a .json file.
 *
 * @param from file or folder, relative to the project's root
 * @throws `graphql/invalid-persisted-queries`
 */
export async function loadPersistedDocuments(
  root: string,
  from: string,
): Promise<ReadonlyMap<string, string>> {
  const path = join(root, from);
  const stats = await stat(path).catch((error: unknown) => {
    throw persistedDocumentsError(from, 'the file or folder does not exist', error);
  });
  const files = stats.isDirectory() ? await filesIn(path) : [path];
  const documents = (await Promise.all(files.map((file) => loadDocumentFile(root, file)))).flat();
  return new Map(
    documents.flatMap(([name, text]) => [
      [name, text],
      [sha256Hex(text), text],
    ]),
  );
}

interface GraphqlPluginDependencies {
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
  readonly cacheHeaders: CacheHeaders | undefined;
}

/** Returns the plugin of the GraphQL endpoint, or no plugin if the project disables the endpoint. */
function createGraphqlPlugins({
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
  cacheHeaders,
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
      cacheHeaders,
      parseBody: parseJsonBody,
      toGalleyError: toGalleyError,
      ...(from === null ? {} : { loadPersisted: () => loadPersistedDocuments(root, from) }),
    }),
  ];
}

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
  const cacheHeaders = createCacheHeaders({
    model,
    settings: config.cache,
    locales: () => access.locales.all().map(({ code }) => code),
    wrapsReads: services.hooks.wrapsReads,
  });
  const dryRun = createDryRun(services);
  return [
    createRestPlugin({
      ...rest,
      strictParams,
      definitions,
      remote: {
        version: packageVersion(),
        dryRun,
        media,
        progress: createImportProgress(services.opened.context.database),
        administration: administrationContext(opened, {
          withUsers: async (work) => work(accounts.context),
          withTrash: (mode, work) =>
            mode === 'dryRun' ? dryRun((run) => work(run.trash)) : work(documents.trash),
          withDocuments: async (work) => work({ database, documents }),
        }),
      },
      accounts: accounts.context,
      wrapsReads: services.hooks.wrapsReads,
      cacheHeaders,
      ...(cache === undefined ? {} : { cache }),
    }),
    createTransferPlugin(rest, createTransfers(services)),
    createEventPlugin({
      ...rest,
      open: createLiveEvents({
        changes,
        model,
        documents,
        wrapsReads: services.hooks.wrapsReads,
        announceSiteChanges: services.webhooks.announceSiteChanges,
      }),
      limits: config.events,
      toGalleyError,
    }),
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
      cacheHeaders,
    }),
    ...createReferencePlugins(opened.project, projectRoutes),
    ...(config.metrics && services.metrics ? [createMetricsPlugin(config.metrics, services.metrics)] : []),
    ...createLandingPlugins(opened.project, opened.database),
  ];
}
