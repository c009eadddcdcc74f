import { registeredName } from '../lib/names.js';

type CodeByName = Readonly<Record<string, unknown>>;

/** The source of a registered value, for errors and for the list of running code. */
interface CodeSource {
  /** `src/api/article/services/article.ts` */
  readonly file: string;
}

/**
 * Services, controllers, policies or middlewares by their uids, such as `api::article.article`. Names in the
 * spelling of their files also match, which Strapi converts to kebab case.
 */
export interface Registry {
  readonly set: (uid: string, value: unknown, source?: CodeSource) => void;
  /** Registers the values of a namespace: `add('plugin::mine', { greet })` sets `plugin::mine.greet`. */
  readonly add: (namespace: string, values: CodeByName, source?: CodeSource) => void;
  /** Returns the value, or undefined. Factories are called at the first access. */
  readonly get: (uid: string) => unknown;
  readonly has: (uid: string) => boolean;
  readonly keys: () => readonly string[];
  /** Returns the values of a namespace by their full uids. */
  readonly getAll: (namespace: string) => CodeByName;
  /** Replaces a value with the result of a function. */
  readonly extend: (uid: string, change: (value: unknown) => unknown) => void;
  readonly sourceOf: (uid: string) => CodeSource | undefined;
}

/** Returns the uid of a name: `global::a` or `api::article.a`. */
const fullName = (namespace: string, name: string): string =>
  namespace.endsWith('::') ? `${namespace}${name}` : `${namespace}.${name}`;

/** `api::job.hierarchyService` → `api::job.hierarchy-service` */
const registeredUid = (uid: string): string => {
  const end = Math.max(uid.lastIndexOf('.'), uid.lastIndexOf(':')) + 1;
  return `${uid.slice(0, end)}${registeredName(uid.slice(end))}`;
};

interface RegistryOptions {
  /** Creates the value from the registered one. By default, they are the same. */
  readonly instantiate?: (registered: unknown) => unknown;
}

function createRegistry({ instantiate = (registered) => registered }: RegistryOptions = {}): Registry {
  const registered = new Map<string, unknown>();
  const instances = new Map<string, unknown>();
  const sources = new Map<string, CodeSource>();
  const registeredKey = (uid: string): string => (registered.has(uid) ? uid : registeredUid(uid));
  const get = (uid: string): unknown => {
    const key = registeredKey(uid);
    if (!instances.has(key) && registered.has(key)) instances.set(key, instantiate(registered.get(key)));
    return instances.get(key);
  };
  const set: Registry['set'] = (uid, value, source) => {
    registered.set(uid, value);
    instances.delete(uid);
    if (source !== undefined) sources.set(uid, source);
  };
  return {
    set,
    add: (namespace, values, source) => {
      for (const [name, value] of Object.entries(values)) set(fullName(namespace, name), value, source);
    },
    get,
    has: (uid) => registered.has(registeredKey(uid)),
    keys: () => [...registered.keys()],
    getAll: (namespace) => {
      const prefix = namespace === '' ? '' : fullName(namespace, '');
      const all = {};
      for (const uid of registered.keys())
        if (uid.startsWith(prefix))
          Object.defineProperty(all, uid, { enumerable: true, configurable: true, get: () => get(uid) });
      return all;
    },
    extend: (uid, change) => {
      const key = registeredKey(uid);
      instances.set(key, change(get(key)));
    },
    sourceOf: (uid) => sources.get(registeredKey(uid)),
  };
}

/** The registries of the values that project code, plugins and Galley itself register. */
export interface Registries {
  readonly services: Registry;
  readonly controllers: Registry;
  readonly policies: Registry;
  readonly middlewares: Registry;
  /** Routers by API or plugin and name, as `api::article.article`. */
  readonly routes: Registry;
}

/** Creates empty registries. Services, controllers and routers may be functions of `{ strapi }`. */
export function createRegistries(strapi: () => object): Registries {
  const instantiate = (registered: unknown): unknown =>
    typeof registered === 'function'
      ? Reflect.apply(registered, undefined, [{ strapi: strapi() }])
      : registered;
  return {
    services: createRegistry({ instantiate }),
    controllers: createRegistry({ instantiate }),
    policies: createRegistry(),
    middlewares: createRegistry(),
    routes: createRegistry({ instantiate }),
  };
}

/** The code of one folder of src/api, by file name. */
export interface Api {
  readonly services: CodeByName;
  readonly controllers: CodeByName;
  readonly policies: CodeByName;
  readonly middlewares: CodeByName;
  readonly service: (name: string) => unknown;
  readonly controller: (name: string) => unknown;
}

const API_UID = /^api::([^.]+)\./;

const withShortNames = (values: CodeByName): CodeByName =>
  Object.fromEntries(Object.entries(values).map(([uid, value]) => [uid.slice(uid.indexOf('.') + 1), value]));

const apiOf = (name: string, { services, controllers, policies, middlewares }: Registries): Api => ({
  services: withShortNames(services.getAll(`api::${name}`)),
  controllers: withShortNames(controllers.getAll(`api::${name}`)),
  policies: withShortNames(policies.getAll(`api::${name}`)),
  middlewares: withShortNames(middlewares.getAll(`api::${name}`)),
  service: (service) => services.get(`api::${name}.${service}`),
  controller: (controller) => controllers.get(`api::${name}.${controller}`),
});

/** Returns the project's APIs by name. */
export function apisOf(registries: Registries): Readonly<Record<string, Api>> {
  const uids = [registries.services, registries.controllers].flatMap((registry) => registry.keys());
  const names = new Set(uids.flatMap((uid) => API_UID.exec(uid)?.[1] ?? []));
  return Object.fromEntries([...names].toSorted().map((name) => [name, apiOf(name, registries)]));
}
