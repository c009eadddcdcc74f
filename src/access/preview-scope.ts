import { createError } from '../errors/catalogue.js';
import { withoutLastSegment } from '../lib/ids.js';
import type { ContentModel } from '../model/model.js';
import { FIND_DRAFTS } from '../query/read-access.js';
import type { GrantRule, Grants, TokenRecord } from './access.js';
import { requireLocales } from './access.js';

/** Scope of a preview token: documents of some types in some locales, including drafts. */
export interface PreviewScope {
  /** Uids of types of the project. */
  readonly types: readonly string[];
  /** Codes of locales; empty for all. */
  readonly locales: readonly string[];
}

/** Prefix of locales, which are stored among the actions of a token. No action begins like this. */
const LOCALE_PREFIX = 'locale:';

const readActions = (model: ContentModel, uid: string): readonly string[] => {
  const type = model.typesByUid[uid];
  if (type?.origin !== 'project')
    throw createError('access/invalid-token', {
      reason: `The project has no type ${uid} with drafts to show.`,
      remedy: 'See: cms type list',
    });
  return (type.kind === 'singleType' ? ['find'] : ['find', 'findOne']).map((action) => `${uid}.${action}`);
};

/**
 * Returns the stored form of a scope, which is part of the actions of a token.
 *
 * @param known the codes of the configured locales
 * @throws `access/invalid-token`, `access/unknown-locale`
 */
export function printPreviewScope(
  model: ContentModel,
  { types, locales }: PreviewScope,
  known: readonly string[],
): readonly string[] {
  if (types.length === 0)
    throw createError('access/invalid-token', {
      reason: 'A preview token needs the types that it may read.',
      remedy: 'Name each with --content, such as --content article.',
    });
  requireLocales(locales, known);
  return [
    ...new Set([
      ...types.flatMap((uid) => readActions(model, uid)),
      ...locales.map((code) => `${LOCALE_PREFIX}${code}`),
    ]),
  ];
}

/** Separates the actions of a token from the locales that are stored among them. */
export function splitActions(stored: readonly string[]): Pick<TokenRecord, 'permissions' | 'locales'> {
  const locales = stored
    .filter((action) => action.startsWith(LOCALE_PREFIX))
    .map((action) => action.slice(LOCALE_PREFIX.length));
  const permissions = stored.filter((action) => !action.startsWith(LOCALE_PREFIX));
  return { permissions, ...(locales.length === 0 ? {} : { locales }) };
}

/** Returns the grants of a preview token. Types without locales are not limited by them. */
export function previewGrants(
  model: ContentModel,
  { permissions, locales }: Pick<TokenRecord, 'permissions' | 'locales'>,
): Grants {
  const rule: GrantRule = { fields: null, where: { locale: { $in: locales ?? [] } } };
  const limited =
    locales === undefined
      ? []
      : permissions.filter((action) => model.typesByUid[withoutLastSegment(action)]?.localized === true);
  const types = new Set(permissions.map(withoutLastSegment));
  return {
    kind: 'actions',
    actions: new Set([...permissions, ...[...types].map((uid) => `${uid}.${FIND_DRAFTS}`)]),
    rules: new Map(limited.map((action) => [action, rule])),
  };
}
