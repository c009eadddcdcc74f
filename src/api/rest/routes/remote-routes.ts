import { CONTENT_CONTROLLER } from '../../../access/permissions/controllers.js';
import type { Route } from './route.js';

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
