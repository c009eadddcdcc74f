import type { FastifyPluginAsync } from 'fastify';
import { createAnswerMemory } from '../documents/answers/answer-memory.js';
import type { AnswerMemory } from '../documents/answers/answer-memory.js';
import type { SchemaExtension } from '../graphql/schema/switches.js';
import type { Shortcuts } from '../http/shortcuts.js';
import { createRestPlugin } from '../rest/rest-plugin.js';
import { createUploadPlugin } from '../rest/upload/upload-plugin.js';
import { createGraphqlPlugins } from './graphql-plugins.js';
import { createLandingPlugins } from './landing-plugins.js';
import { isRemembering } from './open-services.js';
import type { AppServices } from './open-services.js';

const MEGABYTE = 1024 * 1024;

const createAnswers = ({ opened, revisions, hooks }: AppServices): AnswerMemory | undefined => {
  const { config, model } = opened.project;
  const { megabytes, remembersDrafts } = config.api.memory;
  if (!isRemembering(opened.project, revisions)) return undefined;
  return createAnswerMemory({
    model,
    revisions,
    maxBytes: megabytes * MEGABYTE,
    remembersDrafts,
    hasMiddleware: hooks.wrapsReads,
  });
};

/** How much larger than that of one document the body of a bulk may be. */
const BULK_BODY_FACTOR = 16;

/** Creates what answers requests: REST, uploads, GraphQL and the page at `/`. */
export function createTransports(
  services: AppServices,
  extension: SchemaExtension,
  { sendsText, shortcuts }: { readonly sendsText: () => boolean; readonly shortcuts: Shortcuts },
): readonly FastifyPluginAsync[] {
  const { opened, access, documents, media, accounts, changes, hooks } = services;
  const { config, definitions, model, root } = opened.project;
  const { prefix, maxBulk, ...limits } = config.api.rest;
  const { directory, sizeLimit, maxFiles } = config.upload;
  const bulkBodyLimit = BULK_BODY_FACTOR * config.server.bodyLimit;
  const rest = { model, documents, access, prefix, limits, maxBulk, bulkBodyLimit };
  const answers = createAnswers(services);
  return [
    createRestPlugin({
      ...rest,
      definitions,
      accounts: accounts.context,
      sendsText,
      shortcuts,
      hasMiddleware: hooks.wrapsReads,
      ...(answers === undefined ? {} : { answers }),
    }),
    createUploadPlugin({ ...rest, media, directory, sizeLimit, maxFiles }),
    ...createGraphqlPlugins({
      root,
      config,
      model,
      documents,
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
    ...createLandingPlugins(opened.project, opened.database),
  ];
}
