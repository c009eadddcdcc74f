import { ValidationError } from '../../../errors/project-errors.js';
import { isRecord } from '../../../lib/records.js';
import { typeOf } from '../../../model/lookup.js';
import { NO_LOCALE } from '../../../model/model.js';
import type { ContentType } from '../../../model/model.js';
import { parseLocale } from '../../../query/parse/parse-version.js';
import { invalidParameter } from '../../../query/read-context.js';
import { requestsStrapi4Format, shapeEntry } from '../../../api/rest/response-format.js';
import { assertMetadata } from '../../../documents/validation/assert-shape.js';
import { unsupportedKey } from '../../../documents/validation/issues.js';
import { parseRevision } from '../../../documents/write/precondition.js';
import { parseIfMatch } from '../../../lib/http.js';
import { IF_MATCH } from '../../database/document-params.js';
import type { Context } from '../context.js';
import { UNKNOWN_CALLER, applyOverrides, markCore } from './core.js';
import type { Action, CoreController, CoreStrapi, Overrides, SanitizeOptions, Tools } from './core.js';
import { serviceOf } from './core-service.js';

type Actions = Readonly<Record<string, Action>>;

/** Returns the caller and the route for sanitizing. Routes without authentication have an unknown caller. */
const sanitizeOptions = ({ config }: CoreStrapi, { state }: Context): SanitizeOptions => ({
  auth: state.auth ?? UNKNOWN_CALLER,
  route: state.route,
  strictParams: config.api.rest.strictParams,
});

const dataOf = ({ request }: Context): unknown => {
  const data = isRecord(request.body) ? request.body['data'] : undefined;
  if (typeof data !== 'object' || data === null)
    throw new ValidationError('Missing "data" payload in the request body');
  return data;
};

const createHelpers = (strapi: CoreStrapi, type: ContentType): CoreController => ({
  validateQuery: async (context) =>
    strapi.contentAPI.validate.query(context.query, type, sanitizeOptions(strapi, context)),
  sanitizeQuery: async (context) =>
    (await strapi.contentAPI.sanitize.query(context.query, type, sanitizeOptions(strapi, context))) as Record<
      string,
      unknown
    >,
  validateInput: async (data, context) =>
    strapi.contentAPI.validate.input(data, type, sanitizeOptions(strapi, context)),
  sanitizeInput: async (data, context) =>
    strapi.contentAPI.sanitize.input(data, type, sanitizeOptions(strapi, context)),
  sanitizeOutput: async (data, context) =>
    strapi.contentAPI.sanitize.output(data, type, sanitizeOptions(strapi, context)),
  transformResponse: (data, meta = {}) => {
    if ((data ?? null) === null) return data;
    const context = strapi.requestContext.get();
    if (context === undefined || !requestsStrapi4Format(context.req)) return { data, meta };
    return { data: shapeEntry(strapi.model, typeOf(strapi.model, type.uid), data), meta };
  },
});

/** The query parameters that select the version to write. */
const VERSION_PARAMETERS: readonly string[] = ['status', 'locale'];

const readOne = async (controller: CoreController, entity: unknown, context: Context): Promise<unknown> =>
  controller.transformResponse(await controller.sanitizeOutput(entity, context));

/** The dependencies that the actions of one type share. */
interface ActionContext {
  readonly strapi: CoreStrapi;
  readonly type: ContentType;
}

/**
 * Rejects parameters that a client sends where no write reads them. Code may read other keys, and move these.
 * The time of publication and, as over REST, metadata of new localized documents have no effect.
 */
const assertWrite = async (
  { strapi, type }: ActionContext,
  { query, request: { body } }: Context,
  isNew: boolean,
): Promise<void> => {
  if (!isRecord(body)) return;
  const misplaced = VERSION_PARAMETERS.find((key) => body[key] !== undefined && body[key] !== query[key]);
  if (misplaced !== undefined)
    throw unsupportedKey(misplaced, `it is a parameter of the address: ?${misplaced}=….`);
  const { data } = body;
  if (!isRecord(data) || (isNew && type.localized)) return;
  const { publishedAt, ...others } = data;
  const locale = !type.localized
    ? NO_LOCALE
    : parseLocale(query['locale'], await strapi.plugin('i18n').service('locales').getDefaultLocale());
  assertMetadata(type, typeof publishedAt === 'string' ? others : data, {
    isNew,
    locale,
    publish: !type.draftAndPublish || query['status'] !== 'draft',
    publishedAt: null,
  });
};

/** Rejects `status`, since DELETE removes all versions. */
const assertDelete = ({ query }: Context): void => {
  if (query['status'] === undefined) return;
  throw invalidParameter(
    'status',
    'DELETE removes all versions of a locale. The bulk action unpublish removes only published versions.',
  );
};

/**
 * Returns the parameters with the precondition of the request. It is `*` or an `updatedAt`, because responses
 * of project code have no ETag.
 *
 * @throws `request/invalid-parameter`
 */
const withIfMatch = <Params extends object>(params: Params, { req }: Context): Params => {
  const etags = parseIfMatch(req.headers['if-match']);
  if (etags === undefined) return params;
  const text = etags.length === 1 ? String(etags[0]).slice(1, -1) : '';
  return { ...params, [IF_MATCH]: etags === '*' ? { kind: 'exists' } : parseRevision(text) };
};

/** Validates and sanitizes the query and the data of a write. */
const readWrite = async (
  controller: CoreController,
  context: Context,
  action: ActionContext & { readonly isNew: boolean },
): Promise<Record<string, unknown> & { readonly data: unknown }> => {
  await controller.validateQuery(context);
  const query = await controller.sanitizeQuery(context);
  const data = dataOf(context);
  await assertWrite(action, context, action.isNew);
  await controller.validateInput(data, context);
  const params = { ...query, data: await controller.sanitizeInput(data, context) };
  return action.isNew ? params : withIfMatch(params, context);
};

const collectionActions = (strapi: CoreStrapi, type: ContentType): Actions => ({
  async find(context) {
    await this.validateQuery(context);
    const { results, pagination } = await serviceOf(strapi, type.uid).find(await this.sanitizeQuery(context));
    return this.transformResponse(await this.sanitizeOutput(results, context), { pagination });
  },
  async findOne(context) {
    await this.validateQuery(context);
    const query = await this.sanitizeQuery(context);
    return readOne(this, await serviceOf(strapi, type.uid).findOne(context.params['id'], query), context);
  },
  async create(context) {
    const entity = await serviceOf(strapi, type.uid).create(
      await readWrite(this, context, { strapi, type, isNew: true }),
    );
    const created = await readOne(this, entity, context);
    context.status = 201;
    return created;
  },
  async update(context) {
    const params = await readWrite(this, context, { strapi, type, isNew: false });
    return readOne(this, await serviceOf(strapi, type.uid).update(context.params['id'], params), context);
  },
  async delete(context) {
    assertDelete(context);
    await this.validateQuery(context);
    const params = withIfMatch(await this.sanitizeQuery(context), context);
    await serviceOf(strapi, type.uid).delete(context.params['id'], params);
    context.status = 204;
  },
});

const singleActions = (strapi: CoreStrapi, type: ContentType): Actions => ({
  async find(context) {
    await this.validateQuery(context);
    const query = await this.sanitizeQuery(context);
    return readOne(this, await serviceOf(strapi, type.uid).find(query), context);
  },
  async update(context) {
    const params = await readWrite(this, context, { strapi, type, isNew: false });
    return readOne(this, await serviceOf(strapi, type.uid).createOrUpdate(params), context);
  },
  async delete(context) {
    assertDelete(context);
    await serviceOf(strapi, type.uid).delete(withIfMatch(await this.sanitizeQuery(context), context));
    context.status = 204;
  },
});

/** The methods that actions call. If a project replaces one, all actions count as replaced. */
export const HELPER_NAMES: readonly string[] = [
  'validateQuery',
  'sanitizeQuery',
  'validateInput',
  'sanitizeInput',
  'sanitizeOutput',
  'transformResponse',
];

const createBase = (strapi: CoreStrapi, type: ContentType): object => {
  const actions = type.kind === 'singleType' ? singleActions(strapi, type) : collectionActions(strapi, type);
  return Object.assign(Object.create(markCore(createHelpers(strapi, type))) as object, markCore(actions));
};

/** `factories.createCoreController` */
export function createCoreController(uid: string, overrides?: Overrides): (tools: Tools) => object {
  return (tools) => {
    const type = tools.strapi.contentType(uid);
    if (type === undefined) throw new Error(`createCoreController: there is no content-type ${uid}`);
    return applyOverrides(createBase(tools.strapi, type), overrides, tools);
  };
}
