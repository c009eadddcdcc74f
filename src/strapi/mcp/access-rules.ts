import type { Caller, Grants } from '../../access/access.js';
import { allActionsOf, listActionGroups, permissionOf } from '../../access/permissions/actions.js';
import type { DocumentAction, Permission } from '../../access/permissions/actions.js';
import { isGranted } from '../../access/permissions/authorise.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { FIND_DRAFTS } from '../../query/read-access.js';
import { withUnavailable } from '../unavailable.js';

/** A permission in the form of Strapi's admin panel. */
interface McpPolicy {
  /** `plugin::content-manager.explorer.read` */
  readonly action: string;
  /** `api::article.article` */
  readonly subject?: string;
}

/** The callers of a tool, a prompt or a resource: `devModeOnly`, or those with one of the policies. */
export type McpAccess =
  | { readonly devModeOnly: true; readonly auth?: unknown }
  | {
      readonly devModeOnly?: false;
      readonly auth: { readonly policies: readonly [McpPolicy, ...McpPolicy[]] };
    };

/** The rights of the client, in the form of an ability of CASL. */
interface UserAbility {
  readonly can: (action: string, subject?: unknown) => boolean;
  readonly cannot: (action: string, subject?: unknown) => boolean;
}

/** The context of a request that the functions of a tool receive. */
export interface McpHandlerContext {
  readonly userAbility: UserAbility;
  /** The id of the user; null for tokens. */
  readonly user: { readonly id: number | null };
}

/** Decides which clients may use the tools, prompts and resources of project code. */
export interface AccessRules {
  readonly isPermitted: (access: McpAccess, caller: Caller) => boolean;
  /** Returns the policies that only callers with full access satisfy. */
  readonly fullAccessOnly: (access: McpAccess) => readonly McpPolicy[];
  readonly contextOf: (caller: Caller) => McpHandlerContext;
}

const EXPLORER = /^plugin::content-manager\.explorer\.(create|read|update|delete|publish)$/;

/** The actions on documents that stand for those of Strapi's content manager. */
const DOCUMENT_ACTIONS: Readonly<Record<string, readonly DocumentAction[]>> = {
  create: ['create'],
  read: ['find', 'findOne'],
  update: ['update'],
  delete: ['delete'],
  publish: ['update'],
};

/** Returns the permissions that together stand for an action of the content manager, which reads drafts. */
const explorerPermissions = (type: ContentType, action: string): readonly Permission[] => [
  ...(DOCUMENT_ACTIONS[action] ?? []).map((name) =>
    permissionOf(type, type.kind === 'singleType' && name === 'create' ? 'update' : name),
  ),
  ...(action === 'read' && type.draftAndPublish ? [{ uid: type.uid, action: FIND_DRAFTS }] : []),
];

const isLimited = (grants: Grants, { uid, action }: Permission): boolean =>
  grants.kind === 'actions' && grants.rules.has(`${uid}.${action}`);

/**
 * Creates the rules. A permission with attributes or a condition does not satisfy a policy, since the calls
 * of project code have no such limits.
 */
export function createAccessRules(model: ContentModel, isDevelopment: boolean): AccessRules {
  const grantable = new Map(
    listActionGroups(model).flatMap((group) =>
      allActionsOf(group).map((action): [string, Permission] => [
        `${group.uid}.${action}`,
        { uid: group.uid, action },
      ]),
    ),
  );
  /** Returns the permissions that stand for a policy. Null: it requires full access. */
  const permissionsFor = (action: string, subject: unknown): readonly Permission[] | null => {
    const permission = subject === undefined ? grantable.get(action) : undefined;
    if (permission !== undefined) return [permission];
    const [, name] = EXPLORER.exec(action) ?? [];
    const type =
      typeof subject === 'string' && Object.hasOwn(model.typesByUid, subject)
        ? model.typesByUid[subject]
        : undefined;
    if (name === undefined || type === undefined || type.origin === 'builtin') return null;
    return explorerPermissions(type, name);
  };
  const satisfies = ({ grants }: Caller, action: string, subject: unknown): boolean => {
    if (grants.kind === 'all') return true;
    const permissions = permissionsFor(action, subject);
    return (
      permissions !== null &&
      permissions.every(
        (permission) =>
          isGranted(grants, permission.uid, permission.action) && !isLimited(grants, permission),
      )
    );
  };
  return {
    isPermitted: (access, caller) =>
      access.devModeOnly === true
        ? isDevelopment && caller.grants.kind === 'all'
        : access.auth.policies.some(({ action, subject }) => satisfies(caller, action, subject)),
    fullAccessOnly: (access) =>
      access.devModeOnly === true
        ? []
        : access.auth.policies.filter(({ action, subject }) => permissionsFor(action, subject) === null),
    contextOf: (caller) => ({
      userAbility: withUnavailable<UserAbility>(
        {
          can: (action, subject) => satisfies(caller, action, subject),
          cannot: (action, subject) => !satisfies(caller, action, subject),
        },
        'userAbility',
      ),
      user: { id: caller.kind === 'user' ? caller.userId : null },
    }),
  };
}
