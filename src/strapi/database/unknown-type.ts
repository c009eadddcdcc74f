import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { ContentModel, Uid } from '../../model/model.js';

/** What Strapi keeps as content and Galley otherwise, by the beginning of the uid, with the way to it. */
const REMEDIES: readonly (readonly [string, string])[] = [
  ['admin::api-token', 'There is no admin panel. API tokens are managed by commands: cms token --help'],
  ['admin::', 'There is no admin panel. Tokens, roles and users are managed by commands: cms --help'],
  ['strapi::core-store', 'Read and write stored values with strapi.store({ type, name, key }).'],
  ['strapi::webhook', 'Use strapi.webhookStore, or cms webhook --help.'],
  ['plugin::upload.folder', 'The media library has no folders here; leave the folder of a file out.'],
];

/** The error for a content-type that is not there. `call` is what asked for it, such as `strapi.db.query`. */
export function unknownType(model: Pick<ContentModel, 'typesByUid'>, call: string, uid: Uid): GalleyError {
  const [, remedy] = REMEDIES.find(([start]) => uid.startsWith(start)) ?? [];
  if (remedy !== undefined)
    return createError('strapi/unavailable-call', { call: `${call}('${uid}')`, remedy });
  return createError('project/unknown-content-type', {
    uid,
    allowed: Object.keys(model.typesByUid).join(', '),
  });
}
