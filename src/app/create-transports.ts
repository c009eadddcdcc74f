import type { FastifyPluginAsync } from 'fastify';
import { createImportProgress } from '../documents/import-progress.js';
import { createRunTransaction } from '../content-store/document-store.js';
import { createAnswerMemory } from '../documents/answers/answer-memory.js';
import type { AnswerMemory } from '../documents/answers/answer-memory.js';
import { createDocumentService } from '../documents/create-document-service.js';
import { createDocumentHistory } from '../history/document-history.js';
import type { SchemaExtension } from '../graphql/schema/switches.js';
import type { Shortcuts } from '../http/shortcuts.js';
import type { OwnRoute } from '../openapi/create-document.js';
import { createRestPlugin } from '../rest/rest-plugin.js';
import type { TryOut } from '../rest/rest-dependencies.js';
import { createTransferPlugin } from '../rest/remote/transfer-plugin.js';
import { createUploadPlugin } from '../rest/upload/upload-plugin.js';
import { createMetricsPlugin } from '../server/metrics-plugin.js';
import { createGraphqlPlugins } from './graphql/graphql-plugins.js';
import { createLandingPlugins } from './landing-plugins.js';
import { isRemembering } from './open-services.js';
import type { AppServices } from './open-services.js';
import { packageVersion } from './package-version.js';
import { createReferencePlugins } from './reference-plugins.js';
import { createTransfers } from './archives/serve-transfers.js';

const MEGABYTE = 1024 * 1024;

const createAnswers = ({ opened, metrics, revisions, hooks }: AppServices): AnswerMemory | undefined => {
  const { config, model } = opened.project;
  const { megabytes, remembersDrafts } = config.api.memory;
  if (!isRemembering(opened.project, revisions)) return undefined;
  const answers = createAnswerMemory({
    model,
    revisions,
    maxBytes: megabytes * MEGABYTE,
    remembersDrafts,
    hasMiddleware: hooks.wrapsReads,
  });
  return metrics?.measureAnswers(answers) ?? answers;
};

/** How much larger than that of one document the body of a bulk may be. */
const BULK_BODY_FACTOR = 16;

/** Tries writes out without the project's own code, which may do more than write. */
const createTryOut = ({ opened, access }: AppServices): TryOut => {
  const { database, project } = opened;
  const documents = createDocumentService({ database, model: project.model, locales: access.locales });
  const run = createRunTransaction(database);
  return (work) => run(() => work(documents), { isDryRun: true });
};

interface TransportOptions {
  readonly sendsText: () => boolean;
  readonly shortcuts: Shortcuts;
  /** Lists the routes that the project's code states. */
  readonly ownRoutes: () => readonly OwnRoute[];
}

/** Creates what answers requests: REST, uploads, GraphQL, and the pages for developers. */
export function createTransports(
  services: AppServices,
  extension: SchemaExtension,
  { sendsText, shortcuts, ownRoutes }: TransportOptions,
): readonly FastifyPluginAsync[] {
  const { opened, access, documents, media, accounts, changes, hooks } = services;
  const { config, definitions, model, root } = opened.project;
  const { prefix, maxBulk, ...limits } = config.api.rest;
  const { directory, sizeLimit, maxFiles, transforms } = config.upload;
  const bulkBodyLimit = BULK_BODY_FACTOR * config.server.bodyLimit;
  const { database } = opened;
  const history = createDocumentHistory({ database, model, documents, locales: access.locales });
  const rest = { model, documents, history, access, prefix, limits, maxBulk, bulkBodyLimit };
  const answers = createAnswers(services);
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
      sendsText,
      shortcuts,
      hasMiddleware: hooks.wrapsReads,
      ...(answers === undefined ? {} : { answers }),
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
      hooks,
      answers,
      shortcuts,
      sendsText,
    }),
    ...createReferencePlugins(opened.project, ownRoutes),
    ...(config.metrics && services.metrics ? [createMetricsPlugin(config.metrics, services.metrics)] : []),
    ...createLandingPlugins(opened.project, opened.database),
  ];
}
