import type { FastifyPluginAsync } from 'fastify';
import type { ContentType } from '../model/model.js';
import { compileContentRoutes } from './content-routes.js';
import type { Operation } from './content-routes.js';
import { decorateCaller, guard } from './guard.js';
import { createCreateHandler } from './handlers/create.js';
import { createDeleteHandler } from './handlers/delete.js';
import { createFindOneHandler } from './handlers/find-one.js';
import { createFindHandler } from './handlers/find.js';
import { createListLocalesHandler } from './handlers/list-locales.js';
import { createUpdateSingleHandler } from './handlers/update-single.js';
import { createUpdateHandler } from './handlers/update.js';
import { refuseOtherMethods } from './other-methods.js';
import { registerPeople } from './people/register-people.js';
import { createQueryMemory } from './query-memory.js';
import type { Handler, ReadParts, RestParts } from './rest-parts.js';

const HANDLERS: Readonly<Record<Operation, (parts: ReadParts, type: ContentType) => Handler>> = {
  find: createFindHandler,
  findOne: createFindOneHandler,
  create: createCreateHandler,
  update: createUpdateHandler,
  delete: createDeleteHandler,
  findSingle: createFindOneHandler,
  updateSingle: createUpdateSingleHandler,
  deleteSingle: createDeleteHandler,
};

/** Registers the endpoints of every content-type of the model, and the list of locales. */
export function createRestPlugin(parts: RestParts): FastifyPluginAsync {
  const { model, access, prefix, people } = parts;
  return async (fastify) => {
    decorateCaller(fastify);
    const readParts: ReadParts = { ...parts, queries: createQueryMemory() };
    const methods = new Map<string, Set<string>>();
    const note = (path: string, method: string): void => {
      methods.set(path, (methods.get(path) ?? new Set<string>()).add(method));
    };
    for (const { method, path, uid, action, operation } of compileContentRoutes(model, prefix)) {
      const type = model.typesByUid[uid];
      if (type === undefined) throw new TypeError(`The model lacks ${uid}.`);
      note(path, method);
      fastify.route({ method, url: path, onRequest: guard(access, uid, action), handler: HANDLERS[operation](readParts, type) });
    }
    const locales = `${prefix}/i18n/locales`;
    note(locales, 'GET');
    fastify.route({ method: 'GET', url: locales, onRequest: guard(access, 'plugin::i18n.locales', 'listLocales'), handler: createListLocalesHandler(parts) });
    if (people !== undefined) await registerPeople(fastify, parts, people, note);
    for (const [path, allowed] of methods) refuseOtherMethods(fastify, path, allowed);
  };
}
