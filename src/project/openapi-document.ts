import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createDocument } from '../api/openapi/create-document.js';
import type { DocumentOptions, OwnRoute } from '../api/openapi/create-document.js';
import { restRoutes } from '../api/rest/routes/rest-routes.js';
import { accountSettings } from '../config/account-settings.js';
import type { Project } from './open/open-project.js';

const MANIFEST = new URL('../../package.json', import.meta.url);

/** Returns the version of this package. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { readonly version: string }).version;
}

/** Describes the REST API of a project, with the routes that its own code states. */
export function createOpenapiDocument(
  { root, config, model }: Project,
  ownRoutes: readonly OwnRoute[],
): ReturnType<typeof createDocument> {
  const { prefix } = config.api.rest;
  const options: DocumentOptions = {
    model,
    routes: restRoutes({ model, prefix, accounts: accountSettings(config) }),
    ownRoutes,
    images: config.upload.transforms,
    info: { title: basename(root), version: packageVersion() },
    url: config.server.url === undefined || config.server.url === '' ? '/' : config.server.url,
  };
  return createDocument(options);
}
