import type { ActionGroup } from '../../../access/permissions/actions.js';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/is-record.js';
import { lastSegment, withoutLastSegment } from '../../../lib/uid.js';

interface ActionState {
  readonly enabled: boolean;
  readonly policy: '';
}

type Controllers = Record<string, Record<string, ActionState>>;

/**
 * Returns everything that can be granted, as Strapi's clients expect it: `{"api::tag": {"controllers":
 * {"tag": {"find": {"enabled": true, "policy": ""}}}}}`.
 */
export function printPermissionTree(
  groups: readonly ActionGroup[],
  granted: readonly string[],
): Readonly<Record<string, { readonly controllers: Controllers }>> {
  const tree: Record<string, { controllers: Controllers }> = {};
  for (const { uid, actions, ownActions = [] } of groups) {
    const isGranted = (action: string): boolean => granted.includes(`${uid}.${action}`);
    const { controllers } = (tree[withoutLastSegment(uid)] ??= { controllers: {} });
    controllers[lastSegment(uid)] = Object.fromEntries(
      [...actions, ...ownActions.filter(isGranted)].map((action) => [
        action,
        { enabled: isGranted(action), policy: '' as const },
      ]),
    );
  }
  return tree;
}

const invalidPermissions = () =>
  createError('request/invalid-parameter', {
    parameter: 'permissions',
    reason: 'it must be a tree like {"api::tag": {"controllers": {"tag": {"find": {"enabled": true}}}}}.',
  });

/** Null and an empty list are empty branches, as in Strapi. */
const recordOf = (value: unknown): Readonly<Record<string, unknown>> => {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return {};
  if (!isRecord(value)) throw invalidPermissions();
  return value;
};

/**
 * Returns the full names (`api::tag.tag.find`) of the actions that a permission tree enables. An empty tree
 * may also be a list. Throws `request/invalid-parameter`.
 */
export function parsePermissionTree(tree: unknown): readonly string[] {
  return Object.entries(recordOf(tree)).flatMap(([plugin, pluginNode]) =>
    Object.entries(recordOf(recordOf(pluginNode)['controllers'])).flatMap(([controller, actions]) =>
      Object.entries(recordOf(actions)).flatMap(([action, state]) =>
        recordOf(state)['enabled'] === true ? [`${plugin}.${controller}.${action}`] : [],
      ),
    ),
  );
}
