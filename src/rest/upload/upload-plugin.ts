import multipart from '@fastify/multipart';
import type { FastifyPluginAsync, RouteHandlerMethod } from 'fastify';
import { decorateCaller, guard } from '../guard.js';
import { refuseOtherMethods } from '../other-methods.js';
import { createDeleteFileHandler } from './handle-delete-file.js';
import { createFindFileHandler } from './handle-find-file.js';
import { createListFilesHandler } from './handle-list-files.js';
import { createUploadHandler } from './handle-upload.js';
import { createServeUploadsHandler } from './serve-uploads.js';
import { UPLOAD_UID } from './upload-parts.js';
import type { UploadParts } from './upload-parts.js';
import { SERVED_UPLOADS, UPLOAD_ROUTES } from './upload-routes.js';
import type { UploadAction } from './upload-routes.js';

/** Registers the endpoints of the media library, and serves the files of the local store. */
export function createUploadPlugin(parts: UploadParts): FastifyPluginAsync {
  const { access, prefix, directory } = parts;
  const handlers: Readonly<Record<UploadAction, RouteHandlerMethod>> = {
    upload: createUploadHandler(parts),
    find: createListFilesHandler(parts),
    findOne: createFindFileHandler(parts),
    destroy: createDeleteFileHandler(parts),
  };
  return async (fastify) => {
    decorateCaller(fastify);
    await fastify.register(multipart, { throwFileSizeLimit: false });
    for (const { method, path, action } of UPLOAD_ROUTES) {
      fastify.route({ method, url: `${prefix}${path}`, onRequest: guard(access, UPLOAD_UID, action), handler: handlers[action] });
    }
    for (const path of new Set(UPLOAD_ROUTES.map((route) => route.path))) {
      refuseOtherMethods(fastify, `${prefix}${path}`, new Set(UPLOAD_ROUTES.filter((route) => route.path === path).map(({ method }) => method)));
    }
    fastify.get(`${SERVED_UPLOADS}/*`, createServeUploadsHandler(directory, SERVED_UPLOADS));
  };
}
