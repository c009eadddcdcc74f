import { isRecord } from '../../lib/is-record.js';
import type { Attribute, ContentModel, ContentSchema } from '../../model/model.js';

type Data = Readonly<Record<string, unknown>>;

const knownItem = (model: ContentModel, attribute: Attribute, item: unknown): unknown => {
  if (!isRecord(item)) return item;
  if (attribute.family !== 'component' && attribute.family !== 'dynamiczone') return item;
  const uid = attribute.family === 'component' ? attribute.component : item['__component'];
  const schema = typeof uid === 'string' ? model.componentsByUid[uid] : undefined;
  if (schema === undefined) return item;
  const { id, __component } = item;
  return {
    ...(id === undefined || id === null ? {} : { id }),
    ...(__component === undefined || attribute.family === 'component' ? {} : { __component }),
    ...knownData(model, schema, item),
  };
};

const knownValue = (model: ContentModel, attribute: Attribute, value: unknown): unknown => {
  if (attribute.family === 'scalar') return value;
  return Array.isArray(value)
    ? value.map((item: unknown) => knownItem(model, attribute, item))
    : knownItem(model, attribute, value);
};

/**
 * Returns the data without keys that the schema lacks, in components, too. Code on the server often writes
 * back what it has read, and Strapi leaves such keys alone, whereas a client is told of them.
 */
export function knownData(model: ContentModel, schema: ContentSchema, data: Data): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
      return attribute === undefined || value === undefined
        ? []
        : [[name, knownValue(model, attribute, value)] as const];
    }),
  );
}

/** Returns what code passes beside the attributes, which only its middlewares and listeners read. */
export function unknownData({ attributes }: ContentSchema, data: unknown): Record<string, unknown> {
  if (!isRecord(data)) return {};
  return Object.fromEntries(Object.entries(data).filter(([name]) => !Object.hasOwn(attributes, name)));
}
