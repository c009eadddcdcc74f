import type { Registries } from './registry.js';

type Values = Readonly<Record<string, unknown>>;

/** The code of one folder of src/api, by the names of its files. */
export interface Api {
  readonly services: Values;
  readonly controllers: Values;
  readonly policies: Values;
  readonly middlewares: Values;
  readonly service: (name: string) => unknown;
  readonly controller: (name: string) => unknown;
}

const API_UID = /^api::([^.]+)\./;

const withShortNames = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([uid, value]) => [uid.slice(uid.indexOf('.') + 1), value]));

const apiOf = (name: string, { services, controllers, policies, middlewares }: Registries): Api => ({
  services: withShortNames(services.getAll(`api::${name}`)),
  controllers: withShortNames(controllers.getAll(`api::${name}`)),
  policies: withShortNames(policies.getAll(`api::${name}`)),
  middlewares: withShortNames(middlewares.getAll(`api::${name}`)),
  service: (service) => services.get(`api::${name}.${service}`),
  controller: (controller) => controllers.get(`api::${name}.${controller}`),
});

/** Returns the project's APIs by their names. */
export function apisOf(registries: Registries): Readonly<Record<string, Api>> {
  const uids = [registries.services, registries.controllers].flatMap((registry) => registry.keys());
  const names = new Set(uids.flatMap((uid) => API_UID.exec(uid)?.[1] ?? []));
  return Object.fromEntries([...names].toSorted().map((name) => [name, apiOf(name, registries)]));
}
