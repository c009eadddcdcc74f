import { createError } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import type { ContentModel, Uid } from '../model/model.js';

const NO_ADMIN = 'There is no admin panel. Tokens, roles and users are managed by commands: cms --help';
const NO_FOLDERS = 'The media library has no folders; leave the folder of a file out.';
const NO_RELEASES = 'Plan publications with cms content publish --at.';
const NO_WORKFLOWS = 'There are no review workflows.';

/** Types of Strapi that have no rows here, with the alternatives. */
export const TYPES_WITHOUT_ROWS: Readonly<Record<Uid, string>> = {
  'admin::user': NO_ADMIN,
  'admin::role': NO_ADMIN,
  'admin::permission': NO_ADMIN,
  'admin::session': NO_ADMIN,
  'admin::audit-log': NO_ADMIN,
  'admin::api-token': 'API tokens are managed by commands: cms token --help',
  'admin::api-token-permission': 'API tokens are managed by commands: cms token --help',
  'admin::transfer-token': NO_ADMIN,
  'admin::transfer-token-permission': NO_ADMIN,
  'plugin::upload.folder': NO_FOLDERS,
  'plugin::content-releases.release': NO_RELEASES,
  'plugin::content-releases.release-action': NO_RELEASES,
  'plugin::review-workflows.workflow': NO_WORKFLOWS,
  'plugin::review-workflows.workflow-stage': NO_WORKFLOWS,
  'strapi::history-version': 'Published versions are read by cms content history.',
};

/** Properties that JavaScript reads from any object to detect promises and to print JSON. */
const LANGUAGE_PROPERTIES: ReadonlySet<string> = new Set(['then', 'toJSON', 'constructor']);

/** Properties of `strapi` that Galley lacks, with the alternatives, by name. */
const REMEDIES: Readonly<Record<string, string>> = {
  admin: 'There is no admin panel. Tokens, roles and users are managed by commands: cms --help',
  get: 'There is no container: use strapi.service or strapi.plugin.',
  container: 'There is no container: use strapi.service or strapi.plugin.',
  add: 'There is no container: services in src/api and in plugins are registered by name.',
  reload: 'cms dev loads changed code by itself.',
  stop: 'Galley stops when its process gets SIGTERM.',
  sessionManager: 'Configure sessions in plugins.users-permissions with jwtManagement: refresh.',
  sanitizers: 'Change responses in a controller, or in a middleware of documents.',
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

/** Functions of Strapi that exist, since code checks for them before it calls them, and throw when called. */
const FUNCTIONS: ReadonlySet<string> = new Set([
  'get',
  'add',
  'reload',
  'stop',
  'start',
  'load',
  'listen',
  'destroy',
]);

/** True if Strapi has a property that Galley lacks. */
export function isUnavailable(key: string): boolean {
  return Object.hasOwn(REMEDIES, key);
}

const remedyOf = (name: string, key: string): string | undefined => {
  if (name.startsWith('strapi.admin')) return REMEDIES['admin'];
  return Object.hasOwn(REMEDIES, key) ? REMEDIES[key] : undefined;
};

/**
 * Returns an object that throws when code reads a property that Galley lacks. The error names it and the
 * alternative. Properties that project code sets can be read.
 *
 * @throws `project/unknown-property`
 */
export function withKnownProperties<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get: (object, key): unknown => {
      if (typeof key === 'symbol' || key in object || LANGUAGE_PROPERTIES.has(key))
        return Reflect.get(object, key);
      throw createError('project/unknown-property', {
        name: `${name}.${key}`,
        remedy: remedyOf(name, key) ?? `Available: ${Object.keys(object).join(', ')}.`,
      });
    },
  });
}

/**
 * Returns `strapi` itself, where code checks for properties: those that Galley lacks are undefined, with one
 * warning that names the alternative. Functions throw when they are called.
 */
export function withDetectableProperties<T extends object>(target: T, warn: (message: string) => void): T {
  const warned = new Set<string>();
  return new Proxy(target, {
    get: (object, key): unknown => {
      if (typeof key === 'symbol' || key in object || LANGUAGE_PROPERTIES.has(key))
        return Reflect.get(object, key);
      const remedy = remedyOf('strapi', key);
      if (remedy === undefined) return undefined;
      if (FUNCTIONS.has(key))
        return () => {
          throw createError('project/unknown-property', { name: `strapi.${key}`, remedy });
        };
      if (!warned.has(key)) warn(`Project code reads strapi.${key}, which is undefined here. ${remedy}`);
      warned.add(key);
      return undefined;
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

/**
 * Finds uses of properties that {@link withDetectableProperties} lacks, of types without rows, and of routes
 * of the admin panel.
 */
export function findUnavailable(text: string): readonly UnavailableUse[] {
  const properties = [...text.matchAll(/\bstrapi\.(?!admin\??\.services\??\.permission\b)(\w+)/g)].flatMap(
    ({ index, 1: key = '' }) => {
      const remedy = Object.hasOwn(REMEDIES, key) ? REMEDIES[key] : undefined;
      return remedy === undefined ? [] : [{ index, name: `strapi.${key}`, remedy }];
    },
  );
  const types = [...text.matchAll(/(['"`])((?:admin|plugin|strapi)::[\w.-]+)\1/g)].flatMap(
    ({ index, 2: uid = '' }) => {
      const remedy = Object.hasOwn(TYPES_WITHOUT_ROWS, uid) ? TYPES_WITHOUT_ROWS[uid] : undefined;
      return remedy === undefined ? [] : [{ index, name: `content of ${uid}`, remedy }];
    },
  );
  const routers = [...text.matchAll(/\btype\s*:\s*(['"`])admin\1/g)].map(({ index }) => ({
    index,
    name: 'router of the type admin for users of the admin panel',
    remedy: 'Its routes with auth: false are served; the others need the type content-api.',
  }));
  return [...properties, ...types, ...routers].toSorted((left, right) => left.index - right.index);
}

/** Properties that generic code, such as `await` and printing, reads from any object. */
const GENERIC_PROPERTIES: ReadonlySet<string> = new Set([
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
 * @param options.absent properties that are undefined, since code checks for them before it calls them
 */
export function withUnavailable<T extends object>(
  target: T,
  call: string,
  { remedies = {}, absent = [] }: UnavailableOptions = {},
): T {
  return new Proxy(target, {
    get: (object, property, receiver): unknown => {
      const isLeftOut =
        typeof property === 'symbol' || GENERIC_PROPERTIES.has(property) || absent.includes(property);
      if (property in object || isLeftOut) return Reflect.get(object, property, receiver);
      throw createError('strapi/unavailable-call', {
        call: `${call}.${property}`,
        remedy: remedies[property] ?? `Available: ${Object.keys(object).join(', ')}. See docs/strapi.md.`,
      });
    },
  });
}

/** Remedies for types that Strapi stores as content and Galley does not, by the prefix of the uid. */
const TYPE_REMEDIES: readonly (readonly [string, string])[] = [
  ['admin::', 'There is no admin panel. Tokens, roles and users are managed by commands: cms --help'],
];

/** Returns the error for an unknown content-type. `call` names it, such as `strapi.db.query`. */
export function unknownTypeError(
  model: Pick<ContentModel, 'typesByUid'>,
  call: string,
  uid: Uid,
): GalleyError {
  const [, remedy] = TYPE_REMEDIES.find(([start]) => uid.startsWith(start)) ?? [];
  if (remedy !== undefined)
    return createError('strapi/unavailable-call', { call: `${call}('${uid}')`, remedy });
  return createError('project/unknown-content-type', {
    uid,
    allowed: Object.keys(model.typesByUid).join(', '),
  });
}

/** Matches calls whose first argument is a uid: `strapi.db.query('api::article.article')`. */
const TYPE_CALL = new RegExp(
  String.raw`\bstrapi\s*\.\s*(db\s*\.\s*query|query|documents|entityService\s*\.\s*\w+)` +
    String.raw`\s*\(\s*(['"\`])([a-z-]+::[\w.-]+)\2`,
  'g',
);

/** An unknown content-type that code names. */
interface UnknownTypeUse {
  readonly index: number;
  readonly reason: string;
}

/** Finds the content-types in the text of a module that {@link unknownTypeError} would reject. */
export function findUnknownTypes(
  model: Pick<ContentModel, 'typesByUid'>,
  text: string,
): readonly UnknownTypeUse[] {
  return [...text.matchAll(TYPE_CALL)].flatMap(({ index, 1: name = '', 3: uid = '' }) => {
    const isExpected = uid.startsWith('api::') || TYPE_REMEDIES.some(([start]) => uid.startsWith(start));
    if (!isExpected || Object.hasOwn(model.typesByUid, uid)) return [];
    const { message, hint } = unknownTypeError(model, `strapi.${name.replaceAll(/\s/g, '')}`, uid);
    return [{ index, reason: [message, hint].filter((part) => part !== undefined).join(' ') }];
  });
}
