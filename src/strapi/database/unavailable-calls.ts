import { createError } from '../../errors/catalogue.js';

/** Properties that generic code, such as `await` and printing, reads from any object. */
const ASKED_OF_ANYTHING: ReadonlySet<string> = new Set([
  'then',
  'toJSON',
  'inspect',
  'constructor',
  'nodeType',
]);

interface UnavailableOptions {
  readonly remedies?: Readonly<Record<string, string>>;
  readonly absent?: readonly string[];
}

/**
 * Returns an object whose missing properties throw an error that names the call, instead of being undefined.
 *
 * @param options.remedies what to do instead, by property
 * @param options.absent properties that are undefined, since code asks for them before it calls them
 */
export function withUnavailable<T extends object>(
  target: T,
  call: string,
  { remedies = {}, absent = [] }: UnavailableOptions = {},
): T {
  return new Proxy(target, {
    get: (object, property, receiver): unknown => {
      const isLeftOut =
        typeof property === 'symbol' || ASKED_OF_ANYTHING.has(property) || absent.includes(property);
      if (property in object || isLeftOut) return Reflect.get(object, property, receiver);
      throw createError('strapi/unavailable-call', {
        call: `${call}.${property}`,
        remedy:
          remedies[property] ??
          `Available: ${Object.keys(object).join(', ')}. docs/strapi.md says what each offers.`,
      });
    },
  });
}
