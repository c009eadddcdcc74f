import { isRecord } from '../../lib/is-record.js';

/** `strapi.config` as code written for Strapi uses it: `get('server.host')`, `get('plugin::upload')`. */
export interface StrapiConfiguration {
  readonly get: (path: string | readonly string[], otherwise?: unknown) => unknown;
  readonly set: (path: string | readonly string[], value: unknown) => void;
  readonly has: (path: string | readonly string[]) => boolean;
}

type Values = Record<string, unknown>;

/** `server.app.keys` → server, app, keys. A plugin, `plugin::x` or formerly `plugin.x`, is one key. */
const keysOf = (path: string | readonly string[]): readonly string[] =>
  (typeof path === 'string' ? [path.replace(/^plugin\./, 'plugin::')] : path).flatMap((part) =>
    part.split('.'),
  );

/** Creates the configuration over values, which `set` changes. */
export function createStrapiConfiguration(values: Values): StrapiConfiguration {
  const get = (path: string | readonly string[]): unknown => {
    let found: unknown = values;
    for (const key of keysOf(path)) {
      if (typeof found !== 'object' || found === null) return undefined;
      found = Reflect.get(found, key);
    }
    return found;
  };
  return {
    get: (path, otherwise) => get(path) ?? otherwise,
    has: (path) => get(path) !== undefined,
    set: (path, value) => {
      const keys = [...keysOf(path)];
      const last = keys.pop() ?? '';
      let target = values;
      for (const key of keys) {
        const next = target[key];
        const child = isRecord(next) ? (next as Values) : {};
        target[key] = child;
        target = child;
      }
      target[last] = value;
    },
  };
}
