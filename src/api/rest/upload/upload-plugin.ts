import multipart from '@fastify/multipart';
import type { FastifyPluginAsync } from 'fastify';
import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import { isDisabled } from '../../../model/lookup.js';
import { LOCAL_PREFIX } from '../../../media/providers/local.js';
import { decorateCaller } from '../guard.js';
import { registerRoutes } from '../register-routes.js';
import type { Handler } from '../rest-dependencies.js';
import { SERVE_UPLOADS, uploadRoutes } from '../routes/upload-routes.js';
import { servedRoutes } from '../routes/served-routes.js';
import type { UploadOperation } from '../routes/upload-routes.js';
import {
  createDeleteFileHandler,
  createFilePageHandler,
  createFindFileHandler,
  createListFilesHandler,
} from './file-handlers.js';
import { createServeUploadsHandler } from './serve-uploads.js';
import type { UploadDependencies } from './upload-dependencies.js';
import { createUploadHandler } from './upload-handler.js';

/** Creates the plugin of the media library, which also serves the files of the local store. */
export function createUploadPlugin(dependencies: UploadDependencies): FastifyPluginAsync {
  const { access, model, prefix } = dependencies;
  const handlers: Readonly<Record<UploadOperation, Handler>> = {
    upload: createUploadHandler(dependencies),
    find: createListFilesHandler(dependencies),
    findPage: createFilePageHandler(dependencies),
    findOne: createFindFileHandler(dependencies),
    destroy: createDeleteFileHandler(dependencies),
  };
  return async (fastify) => {
    decorateCaller(fastify);
    await fastify.register(multipart, { throwFileSizeLimit: false });
    registerRoutes(
      fastify,
      { access },
      servedRoutes(model, prefix, uploadRoutes(prefix)).map((route) => ({
        route,
        handler: handlers[route.operation],
      })),
    );
    if (!isDisabled(model, FILE_UID))
      fastify.get(SERVE_UPLOADS.path, createServeUploadsHandler(dependencies, LOCAL_PREFIX));
  };
}
