import { UPLOAD_CONTROLLER } from '../../../access/permissions/controllers.js';
import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import { LOCAL_PREFIX } from '../../../media/providers/local.js';
import type { Route } from './route.js';

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
