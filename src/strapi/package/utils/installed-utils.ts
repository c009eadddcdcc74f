import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createError } from '../../../errors/catalogue.js';
import { utils } from './utils.js';

/** The packages of which `@strapi/utils` passes something on. */
const PASSED_ON: Readonly<Record<string, { readonly name: string; readonly member?: string }>> = {
  yup: { name: 'yup' },
  z: { name: 'zod', member: 'z' },
};

const REMEDIES: Readonly<Record<string, string>> = {
  yup: 'Install yup: npm install yup',
  z: 'Install zod: npm install zod',
  validateZod: 'Call safeParse of the schema.',
  convertQueryParams: 'strapi.documents takes the parameters of a query as they are.',
  queryParams: 'strapi.documents takes the parameters of a query as they are.',
  sanitizeEntity: 'Call strapi.contentAPI.sanitize.output.',
  parseMultipartData: 'Read ctx.request.body and ctx.request.files.',
};

/** Properties that generic code reads from any module. */
const ASKED_OF_ALL: ReadonlySet<string> = new Set(['then', 'toJSON', 'constructor', 'prototype', 'inspect']);

/** Finds a package in the node_modules of a folder or one above. Null: it is not installed. */
const findPackage = (root: string, name: string): string | null => {
  const folder = join(root, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(root);
  return parent === root ? null : findPackage(parent, name);
};

const require = createRequire(import.meta.url);

const memberOf = (loaded: unknown, key: string): unknown =>
  typeof loaded === 'object' && loaded !== null ? (Reflect.get(loaded, key) as unknown) : undefined;

const loadInstalled = (root: string, key: string): unknown => {
  const installed = findPackage(root, '@strapi/utils');
  const found = installed === null ? undefined : memberOf(require(installed), key);
  const source = Object.hasOwn(PASSED_ON, key) ? PASSED_ON[key] : undefined;
  if (found !== undefined || source === undefined) return found;
  const folder = findPackage(root, source.name);
  if (folder === null) return undefined;
  const loaded: unknown = require(folder);
  return source.member === undefined ? loaded : memberOf(loaded, source.member);
};

/** Stands for what is nowhere: files that import it load, and its use is an error that names it. */
const createMissing = (key: string, remedy: string): unknown => {
  const fail = (): never => {
    throw createError('strapi/unavailable-call', { call: `${key} of '@strapi/utils'`, remedy });
  };
  return new Proxy(fail, {
    get: (target, property): unknown =>
      typeof property === 'symbol' || ASKED_OF_ALL.has(property) ? Reflect.get(target, property) : fail(),
    construct: fail,
  });
};

/**
 * Creates `@strapi/utils` for a project. Members that Galley lacks come from the installed package, if there
 * is one, and from the packages that it re-exports.
 *
 * @throws `strapi/unavailable-call` from using what is nowhere
 */
export function createUtils(root: string): object {
  const proxy: object = new Proxy(
    { ...utils },
    {
      get: (object, key): unknown => {
        if (key === '__esModule') return true;
        if (key === 'default') return proxy;
        if (typeof key === 'symbol' || key in object || ASKED_OF_ALL.has(key))
          return Reflect.get(object, key);
        const installed = loadInstalled(root, key);
        if (installed !== undefined) return installed;
        const remedy = Object.hasOwn(REMEDIES, key) ? REMEDIES[key] : undefined;
        return createMissing(key, remedy ?? `Available: ${Object.keys(object).join(', ')}.`);
      },
    },
  );
  return proxy;
}
