import { createError } from '../../errors/catalogue.js';

/** What code that inspects any object asks for, such as `await` and printing. */
const ASKED_OF_ANYTHING: ReadonlySet<string> = new Set([
  'then',
  'toJSON',
  'inspect',
  'constructor',
  'nodeType',
]);

/**
 * Returns an object whose missing properties throw an error that names the call, instead of being undefined.
 *
 * @param remedies what to do instead, by property
 */
export function withUnavailable<T extends object>(
  target: T,
  call: string,
  remedies: Readonly<Record<string, string>> = {},
): T {
  return new Proxy(target, {
    get: (object, property, receiver): unknown => {
      if (property in object || typeof property === 'symbol' || ASKED_OF_ANYTHING.has(property))
        return Reflect.get(object, property, receiver);
      throw createError('strapi/unavailable-call', {
        call: `${call}.${property}`,
        remedy:
          remedies[property] ??
          `Available: ${Object.keys(object).join(', ')}. docs/strapi.md says what each offers.`,
      });
    },
  });
}
