import type { FastifyPluginAsync } from 'fastify';
import { listPermissions } from '../access/permissions/list-permissions.js';
import { accountSettings } from '../config/account-settings.js';
import { servesDocs } from '../config/serves-docs.js';
import type { Database } from '../database/database.js';
import { graphqlOptionsOf } from '../api/graphql/graphql-options.js';
import { REFERENCE_PATH } from '../server/reference/reference-plugin.js';
import { restRoutes } from '../api/rest/routes/rest-routes.js';
import { createLandingPlugin } from '../server/landing/landing-plugin.js';
import type { Project } from './open-project.js';

/** Returns the plugin of the page at `/` in development; elsewhere nothing is told there. */
export function createLandingPlugins(
  { config, model }: Project,
  database: Database,
): readonly FastifyPluginAsync[] {
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
