import * as v from 'valibot';
import { TOKEN_TYPES } from '../../access/access.js';
import type { Grants, TokenRecord } from '../../access/access.js';
import { applyLocales, parseLocaleFile, printLocaleFile } from '../../access/locale-file.js';
import { addLocale, listLocales, removeLocale } from '../../access/locales.js';
import { isGranted } from '../../access/permissions/authorise.js';
import {
  applyPermissions,
  exportPermissions,
  parsePermissionFile,
  printPermissionFile,
} from '../../access/permissions/permission-file.js';
import {
  listPermissions,
  setPermissions,
  unsetPermissions,
} from '../../access/permissions/role-permissions.js';
import { tokenRule } from '../../access/token-scope.js';
import { createRole, removeRole } from '../../access/roles/write-roles.js';
import {
  LIFESPANS,
  createToken,
  findToken,
  findTokenIfAny,
  listTokens,
  regenerateToken,
  revokeToken,
} from '../../access/tokens.js';
import { createError } from '../../errors/catalogue.js';
import { withoutLastSegment, lastSegment } from '../../lib/ids.js';
import type { ContentModel } from '../../model/model.js';
import { DRY_RUN, FLAG, NO_INPUT, TEXT, TEXTS, operation } from './operation.js';

/** True if the grants of a token include an action of another token, with its limits. */
const includesAction = (model: ContentModel, grants: Grants, token: TokenRecord, action: string): boolean => {
  if (!isGranted(grants, withoutLastSegment(action), lastSegment(action))) return false;
  const held = grants.kind === 'actions' ? grants.rules.get(action) : undefined;
  const { locales, status } = tokenRule(model, action, token);
  return (
    (held?.status === undefined || status !== undefined) &&
    (held?.locales === undefined || locales?.every((code) => held.locales?.includes(code)) === true)
  );
};

/**
 * Throws unless a caller has all rights of a token, so that no token can issue or take over one with more
 * rights.
 */
const assertMayIssue = (model: ContentModel, grants: Grants, token: TokenRecord): void => {
  const isWithin =
    grants.kind === 'all' ||
    (token.type === 'custom' &&
      token.permissions.every((action) => includesAction(model, grants, token, action)));
  if (!isWithin) throw createError('access/token-exceeds-rights');
};

const NAMED = v.strictObject({ name: TEXT });

const NEW_TOKEN = v.strictObject({
  name: TEXT,
  description: v.exactOptional(v.nullable(TEXT)),
  type: v.picklist(TOKEN_TYPES),
  permissions: v.exactOptional(TEXTS),
  types: v.exactOptional(TEXTS),
  locales: v.exactOptional(TEXTS),
  status: v.exactOptional(v.literal('draft')),
  lifespan: v.exactOptional(v.picklist(LIFESPANS)),
  expiresIn: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  replace: v.exactOptional(FLAG),
  ...DRY_RUN,
});

/** Operations on API tokens. A key is returned only when it is created. */
export const TOKEN_OPERATIONS = {
  list: operation({
    action: 'read',
    description: 'List API tokens without their keys',
    input: NO_INPUT,
    run: ({ access }) => listTokens(access),
  }),
  find: operation({
    action: 'read',
    description: 'Find an API token by its name',
    input: NAMED,
    run: ({ access }, { name }) => findTokenIfAny(access, name),
  }),
  get: operation({
    action: 'read',
    description: 'Read an API token without its key',
    input: NAMED,
    run: ({ access }, { name }) => findToken(access, name),
  }),
  create: operation({
    action: 'write',
    description: 'Create an API token and return its key',
    input: NEW_TOKEN,
    run: async ({ access, grants }, { dryRun = false, ...token }) => {
      if (grants.kind !== 'all') {
        const planned = await createToken(access, token, { dryRun: true });
        const existing = await findTokenIfAny(access, token.name);
        for (const issued of [planned.token, ...(existing === null ? [] : [existing])])
          assertMayIssue(access.model, grants, issued);
      }
      return createToken(access, token, { dryRun });
    },
  }),
  regenerate: operation({
    action: 'write',
    description: 'Replace the key of an API token and return it',
    input: v.strictObject({ name: TEXT, lifespan: v.exactOptional(v.picklist(LIFESPANS)), ...DRY_RUN }),
    run: async ({ access, grants }, { dryRun = false, ...regeneration }) => {
      assertMayIssue(access.model, grants, await findToken(access, regeneration.name));
      return regenerateToken(access, regeneration, { dryRun });
    },
  }),
  revoke: operation({
    action: 'write',
    description: 'Remove an API token',
    input: v.strictObject({ name: TEXT, ...DRY_RUN }),
    run: ({ access }, { name, dryRun = false }) => revokeToken(access, name, { dryRun }),
  }),
} as const;

/** Operations on the roles of API users. */
export const ROLE_OPERATIONS = {
  list: operation({
    action: 'read',
    description: 'List roles with the number of their permissions',
    input: NO_INPUT,
    run: async ({ access }) =>
      (await listPermissions(access)).map(({ role, actions }) => ({ ...role, actionCount: actions.length })),
  }),
  create: operation({
    action: 'write',
    description: 'Create a role without permissions',
    input: v.strictObject({
      name: TEXT,
      type: v.exactOptional(TEXT),
      description: v.exactOptional(TEXT),
      ...DRY_RUN,
    }),
    run: ({ access }, { dryRun = false, ...role }) => createRole(access, role, { dryRun }),
  }),
  remove: operation({
    action: 'write',
    description: 'Remove a role',
    input: v.strictObject({ role: TEXT, acceptDataLoss: v.exactOptional(FLAG), ...DRY_RUN }),
    run: ({ access }, { dryRun = false, acceptDataLoss = false, role }) =>
      removeRole(access, { role, acceptDataLoss }, { dryRun }),
  }),
} as const;

const RULE = v.strictObject({
  fields: v.nullable(TEXTS),
  where: v.nullable(v.pipe(v.record(v.string(), v.unknown()), v.readonly())),
  locales: v.exactOptional(TEXTS),
  status: v.exactOptional(v.literal('draft')),
});

const ASSIGNMENT = { role: TEXT, uid: TEXT, actions: TEXTS };

/** The text of a file with permissions or locales, with its name for messages. */
const FILE = { text: v.string(), file: TEXT };

/** Operations on the permissions of roles. */
export const PERMISSION_OPERATIONS = {
  list: operation({
    action: 'read',
    description: 'List the permissions of all roles, or of one',
    input: v.strictObject({ role: v.exactOptional(TEXT) }),
    run: async ({ access }, { role }) =>
      (await listPermissions(access, role)).map(({ rules, ...listed }) => ({
        ...listed,
        rules: Object.fromEntries(rules),
      })),
  }),
  set: operation({
    action: 'write',
    description: 'Set the permissions of a role on one content-type or controller',
    input: v.strictObject({
      ...ASSIGNMENT,
      rule: v.exactOptional(v.union([RULE, v.literal('unchanged')])),
      keepOthers: v.exactOptional(FLAG),
      ...DRY_RUN,
    }),
    run: ({ access }, { dryRun = false, ...assignment }) => setPermissions(access, assignment, { dryRun }),
  }),
  unset: operation({
    action: 'write',
    description: 'Revoke permissions of a role on one content-type or controller',
    input: v.strictObject({ ...ASSIGNMENT, ...DRY_RUN }),
    run: ({ access }, { dryRun = false, ...assignment }) => unsetPermissions(access, assignment, { dryRun }),
  }),
  export: operation({
    action: 'read',
    description: 'Print roles and permissions as a permissions file',
    input: NO_INPUT,
    run: async ({ access }) => {
      const roles = await exportPermissions(access);
      return { text: printPermissionFile(roles), roles: roles.map(({ type }) => type) };
    },
  }),
  preview: operation({
    action: 'read',
    description: 'Print the permissions before and after a permissions file is applied',
    input: v.strictObject({ ...FILE, prune: v.exactOptional(FLAG) }),
    run: async ({ access }, { text, file, prune = false }) => {
      const roles = parsePermissionFile(access.model, text, file);
      const { before, after } = await applyPermissions(access, roles, { prune, dryRun: true });
      return { before: printPermissionFile(before), after: printPermissionFile(after) };
    },
  }),
  apply: operation({
    action: 'write',
    description: 'Apply a permissions file',
    input: v.strictObject({ ...FILE, prune: v.exactOptional(FLAG) }),
    run: async ({ access }, { text, file, prune = false }) => {
      await applyPermissions(access, parsePermissionFile(access.model, text, file), { prune });
      return null;
    },
  }),
} as const;

/** Operations on the locales of content. */
export const LOCALE_OPERATIONS = {
  list: operation({
    action: 'read',
    description: 'List the configured locales',
    input: NO_INPUT,
    run: ({ access }) => listLocales(access),
  }),
  add: operation({
    action: 'write',
    description: 'Add a locale, or make it the default',
    input: v.strictObject({
      code: TEXT,
      name: v.exactOptional(TEXT),
      isDefault: v.exactOptional(FLAG),
      ...DRY_RUN,
    }),
    run: ({ access }, { dryRun = false, ...locale }) => addLocale(access, locale, { dryRun }),
  }),
  remove: operation({
    action: 'write',
    description: 'Remove a locale with its content',
    input: v.strictObject({ code: TEXT, acceptDataLoss: v.exactOptional(FLAG), ...DRY_RUN }),
    run: ({ access }, { dryRun = false, acceptDataLoss = false, code }) =>
      removeLocale(access, { code, acceptDataLoss }, { dryRun }),
  }),
  export: operation({
    action: 'read',
    description: 'Print the configured locales as a locales file',
    input: NO_INPUT,
    run: async ({ access }) => {
      const locales = await listLocales(access);
      return { text: printLocaleFile(locales), locales: locales.map(({ code }) => code) };
    },
  }),
  preview: operation({
    action: 'read',
    description: 'Print the locales before and after a locales file is applied, with the removed content',
    input: v.strictObject(FILE),
    run: async ({ access }, { text, file }) => {
      const options = { acceptDataLoss: true, dryRun: true };
      const { before, after, removed } = await applyLocales(access, parseLocaleFile(text, file), options);
      return {
        before: printLocaleFile(before),
        after: printLocaleFile(after),
        losses: removed.flatMap(({ locale, losses }) =>
          losses.map((loss) => ({ ...loss, locale: locale.code })),
        ),
      };
    },
  }),
  apply: operation({
    action: 'write',
    description: 'Apply a locales file',
    input: v.strictObject({ ...FILE, acceptDataLoss: v.exactOptional(FLAG) }),
    run: async ({ access }, { text, file, acceptDataLoss = false }) => {
      await applyLocales(access, parseLocaleFile(text, file), { acceptDataLoss });
      return null;
    },
  }),
} as const;
