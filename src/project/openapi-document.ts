import { basename } from 'node:path';
import { createDocument } from '../api/openapi/create-document.js';
import type { DocumentOptions, CustomRoute } from '../api/openapi/create-document.js';
import { restRoutes } from '../api/rest/routes/rest-routes.js';
import { accountSettings } from '../config/account-settings.js';
import type { Project } from './open/open-project.js';
import { packageVersion } from './package-manifest.js';

/** Creates the OpenAPI document of a project, including the routes of project code. */
export function createOpenapiDocument(
  { root, config, model }: Project,
  projectRoutes: readonly CustomRoute[],
): ReturnType<typeof createDocument> {
  const { prefix } = config.api.rest;
  const options: DocumentOptions = {
    model,
    routes: restRoutes({ model, prefix, accounts: accountSettings(config) }),
    projectRoutes,
    images: config.upload.transforms,
    info: { title: basename(root), version: packageVersion() },
    url: config.server.url === undefined || config.server.url === '' ? '/' : config.server.url,
  };
  return createDocument(options);
}
