import type { ActionGroup } from '../../access/actions.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';

interface Switch {
  readonly enabled: boolean;
  readonly policy: '';
}

type Controllers = Record<string, Record<string, Switch>>;

const splitUid = (uid: string): readonly [plugin: string, controller: string] => {
  const dot = uid.lastIndexOf('.');
  return [uid.slice(0, dot), uid.slice(dot + 1)];
};

/** `{"api::tag": {"controllers": {"tag": {"find": {"enabled": true, "policy": ""}}}}}`, of everything that can be granted. */
export function printPermissionTree(groups: readonly ActionGroup[], granted: readonly string[]): Readonly<Record<string, { readonly controllers: Controllers }>> {
  const tree: Record<string, { controllers: Controllers }> = {};
  for (const { uid, actions } of groups) {
    const [plugin, controller] = splitUid(uid);
    const { controllers } = (tree[plugin] ??= { controllers: {} });
    controllers[controller] = Object.fromEntries(actions.map((action) => [action, { enabled: granted.includes(`${uid}.${action}`), policy: '' as const }]));
  }
  return tree;
}

const refuse = () => fail('request/invalid-parameter', { parameter: 'permissions', reason: 'they must be a tree like {"api::tag": {"controllers": {"tag": {"find": {"enabled": true}}}}}.' });

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => {
  if (!isRecord(value)) throw refuse();
  return value;
};

/** The full names of the actions that are switched on in such a tree. Throws `request/invalid-parameter`. */
export function parsePermissionTree(tree: unknown): readonly string[] {
  return Object.entries(recordOf(tree)).flatMap(([plugin, part]) =>
    Object.entries(recordOf(recordOf(part)['controllers'])).flatMap(([controller, actions]) =>
      Object.entries(recordOf(actions)).flatMap(([action, state]) => (recordOf(state)['enabled'] === true ? [`${plugin}.${controller}.${action}`] : []))));
}
