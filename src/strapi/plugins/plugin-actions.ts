import type { ControllerActions } from '../../model/content-types/definition.js';
import { byCodePoint } from '../../lib/compare.js';
import { isRecord } from '../../lib/is-record.js';
import { lastSegment, withoutLastSegment } from '../../lib/uid.js';

const routerOf = (value: unknown): unknown =>
  typeof value === 'function' && !('routes' in value)
    ? (Reflect.apply(value, undefined, [{}]) as unknown)
    : value;

const handlersOf = (value: unknown): readonly string[] => {
  const router = routerOf(value);
  if ((typeof router !== 'object' && typeof router !== 'function') || router === null) return [];
  if (Reflect.get(router, 'type') !== 'content-api') return [];
  const routes: unknown = Reflect.get(router, 'routes');
  return (Array.isArray(routes) ? (routes as readonly unknown[]) : []).flatMap((route) =>
    isRecord(route) && typeof route['handler'] === 'string' ? [route['handler'].trim()] : [],
  );
};

/**
 * Returns the handlers, given by name, of the routes that a plugin has for clients. Routers that need the
 * open application to make their routes have none here.
 */
export function contentHandlers(routes: unknown): readonly string[] {
  if (!isRecord(routes)) return [];
  return Object.values(routes).flatMap((router) => {
    try {
      return handlersOf(router);
    } catch {
      return [];
    }
  });
}

/** Groups handlers of a plugin by their controllers: roles and tokens may be granted these. */
export function toControllerActions(
  plugin: string,
  handlers: readonly string[],
): readonly ControllerActions[] {
  const names = new Set(
    handlers.map((handler) => (handler.includes('::') ? handler : `plugin::${plugin}.${handler}`)),
  );
  const uids = new Set([...names].map(withoutLastSegment));
  return [...uids].toSorted(byCodePoint).map((uid) => ({
    uid,
    actions: [...names]
      .filter((name) => withoutLastSegment(name) === uid)
      .map(lastSegment)
      .toSorted(byCodePoint),
  }));
}
