import { createError } from '../errors/catalogue.js';
import { withoutLastSegment } from '../lib/ids.js';
import type { ContentModel } from '../model/model.js';
import { FIND_DRAFTS } from '../query/read-access.js';
import type { GrantRule, Grants, TokenRecord } from './access.js';
import { requireLocales } from './access.js';
import { UNLIMITED, isDraftLimited, isLimited, normaliseRule, toGrantRule } from './permissions/rules.js';
import type { PermissionRule } from './permissions/rules.js';

/** Scope of a preview token: documents of some types in some locales, including drafts. */
export interface PreviewScope {
  /** Uids of types of the project. */
  readonly types: readonly string[];
  /** Codes of locales; empty for all. */
  readonly locales: readonly string[];
}

/** Limits of all actions of a custom token. */
export interface TokenLimits {
  /** Codes of locales; empty for all. Types without locales are not limited. */
  readonly locales: readonly string[];
  /** `draft`: the token writes no published versions. */
  readonly status: 'draft' | undefined;
}

/** Prefix of locales, which are stored among the actions of a token. No action begins like this. */
const LOCALE_PREFIX = 'locale:';

/** The limit to drafts, stored among the actions of a token. */
const DRAFTS_ONLY = 'status:draft';

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

/** Returns the part of a custom token's limits that applies to an action. */
export function tokenRule(
  model: ContentModel,
  action: string,
  { locales, status }: Pick<TokenRecord, 'locales' | 'status'>,
): PermissionRule {
  const type = model.typesByUid[withoutLastSegment(action)];
  return {
    ...UNLIMITED,
    ...(locales === undefined || type?.localized !== true ? {} : { locales }),
    ...(status === undefined || type?.draftAndPublish !== true || !isDraftLimited(action) ? {} : { status }),
  };
}

/**
 * Returns the stored form of the limits of a custom token, which are part of its actions.
 *
 * @param known the codes of the configured locales
 * @throws `access/invalid-token` if a limit applies to none of the actions, `access/unknown-locale`,
 *   `access/invalid-permission-rule`
 */
export function printTokenLimits(
  model: ContentModel,
  permissions: readonly string[],
  { locales, status }: TokenLimits,
  known: readonly string[],
): readonly string[] {
  requireLocales(locales, known);
  const limits = {
    ...(locales.length === 0 ? {} : { locales }),
    ...(status === undefined ? {} : { status }),
  };
  const rules = permissions.map((action) => normaliseRule(model, action, tokenRule(model, action, limits)));
  const unused = (['locales', 'status'] as const).find(
    (name) => Object.hasOwn(limits, name) && rules.every((rule) => rule[name] === undefined),
  );
  if (unused !== undefined)
    throw createError('access/invalid-token', {
      reason: `No permission of the token can be limited by ${unused}.`,
      remedy: 'Locales limit types with locales. The status limits create, update and delete.',
    });
  return [
    ...new Set(locales.map((code) => `${LOCALE_PREFIX}${code}`)),
    ...(status === undefined ? [] : [DRAFTS_ONLY]),
  ];
}

/** Separates the actions of a token from the locales and the limit to drafts that are stored among them. */
export function splitActions(
  stored: readonly string[],
): Pick<TokenRecord, 'permissions' | 'locales' | 'status'> {
  const locales = stored
    .filter((action) => action.startsWith(LOCALE_PREFIX))
    .map((action) => action.slice(LOCALE_PREFIX.length));
  const permissions = stored.filter((action) => !action.startsWith(LOCALE_PREFIX) && action !== DRAFTS_ONLY);
  return {
    permissions,
    ...(locales.length === 0 ? {} : { locales }),
    ...(stored.includes(DRAFTS_ONLY) ? { status: 'draft' } : {}),
  };
}

/** Returns the grants of a custom token. */
export function customGrants(model: ContentModel, token: TokenRecord): Grants {
  const rules = token.permissions.map((action) => [action, tokenRule(model, action, token)] as const);
  return {
    kind: 'actions',
    actions: new Set(token.permissions),
    rules: new Map(rules.flatMap(([action, rule]) => (isLimited(rule) ? [[action, toGrantRule(rule)]] : []))),
  };
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
