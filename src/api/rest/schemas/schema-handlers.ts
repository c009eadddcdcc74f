import type { FastifyRequest } from 'fastify';
import type { Definitions } from '../../../model/content-types/definition.js';
import { createError } from '../../../errors/catalogue.js';
import { sendJson } from '../envelope.js';
import { queryOf } from '../request-params.js';
import type { Handler } from '../rest-dependencies.js';
import type { SchemaOperation } from '../routes/schema-routes.js';
import { formatComponent, formatContentType, isVisible } from './format-schemas.js';

const KINDS: readonly unknown[] = [undefined, 'singleType', 'collectionType'];

const uidOf = (request: FastifyRequest): string => (request.params as { readonly uid: string }).uid;

const handler =
  (dataOf: (request: FastifyRequest) => unknown): Handler =>
  async (request, reply) => {
    const data = dataOf(request);
    if (data === null) throw createError('request/not-found');
    return sendJson(reply, 200, JSON.stringify({ data }));
  };

/** Returns the handlers that describe content-types and components, as Strapi's content-type builder does. */
export function schemaHandlers({
  types,
  components,
}: Pick<Definitions, 'types' | 'components'>): Readonly<Record<SchemaOperation, Handler>> {
  return {
    getContentTypes: handler((request) => {
      const { kind } = queryOf(request);
      if (!KINDS.includes(kind))
        throw createError('request/invalid-parameter', {
          parameter: 'kind',
          reason: 'it must be singleType or collectionType.',
        });
      return types.filter((type) => kind === undefined || type.kind === kind).map(formatContentType);
    }),
    getContentType: handler((request) => {
      const type = types.find(({ uid }) => uid === uidOf(request));
      return type !== undefined && isVisible(type) ? formatContentType(type) : null;
    }),
    getComponents: handler(() => components.map(formatComponent)),
    getComponent: handler((request) => {
      const component = components.find(({ uid }) => uid === uidOf(request));
      return component === undefined ? null : formatComponent(component);
    }),
  };
}
