import { randomUUID } from 'node:crypto';
import { processEnv } from '../../../config/strapi/create-env.js';
import { COMPARISON_OPERATORS } from '../../../query/query.js';
import { contentTypes, relations } from './content-types.js';
import { errors } from './errors.js';
import { async, hooks, policy, providerFactory } from './functions.js';
import { pagination } from './pagination.js';
import { parseType } from './parse-type.js';
import { traverseEntity } from './traverse-entity.js';
import { arrays, dates, file, objects, setCreatorFields, strings, template } from './values.js';

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
export const utils: Readonly<Record<string, unknown>> = {
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
  /** They check and clean as `strapi.contentAPI` does. */
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
