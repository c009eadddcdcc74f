import { isRecord } from '../../lib/is-record.js';
import type { Definitions } from '../../model/content-types/definition.js';
import type { ProjectRoute } from '../http/routes.js';
import { createStrapiServer } from '../http/strapi-server.js';
import { copyTypes } from '../plugins/copy-types.js';
import { createPlaceholder } from '../plugins/unopened.js';
import { createCustomFields } from '../runtime/custom-fields.js';

type Values = Readonly<Record<string, unknown>>;

/** A `strapi` that records the calls of code before anything is open. */
export interface Recorder {
  readonly strapi: object;
  /** The argument of `register`: an object with `strapi` and the other properties that it takes. */
  readonly context: object;
  /** All schemas as they are now, by uid. */
  readonly schemas: () => Readonly<Record<string, Values>>;
  /** The base types of the custom fields that were registered, by uid. */
  readonly customFields: () => Readonly<Record<string, string>>;
  /** The routes that were added. */
  readonly routes: () => readonly ProjectRoute[];
}

/** The keys of a schema that code may change. Strapi adds others, which mean nothing to the model. */
const SCHEMA_KEYS: readonly string[] = [
  'kind',
  'collectionName',
  'info',
  'options',
  'pluginOptions',
  'indexes',
  'attributes',
];

const attributesOf = (
  attributes: Definitions['types'][number]['attributes'],
): Readonly<Record<string, Values>> =>
  Object.fromEntries(attributes.map(({ name, type, options }) => [name, { ...options, type }]));

const describeTypes = ({ types }: RecorderOptions['definitions']): Record<string, Values> =>
  Object.fromEntries(
    types.map((type) => [
      type.uid,
      {
        uid: type.uid,
        modelType: 'contentType',
        modelName: type.singularName,
        kind: type.kind,
        collectionName: type.collectionName,
        info: {
          singularName: type.singularName,
          pluralName: type.pluralName,
          displayName: type.displayName,
          description: type.description,
        },
        options: { ...type.options, draftAndPublish: type.draftAndPublish },
        pluginOptions: { ...type.pluginOptions },
        attributes: attributesOf(type.attributes),
      },
    ]),
  );

const describeComponents = ({ components }: RecorderOptions['definitions']): Record<string, Values> =>
  Object.fromEntries(
    components.map((component) => [
      component.uid,
      {
        uid: component.uid,
        modelType: 'component',
        modelName: component.name,
        category: component.category,
        collectionName: component.collectionName,
        info: { displayName: component.displayName },
        options: {},
        attributes: attributesOf(component.attributes),
      },
    ]),
  );

const schemaOf = (type: unknown): Values => {
  if (!isRecord(type)) return {};
  const schema = isRecord(type['schema']) ? type['schema'] : type;
  return Object.fromEntries(Object.entries(schema).filter(([key]) => SCHEMA_KEYS.includes(key)));
};

/** The registry that `strapi.get('content-types')` returns. */
const createRegistry = (types: Record<string, unknown>) => ({
  get: (uid: string) => types[uid],
  getAll: () => types,
  keys: () => Object.keys(types),
  set: (uid: string, type: unknown) => {
    types[uid] = type;
  },
  add: (namespace: string, added: Values) => {
    for (const [name, type] of Object.entries(added))
      types[`${namespace}${namespace.endsWith('.') ? '' : '.'}${name}`] = type;
  },
  extend: (uid: string, change: (type: unknown) => unknown) => {
    types[uid] = change(types[uid]) ?? types[uid];
  },
});

/** Types and controllers of one plugin. */
const pluginOf = (types: Readonly<Record<string, unknown>>, name: string): object => {
  const own = Object.entries(types).filter(([uid]) => uid.startsWith(`plugin::${name}.`));
  const contentTypes = Object.fromEntries(own.map(([uid, type]) => [uid.split('.')[1] ?? uid, type]));
  return withPlaceholders({ contentTypes, contentType: (key: string) => contentTypes[key] });
};

const withPlaceholders = (known: object): object =>
  new Proxy(known, {
    get: (object, key): unknown =>
      key in object || typeof key === 'symbol' || key === 'then'
        ? Reflect.get(object, key)
        : createPlaceholder(),
  });

export interface RecorderOptions {
  readonly definitions: Pick<Definitions, 'types' | 'components'>;
  /** The properties of `strapi` that are known before anything is open. */
  readonly known: object;
  /** The prefix of the API. */
  readonly prefix: string;
}

/** Creates a recorder over copies of the schemas. */
export function createRecorder({ definitions, known, prefix }: RecorderOptions): Recorder {
  const contentTypes: Record<string, unknown> = copyTypes(describeTypes(definitions));
  const components: Record<string, unknown> = copyTypes(describeComponents(definitions));
  const customFields = createCustomFields();
  const routes: ProjectRoute[] = [];
  const server = createStrapiServer(
    {
      addRoutes: (added) => void routes.push(...added),
      routes: () => routes,
      use: () => undefined,
      app: createPlaceholder as () => never,
    },
    prefix,
    createPlaceholder as () => never,
  );
  const registries: Readonly<Record<string, unknown>> = {
    'content-types': createRegistry(contentTypes),
    components: createRegistry(components),
    'custom-fields': customFields,
  };
  const plugin = (name: string): object => pluginOf(contentTypes, name);
  const strapi = withPlaceholders({
    ...known,
    contentTypes,
    components,
    contentType: (uid: string) => contentTypes[uid],
    getModel: (uid: string) => contentTypes[uid] ?? components[uid],
    customFields,
    server,
    plugin,
    plugins: new Proxy({}, { get: (_target, name) => plugin(String(name)) }),
    get: (name: string) => registries[name] ?? createPlaceholder(),
  });
  return {
    strapi,
    context: withPlaceholders({ strapi }),
    schemas: () =>
      copyTypes(
        Object.fromEntries(
          Object.entries({ ...contentTypes, ...components }).map(([uid, type]) => [uid, schemaOf(type)]),
        ),
      ) as Readonly<Record<string, Values>>,
    customFields: () =>
      Object.fromEntries(Object.entries(customFields.getAll()).map(([uid, { type }]) => [uid, type])),
    routes: () => [...routes],
  };
}
