import {
  COMPONENTS_CONTROLLER,
  CONTENT_CONTROLLER,
  TYPES_CONTROLLER,
  UPLOAD_CONTROLLER,
  cmsPermission,
} from '../../../access/permissions/actions.js';
import { ADMINISTRATION_OPERATIONS } from '../../administration/administration.js';
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

/** Returns the endpoints from which site generators read the schemas of the content. */
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

/** The endpoint that serves the files of the local store, outside the prefix of the API. */
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
    description: 'Describe the server and the token to a remote command line',
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
    description: 'List scheduled publications and unpublications',
  },
  {
    operation: 'writeContent',
    parameters: ['atomic', 'dryRun'],
    bodyKeys: ['data', 'progress'],
    method: 'POST',
    path: '/bulk',
    action: 'write',
    isBulk: true,
    description: 'Write documents of several types, or validate them in a dry run',
  },
  {
    operation: 'findProgress',
    method: 'GET',
    path: '/progress',
    action: 'find',
    description: 'Read the progress of an interrupted import',
  },
  {
    operation: 'removeProgress',
    parameters: ['key'],
    bodyKeys: [],
    method: 'DELETE',
    path: '/progress',
    action: 'write',
    description: 'Remove the progress of an import',
  },
  {
    operation: 'findUsages',
    parameters: ['once'],
    bodyKeys: ['data'],
    method: 'POST',
    path: '/media/usages',
    action: 'find',
    isBulk: true,
    description: 'List the documents that refer to uploaded files, by link or by URL',
  },
  {
    operation: 'findStrays',
    method: 'GET',
    path: '/media/strays',
    action: 'write',
    description: 'List stored objects that belong to no file',
  },
  {
    operation: 'removeStrays',
    bodyKeys: ['data'],
    method: 'POST',
    path: '/media/strays/delete',
    action: 'write',
    isBulk: true,
    description: 'Delete stored objects that belong to no file',
  },
  {
    operation: 'regenerateFormats',
    bodyKeys: [],
    method: 'POST',
    path: '/media/:id/regenerate',
    action: 'write',
    description: 'Regenerate the smaller copies of an image',
  },
] as const;

const TRANSFER_OPERATIONS = [
  {
    operation: 'exportArchive',
    method: 'GET',
    description: 'Export an archive of the content, if transfers are enabled',
  },
  {
    operation: 'importArchive',
    parameters: ['parts', 'types', 'excludedTypes', 'existing', 'dryRun', 'restart'],
    method: 'POST',
    description: 'Import an archive of content, if transfers are enabled',
  },
] as const;

export type RemoteOperation = (typeof REMOTE_OPERATIONS)[number]['operation'];

/** Returns the endpoints that commands use on remote servers: `cms content list article --remote`. */
export function remoteRoutes(prefix: string): readonly Route<RemoteOperation>[] {
  return REMOTE_OPERATIONS.map(({ path, action, ...route }) => ({
    ...route,
    path: `${prefix}/cms${path}`,
    contentType: null,
    guard: { uid: CONTENT_CONTROLLER, action },
  }));
}

/** Returns the endpoints with which commands administer a remote server: `cms token list --remote`. */
export function administrationRoutes(prefix: string): readonly Route[] {
  return ADMINISTRATION_OPERATIONS.map(({ resource, id, path, action, description }) => ({
    method: 'POST',
    path: `${prefix}${path}`,
    contentType: null,
    operation: id,
    guard: cmsPermission(resource, action),
    description,
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

/**
 * Returns the endpoint of events, and the address of the same that no content-type with the plural name
 * `events` replaces.
 */
export function eventRoutes(prefix: string): readonly Route<'streamEvents'>[] {
  return [`${prefix}/events`, `${prefix}/cms/events`].map((path) => ({
    method: 'GET',
    path,
    contentType: null,
    operation: 'streamEvents',
    guard: 'credential',
    parameters: ['type', 'documentId', 'locale', 'status', 'tag', 'lastEventId'],
    isStream: true,
    description: 'Receive an event for each change of content',
  }));
}

/** Returns the pattern of a route, which does not depend on the names of its parameters. */
const patternOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  `${method} ${path.replaceAll(/:\w+/g, ':')}`;

const isOfDisabledPlugin = (model: ContentModel, { contentType, guard }: Route): boolean =>
  (contentType !== null && isDisabled(model, contentType)) ||
  (typeof guard === 'object' && isDisabled(model, guard.uid));

/**
 * Returns the built-in routes without those of disabled plugins, and without those that a content-type of the
 * project replaces, as in Strapi. A project type with the plural name `users` replaces `/api/users`.
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
      ...administrationRoutes(prefix),
      ...transferRoutes(prefix),
      ...eventRoutes(prefix),
      ...uploadRoutes(prefix),
      ...accountRoutes(prefix, accounts),
    ]),
    ...(isDisabled(model, FILE_UID) ? [] : [SERVE_UPLOADS]),
  ];
}
