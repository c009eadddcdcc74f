import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { ContentModel, Uid } from '../../model/model.js';

/** Remedies for types that Strapi stores as content and Galley does not, by the prefix of the uid. */
const REMEDIES: readonly (readonly [string, string])[] = [
  ['admin::', 'There is no admin panel. Tokens, roles and users are managed by commands: cms --help'],
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

/** Calls of which a uid is the first argument: `strapi.db.query('api::article.article')`. */
const TYPE_CALL = new RegExp(
  String.raw`\bstrapi\s*\.\s*(db\s*\.\s*query|query|documents|entityService\s*\.\s*\w+)` +
    String.raw`\s*\(\s*(['"\`])([a-z-]+::[\w.-]+)\2`,
  'g',
);

/** A content-type that code names and that is not there. */
export interface UnknownTypeUse {
  readonly index: number;
  readonly reason: string;
}

/** Finds in the text of a module the content-types that {@link unknownType} would refuse. */
export function findUnknownTypes(
  model: Pick<ContentModel, 'typesByUid'>,
  text: string,
): readonly UnknownTypeUse[] {
  return [...text.matchAll(TYPE_CALL)].flatMap(({ index, 1: name = '', 3: uid = '' }) => {
    const isExpected = uid.startsWith('api::') || REMEDIES.some(([start]) => uid.startsWith(start));
    if (!isExpected || Object.hasOwn(model.typesByUid, uid)) return [];
    const { message, hint } = unknownType(model, `strapi.${name.replaceAll(/\s/g, '')}`, uid);
    return [{ index, reason: [message, hint].filter((part) => part !== undefined).join(' ') }];
  });
}
