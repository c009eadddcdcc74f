import { createError } from '../errors/catalogue.js';

/** What JavaScript itself asks of any object: whether it is a promise, and how it becomes JSON. */
const ASKED_OF_ALL: ReadonlySet<string> = new Set(['then', 'toJSON', 'constructor']);

/**
 * Strapi's properties that Galley has no counterpart of, with the way to do it here. Their names are those
 * after `strapi.`.
 */
const REMEDIES: Readonly<Record<string, string>> = {
  admin: 'There is no admin panel. Tokens, roles and users are managed by commands: cms --help',
  ai: 'There is no artificial intelligence in Galley.',
  get: 'There is no container: use strapi.service, strapi.plugin and the like.',
  container: 'There is no container: use strapi.service, strapi.plugin and the like.',
  add: 'There is no container: a service of src/api or of a plugin is found by its name.',
  reload: 'cms dev loads changed code by itself.',
  stop: 'Galley stops when its process gets SIGTERM.',
  sessionManager: 'Sessions are those of plugins.users-permissions with jwtManagement: refresh.',
  sanitizers: 'Change answers in a controller, or in a middleware of documents.',
  validators: 'Check requests in a controller or a policy.',
  hooks: 'Listen with strapi.eventHub.on, or with the lifecycles of a content-type.',
  startupLogger: 'Use strapi.log.',
  start: 'cms start serves the project; code runs once it is loaded.',
  load: 'cms start serves the project; code runs once it is loaded.',
  listen: 'cms start serves the project; code runs once it is loaded.',
  destroy: 'Galley stops when its process gets SIGTERM.',
  entityValidator: 'strapi.documents(uid).create and update check what they write.',
  fs: "Use node:fs, with strapi.dirs for the project's folders.",
};

/**
 * Reading a property that Strapi has and Galley lacks becomes an error that names it, with the way to do it
 * here. Properties that project code sets are there from then on. Of `strapi` itself, all that Strapi has is
 * known, so that anything else is undefined: code asks whether it has set a property before.
 *
 * @throws `project/unknown-property`
 */
export function withKnownProperties<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get: (object, key): unknown => {
      if (typeof key === 'symbol' || key in object || ASKED_OF_ALL.has(key)) return Reflect.get(object, key);
      const property = `${name}.${key}`;
      const remedy = name.startsWith('strapi.admin')
        ? REMEDIES['admin']
        : Object.hasOwn(REMEDIES, key)
          ? REMEDIES[key]
          : undefined;
      if (remedy === undefined && name === 'strapi') return undefined;
      throw createError('project/unknown-property', {
        name: property,
        remedy: remedy ?? `Available: ${Object.keys(object).join(', ')}.`,
      });
    },
  });
}

/** A use of a property that Galley has no counterpart of. */
export interface UnavailableUse {
  readonly index: number;
  /** `strapi.admin` */
  readonly name: string;
  readonly remedy: string;
}

/** Finds in the text of a module what {@link withKnownProperties} would refuse. */
export function findUnavailable(text: string): readonly UnavailableUse[] {
  return [...text.matchAll(/\bstrapi\.(?!admin\??\.services\??\.permission\b)(\w+)/g)].flatMap(
    ({ index, 1: key = '' }) => {
      const remedy = Object.hasOwn(REMEDIES, key) ? REMEDIES[key] : undefined;
      return remedy === undefined ? [] : [{ index, name: `strapi.${key}`, remedy }];
    },
  );
}
