import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify';
import { isRecord } from '../../lib/records.js';
import { addVary } from '../../lib/http.js';
import type { Attribute, ContentModel, ContentSchema } from '../../model/model.js';
import type { Handler } from './handler.js';

/** The header that requests responses in the shape of Strapi 4. */
const FORMAT_HEADER = 'strapi-response-format';

/** Value of the Vary header for responses that depend on the format header. */
export const VARY_BY_FORMAT = 'Strapi-Response-Format';

const SHAPED = 'isShapedAsV4';

/** Declares the property of requests whose responses take the shape of Strapi 4. */
export function decorateShaped(fastify: FastifyInstance): void {
  fastify.decorateRequest(SHAPED, false);
}

type Schemas = Pick<ContentModel, 'typesByUid' | 'componentsByUid'>;

/** True if a request has the header for the shape of Strapi 4: `data.id` with `data.attributes`. */
export function requestsStrapi4Format({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers[FORMAT_HEADER] === 'v4';
}

const isEntry = (value: unknown): boolean => value === null || Array.isArray(value) || isRecord(value);

/** Shapes the entry of a component, whose attributes stay next to its id. */
const shapeComponent = (schemas: Schemas, value: unknown, uid: string | null): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => shapeComponent(schemas, item, uid));
  if (!isRecord(value)) return value;
  const component = String(uid ?? value['__component']);
  const schema = schemas.componentsByUid[component];
  return schema === undefined ? value : shapeAttributes(schemas, schema, value);
};

const shapeValue = (schemas: Schemas, attribute: Attribute, value: unknown): unknown => {
  if (!isEntry(value)) return value;
  if (attribute.family === 'component') return shapeComponent(schemas, value, attribute.component);
  if (attribute.family === 'dynamiczone') return shapeComponent(schemas, value, null);
  const target = 'target' in attribute ? attribute.target : null;
  const schema = target === null ? undefined : schemas.typesByUid[target];
  return schema === undefined ? value : { data: shapeEntry(schemas, schema, value) };
};

function shapeAttributes(
  schemas: Schemas,
  schema: ContentSchema,
  entry: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]): [string, unknown] => {
      const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
      if (attribute !== undefined) return [name, shapeValue(schemas, attribute, value)];
      const isOtherLocales = name === 'localizations' && Array.isArray(value);
      return [name, isOtherLocales ? { data: shapeEntry(schemas, schema, value) } : value];
    }),
  );
}

/**
 * Returns an entry, or a list of them, in the shape of Strapi 4: ids next to `attributes`, and `data` around
 * linked documents and files.
 */
export function shapeEntry(schemas: Schemas, schema: ContentSchema, entry: unknown): unknown {
  if (Array.isArray(entry)) return entry.map((item: unknown) => shapeEntry(schemas, schema, item));
  if (!isRecord(entry)) return entry;
  const { id, documentId, ...attributes } = entry;
  return { id, documentId, attributes: shapeAttributes(schemas, schema, attributes) };
}

const shapeText = (schemas: Schemas, schema: ContentSchema, text: string): string => {
  const body: unknown = JSON.parse(text);
  if (!isRecord(body) || !('data' in body)) return text;
  return JSON.stringify({ ...body, data: shapeEntry(schemas, schema, body['data']) });
};

/** Shapes a long response, whose text is sent in parts. */
const shapeLater = async (
  parts: Readable,
  shape: (text: string) => string,
  done: (error: Error | null, payload?: unknown) => void,
): Promise<void> => {
  let shaped: string;
  try {
    shaped = shape(await readText(parts));
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, shaped);
};

/**
 * Returns a handler with the hook that shapes its responses if the request asks for the shape of Strapi 4.
 * Responses of project code at the same route are not changed.
 */
export function inRequestedFormat(
  schemas: Schemas,
  schema: ContentSchema,
  handler: Handler,
): { readonly handler: Handler; readonly onSend: onSendHookHandler<unknown> } {
  return {
    handler: (request, reply) => {
      if (requestsStrapi4Format(request)) request.setDecorator(SHAPED, true);
      return handler(request, reply);
    },
    onSend: (request, reply, payload, done) => {
      if (!request.getDecorator<boolean>(SHAPED) || reply.statusCode >= 300) {
        done(null, payload);
        return;
      }
      reply.header('vary', addVary(reply.getHeader('vary'), VARY_BY_FORMAT));
      if (payload instanceof Readable)
        void shapeLater(payload, (text) => shapeText(schemas, schema, text), done);
      else done(null, typeof payload === 'string' ? shapeText(schemas, schema, payload) : payload);
    },
  };
}
