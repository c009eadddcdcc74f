import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { processEnv } from '../../../config/strapi/load-strapi-config.js';
import { createError } from '../../../errors/catalogue.js';
import type { ErrorDetails } from '../../../errors/galley-error.js';
import * as projectErrors from '../../../errors/project-errors.js';
import { isRecord, propertyOf } from '../../../lib/records.js';
import { COMPARISON_OPERATORS } from '../../../query/query.js';
import { findPackage } from '../../configuration.js';
import { contentTypes, relations, traverseEntity } from './content-types.js';
import { async, hooks, policy, providerFactory } from './functions.js';
import {
  arrays,
  dates,
  file,
  objects,
  pagination,
  parseType,
  setCreatorFields,
  strings,
  template,
} from './values.js';

const { ValidationError } = projectErrors;

const parsePath = (path: unknown): readonly string[] =>
  typeof path === 'string' ? (path.match(/[^.[\]"']+/g) ?? []) : [];

const issueOf = (error: unknown): Record<string, unknown> => {
  const { path, message, name, value } =
    isRecord(error) || error instanceof Error ? (error as unknown as Record<string, unknown>) : {};
  return { path: parsePath(path), message, name, value };
};

/** A ValidationError with the issues of a yup schema. */
class YupValidationError extends ValidationError {
  constructor(error: { readonly message?: string; readonly inner?: readonly unknown[] }, message?: string) {
    const inner = error.inner ?? [];
    const errors = inner.length === 0 ? [issueOf(error)] : inner.map(issueOf);
    super(message ?? error.message, { errors } as unknown as ErrorDetails);
  }
}

const require = createRequire(import.meta.url);

/** The error classes of `@strapi/utils`, which are Galley's where Galley has them. */
export const errors = {
  ...projectErrors,
  YupValidationError,
  /** The class of the errors that `ctx.throw` creates. */
  get HttpError(): unknown {
    return (require('koa') as { readonly HttpError: unknown }).HttpError;
  },
};

interface YupSchema {
  readonly validate: (body: unknown, options: object) => Promise<unknown>;
  readonly validateSync: (body: unknown, options: object) => unknown;
}

const YUP_OPTIONS = { strict: true, abortEarly: false };

const fromYup = (error: unknown, message: string | undefined): unknown =>
  error instanceof Error && error.name === 'ValidationError' && 'inner' in error
    ? new errors.YupValidationError(
        error as ConstructorParameters<typeof errors.YupValidationError>[0],
        message,
      )
    : error;

const GROUPS: readonly string[] = ['$and', '$or'];
const WHERE: readonly string[] = ['$not', ...COMPARISON_OPERATORS];
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  where: WHERE,
  group: GROUPS,
  array: ['$in', '$notIn', '$between'],
  cast: ['$not', '$in', '$notIn', '$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$between'],
};

const isOperatorOfType = (type: string, key: string, ignoresCase = false): boolean =>
  (OPERATORS[type] ?? []).some((name) =>
    ignoresCase ? name.toLowerCase() === key.toLowerCase() : name === key,
  );

interface ContentApi {
  readonly sanitize: object;
  readonly validate: object;
}

const contentApi = (): ContentApi =>
  (Reflect.get(globalThis, 'strapi') as { readonly contentAPI: ContentApi }).contentAPI;

/** The exports of `@strapi/utils` for server code. */
const utils: Readonly<Record<string, unknown>> = {
  errors,
  env: processEnv,
  async,
  hooks,
  policy,
  providerFactory,
  contentTypes,
  relations,
  pagination,
  parseType,
  traverseEntity,
  strings,
  arrays,
  objects,
  dates,
  file,
  template,
  setCreatorFields,
  /** These validate and sanitize as `strapi.contentAPI` does. */
  sanitize: { createAPISanitizers: () => contentApi().sanitize },
  validate: { createAPIValidators: () => contentApi().validate },
  isOperatorOfType,
  isOperator: (key: string, ignoresCase?: boolean) =>
    Object.keys(OPERATORS).some((type) => isOperatorOfType(type, key, ignoresCase)),
  generateInstallId: () => randomUUID(),
  validateYupSchema:
    (schema: YupSchema, options: object = {}) =>
    async (body: unknown, message?: string): Promise<unknown> => {
      try {
        return await schema.validate(body, { ...YUP_OPTIONS, ...options });
      } catch (error) {
        throw fromYup(error, message);
      }
    },
  validateYupSchemaSync:
    (schema: YupSchema, options: object = {}) =>
    (body: unknown, message?: string): unknown => {
      try {
        return schema.validateSync(body, { ...YUP_OPTIONS, ...options });
      } catch (error) {
        throw fromYup(error, message);
      }
    },
};

/** The packages that `@strapi/utils` re-exports. */
const REEXPORTED: Readonly<Record<string, { readonly name: string; readonly member?: string }>> = {
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
const GENERIC_PROPERTIES: ReadonlySet<string> = new Set([
  'then',
  'toJSON',
  'constructor',
  'prototype',
  'inspect',
]);

const loadInstalled = (root: string, key: string): unknown => {
  const installed = findPackage(root, '@strapi/utils');
  const found = installed === null ? undefined : propertyOf(require(installed), key);
  const source = Object.hasOwn(REEXPORTED, key) ? REEXPORTED[key] : undefined;
  if (found !== undefined || source === undefined) return found;
  const folder = findPackage(root, source.name);
  if (folder === null) return undefined;
  const loaded: unknown = require(folder);
  return source.member === undefined ? loaded : propertyOf(loaded, source.member);
};

/**
 * Creates a member that no package provides. Files that import it load; its use throws an error that names
 * it.
 */
const createMissing = (key: string, remedy: string): unknown => {
  const fail = (): never => {
    throw createError('strapi/unavailable-call', { call: `${key} of '@strapi/utils'`, remedy });
  };
  return new Proxy(fail, {
    get: (target, property): unknown =>
      typeof property === 'symbol' || GENERIC_PROPERTIES.has(property)
        ? Reflect.get(target, property)
        : fail(),
    construct: fail,
  });
};

/**
 * Creates `@strapi/utils` for a project. Members that Galley lacks come from the installed package, or from
 * the packages that it re-exports.
 *
 * @throws `strapi/unavailable-call` from using a member that no package provides
 */
export function createUtils(root: string): object {
  const proxy: object = new Proxy(
    { ...utils },
    {
      get: (object, key): unknown => {
        if (key === '__esModule') return true;
        if (key === 'default') return proxy;
        if (typeof key === 'symbol' || key in object || GENERIC_PROPERTIES.has(key))
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
