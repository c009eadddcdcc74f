import type { AccountSettings } from '../../../config/account-settings.js';
import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import { isDisabled } from '../../../model/lookup.js';
import type { ContentModel } from '../../../model/model.js';
import { accountRoutes } from './account-routes.js';
import { contentRoutes, localeRoutes } from './content-routes.js';
import { remoteRoutes, transferRoutes } from './remote-routes.js';
import type { Route } from './route.js';
import { schemaRoutes } from './schema-routes.js';
import { servedRoutes } from './served-routes.js';
import { SERVE_UPLOADS, uploadRoutes } from './upload-routes.js';

/** Options that determine the endpoints of a project. */
export interface RestRouteOptions {
  readonly model: ContentModel;
  /** `/api` */
  readonly prefix: string;
  readonly accounts: Pick<AccountSettings, 'mode'>;
}

/** Returns every endpoint of a project's REST API. */
export function restRoutes({ model, prefix, accounts }: RestRouteOptions): readonly Route[] {
  return [
    ...contentRoutes(model, prefix),
    ...servedRoutes<Route>(model, prefix, [
      ...localeRoutes(prefix),
      ...schemaRoutes(prefix),
      ...remoteRoutes(prefix),
      ...transferRoutes(prefix),
      ...uploadRoutes(prefix),
      ...accountRoutes(prefix, accounts),
    ]),
    ...(isDisabled(model, FILE_UID) ? [] : [SERVE_UPLOADS]),
  ];
}
