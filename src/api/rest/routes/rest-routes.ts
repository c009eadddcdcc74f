import {
  COMPONENTS_CONTROLLER,
  CONTENT_CONTROLLER,
  TYPES_CONTROLLER,
  UPLOAD_CONTROLLER,
} from '../../../access/permissions/actions.js';
import type { AccountSettings } from '../../../config/account-settings.js';
import { LOCAL_PREFIX } from '../../../media/providers.js';
import { FILE_UID } from '../../../model/content-types/builtin-types.js';
import { isDisabled } from '../../../model/lookup.js';
import type { ContentModel } from '../../../model/model.js';
import { accountRoutes } from './account-routes.js';
import { contentRoutes, localeRoutes } from './content-routes.js';
import type { Route } from './route.js';

const SCHEMA_OPERATIONS = [
  {
    operation: 'getContentTypes',
    path: '/content-types',
    uid: TYPES_CONTROLLER,
    description: 'List the schemas of all content-types',
  },
  {
    operation: 'getContentType',
    path: '/content-types/:uid',
    uid: TYPES_CONTROLLER,
    description: 'Read the schema of one content-type',
  },
  {
    operation: 'getComponents',
    path: '/components',
    uid: COMPONENTS_CONTROLLER,
    description: 'List the schemas of all components',
  },
  {
    operation: 'getComponent',
    path: '/components/:uid',
    uid: COMPONENTS_CONTROLLER,
    description: 'Read the schema of one component',
  },
] as const;

export type SchemaOperation = (typeof SCHEMA_OPERATIONS)[number]['operation'];

/** Returns the endpoints from which site generators learn what content there is. */
export function schemaRoutes(prefix: string): readonly Route<SchemaOperation>[] {
  return SCHEMA_OPERATIONS.map(({ operation, path, uid, description }) => ({
    method: 'GET',
    path: `${prefix}/content-type-builder${path}`,
    contentType: null,
    operation,
    guard: { uid, action: operation },
    description,
  }));
}

const UPLOAD_OPERATIONS = [
  {
    operation: 'upload',
    method: 'POST',
    path: '/upload',
    parameters: ['id'],
    description: 'Upload files, or replace one',
  },
  { operation: 'find', method: 'GET', path: '/upload/files', description: 'List uploaded files' },
  {
    operation: 'findPage',
    method: 'GET',
    path: '/upload/files/page',
    description: 'List uploaded files by page',
  },
  { operation: 'findOne', method: 'GET', path: '/upload/files/:id', description: 'Read one uploaded file' },
  {
    operation: 'destroy',
    method: 'DELETE',
    path: '/upload/files/:id',
    description: 'Delete an uploaded file',
  },
] as const;

export type UploadOperation = (typeof UPLOAD_OPERATIONS)[number]['operation'];

/** Returns the endpoints of the media library. */
export function uploadRoutes(prefix: string): readonly Route<UploadOperation>[] {
  return UPLOAD_OPERATIONS.map(({ path, operation, ...route }) => ({
    ...route,
    operation,
    path: `${prefix}${path}`,
    contentType: FILE_UID,
    guard: { uid: UPLOAD_CONTROLLER, action: operation === 'findPage' ? 'find' : operation },
  }));
}

/** Serves the files of the local store, outside the prefix of the API. */
export const SERVE_UPLOADS: Route<'serveUploads'> = {
  method: 'GET',
  path: `${LOCAL_PREFIX}/*`,
  contentType: null,
  operation: 'serveUploads',
  guard: 'none',
  description: 'Download an uploaded file',
};

const REMOTE_OPERATIONS = [
  {
    operation: 'about',
    method: 'GET',
    path: '/about',
    action: 'find',
    description: 'Tell a remote command line what this server is, and what its token may do',
  },
  {
    operation: 'findContent',
    bodyKeys: ['type', 'params'],
    method: 'POST',
    path: '/find',
    action: 'find',
    description: 'List documents of any type, with parameters of any length',
  },
  {
    operation: 'listSchedules',
    method: 'GET',
    path: '/schedules',
    action: 'find',
    description: 'List what is to be published and unpublished',
  },
  {
    operation: 'writeContent',
    parameters: ['atomic', 'dryRun'],
    bodyKeys: ['data', 'progress'],
    method: 'POST',
    path: '/bulk',
    action: 'write',
    isBulk: true,
    description: 'Write documents of several types at once, or try whether they can be written',
  },
  {
    operation: 'findProgress',
    method: 'GET',
    path: '/progress',
    action: 'find',
    description: 'Tell how far an import has come that was interrupted',
  },
  {
    operation: 'removeProgress',
    parameters: ['key'],
    bodyKeys: [],
    method: 'DELETE',
    path: '/progress',
    action: 'write',
    description: 'Forget an import that has ended or is not to go on',
  },
  {
    operation: 'findUsages',
    parameters: ['once'],
    bodyKeys: ['data'],
    method: 'POST',
    path: '/media/usages',
    action: 'find',
    isBulk: true,
    description: 'List the documents that refer to uploaded files, by links or by their addresses',
  },
  {
    operation: 'findStrays',
    method: 'GET',
    path: '/media/strays',
    action: 'write',
    description: 'List what is stored without belonging to a file',
  },
  {
    operation: 'removeStrays',
    bodyKeys: ['data'],
    method: 'POST',
    path: '/media/strays/delete',
    action: 'write',
    isBulk: true,
    description: 'Delete what is stored without belonging to a file',
  },
  {
    operation: 'regenerateFormats',
    bodyKeys: [],
    method: 'POST',
    path: '/media/:id/regenerate',
    action: 'write',
    description: 'Make the smaller copies of an image anew',
  },
] as const;

const TRANSFER_OPERATIONS = [
  {
    operation: 'exportArchive',
    method: 'GET',
    description: 'Fetch an archive of the content, where transfers are enabled',
  },
  {
    operation: 'importArchive',
    parameters: ['parts', 'types', 'existing', 'dryRun', 'restart'],
    method: 'POST',
    description: 'Import an archive of content, where transfers are enabled',
  },
] as const;

export type RemoteOperation = (typeof REMOTE_OPERATIONS)[number]['operation'];

/** Returns the endpoints that the command line uses from elsewhere: `cms content list article --remote`. */
export function remoteRoutes(prefix: string): readonly Route<RemoteOperation>[] {
  return REMOTE_OPERATIONS.map(({ path, action, ...route }) => ({
    ...route,
    path: `${prefix}/cms${path}`,
    contentType: null,
    guard: { uid: CONTENT_CONTROLLER, action },
  }));
}

/** Returns the endpoints of transfers: `cms transfer --from production`. */
export function transferRoutes(
  prefix: string,
): readonly Route<(typeof TRANSFER_OPERATIONS)[number]['operation']>[] {
  return TRANSFER_OPERATIONS.map((route) => ({
    ...route,
    path: `${prefix}/cms/archive`,
    contentType: null,
    guard: { uid: CONTENT_CONTROLLER, action: 'transfer' },
  }));
}

/** Parameters match the same, whatever they are called. */
const patternOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  `${method} ${path.replaceAll(/:\w+/g, ':')}`;

const isOfDisabledPlugin = (model: ContentModel, { contentType, guard }: Route): boolean =>
  (contentType !== null && isDisabled(model, contentType)) ||
  (typeof guard === 'object' && isDisabled(model, guard.uid));

/**
 * Leaves out built-in routes of plugins that are switched off, and those at whose place a content-type of the
 * project has one, such as `/api/users` where the project has a type of that plural name: the project comes
 * first, as in Strapi.
 */
export function servedRoutes<T extends Route>(
  model: ContentModel,
  prefix: string,
  routes: readonly T[],
): readonly T[] {
  const taken = new Set(contentRoutes(model, prefix).map(patternOf));
  return routes.filter((route) => !taken.has(patternOf(route)) && !isOfDisabledPlugin(model, route));
}

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
