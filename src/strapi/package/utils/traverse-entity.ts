import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import { isRecord } from '../../../lib/is-record.js';

type Values = Record<string, unknown>;

interface Schema {
  readonly attributes: Readonly<Record<string, Values>>;
}

interface Path {
  readonly raw: string | null;
  readonly attribute: string | null;
}

interface TraverseOptions {
  readonly schema: Schema;
  readonly getModel: (uid: string) => Schema | undefined;
  readonly path?: Path;
  readonly parent?: unknown;
}

type Visitor = (
  visited: Values,
  change: { readonly remove: (key: string) => void; readonly set: (key: string, value: unknown) => void },
) => unknown;

/** Undefined: nothing below the value has a schema. */
const schemaBelow = (attribute: Values, value: Values, { getModel }: TraverseOptions): Schema | undefined => {
  switch (attribute['type']) {
    case 'component':
      return getModel(String(attribute['component']));
    case 'dynamiczone':
      return getModel(String(value['__component']));
    case 'media':
      return getModel(FILE_UID);
    case 'relation':
      return getModel(String(attribute['target'] ?? value['__type']));
    default:
      return undefined;
  }
};

const join = (path: string | null, name: string): string => (path === null ? name : `${path}.${name}`);

const visitBelow = async (
  visitor: Visitor,
  options: TraverseOptions,
  { attribute, value }: { readonly attribute: Values; readonly value: unknown },
): Promise<unknown> => {
  if (Array.isArray(value))
    return Promise.all(
      value.map((item: unknown) => visitBelow(visitor, options, { attribute, value: item })),
    );
  const schema = isRecord(value) ? schemaBelow(attribute, value, options) : undefined;
  return schema === undefined ? value : traverseEntity(visitor, { ...options, schema }, value);
};

/** `traverseEntity` of `@strapi/utils`: calls a function for each member of data, which it may change. */
export async function traverseEntity(
  visitor: Visitor,
  options: TraverseOptions,
  entity: unknown,
): Promise<unknown> {
  if (!isRecord(entity)) return entity;
  const { schema, getModel, parent, path = { raw: null, attribute: null } } = options;
  const data: Values = { ...entity };
  const change = {
    remove: (key: string): void => void Reflect.deleteProperty(data, key),
    set: (key: string, value: unknown): void => {
      data[key] = value;
    },
  };
  for (const key of Object.keys(data)) {
    const attribute = Object.hasOwn(schema.attributes, key) ? schema.attributes[key] : undefined;
    const below = {
      raw: join(path.raw, key),
      attribute: attribute === undefined ? path.attribute : join(path.attribute, key),
    };
    await visitor({ data, schema, key, value: data[key], attribute, path: below, getModel, parent }, change);
    const value = data[key];
    if (attribute === undefined || value === undefined || value === null) continue;
    const inside = { ...options, path: below, parent: { schema, key, attribute, path: below } };
    data[key] = await visitBelow(visitor, inside, { attribute, value });
  }
  return data;
}
