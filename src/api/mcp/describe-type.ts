import { componentOf } from '../../model/lookup.js';
import type { ScalarTypeName } from '../../model/fields/field-type.js';
import { isContentType } from '../../query/schema-fields.js';
import type { AttributeDefinition, Definitions } from '../../model/content-types/definition.js';
import type { Attribute, ContentModel, ContentSchema, ScalarAttribute } from '../../model/model.js';

type Values = Readonly<Record<string, unknown>>;

/** Options of schema files that describe neither values nor constraints. */
const OMITTED = new Set(['pluginOptions', 'configurable', 'index', 'search', 'searchable', 'customField']);

const definitionsOf = (
  { types, components }: Pick<Definitions, 'types' | 'components'>,
  uid: string,
): readonly AttributeDefinition[] =>
  [...types, ...components].find((schema) => schema.uid === uid)?.attributes ?? [];

/** Returns an attribute in the form of schema files. */
const describeAttribute = (
  attribute: Attribute,
  definition: AttributeDefinition | undefined,
  isLocalizedType: boolean,
): Values => {
  const options = Object.entries(definition?.options ?? {}).filter(
    ([name, value]) => !OMITTED.has(name) && value !== false,
  );
  return {
    type: attribute.type,
    ...Object.fromEntries(options.filter(([name]) => name !== 'type')),
    ...(attribute.writable ? {} : { writable: false }),
    ...(isLocalizedType && !attribute.localized ? { sharedByLocales: true } : {}),
  };
};

const PARAGRAPH = [{ type: 'paragraph', children: [{ type: 'text', text: 'Text' }] }];

const SCALAR_EXAMPLES: Readonly<Record<ScalarTypeName, unknown>> = {
  string: 'Text',
  text: 'Longer text',
  richtext: '## Heading\n\nA *Markdown* text',
  blocks: PARAGRAPH,
  email: 'ada@example.com',
  password: 'a-long-password',
  uid: 'a-slug',
  enumeration: 'value',
  integer: 1,
  biginteger: '9007199254740993',
  float: 1.5,
  decimal: 9.95,
  boolean: true,
  date: '2026-01-31',
  time: '09:30:00',
  datetime: '2026-01-31T09:30:00.000Z',
  timestamp: '2026-01-31T09:30:00.000Z',
  json: { key: 'value' },
};

const scalarExample = ({ type, constraints }: ScalarAttribute): unknown => {
  const { enum: values, min, max, minLength = 0, maxLength } = constraints;
  if (values !== undefined) return values[0];
  const example = SCALAR_EXAMPLES[type];
  if (typeof example === 'string' && type !== 'biginteger')
    return example.padEnd(minLength, 'x').slice(0, maxLength);
  const bound = min ?? max;
  return bound === undefined ? example : typeof bound === 'bigint' ? String(bound) : bound;
};

const listOf = (example: unknown, many: boolean): unknown => (many ? [example] : example);

const exampleOf = (model: ContentModel, attribute: Attribute): unknown => {
  switch (attribute.family) {
    case 'scalar':
      return scalarExample(attribute);
    case 'component':
      return listOf(exampleData(model, componentOf(model, attribute.component)), attribute.repeatable);
    case 'dynamiczone':
      return attribute.components
        .slice(0, 1)
        .map((uid) => ({ __component: uid, ...exampleData(model, componentOf(model, uid)) }));
    case 'media':
      return listOf('<id of a file>', attribute.many);
    default: {
      const example =
        attribute.target === null
          ? { documentId: '<documentId>', __type: attribute.targets?.[0] ?? '<uid>' }
          : `<documentId of ${attribute.target}>`;
      return attribute.many ? { connect: [example] } : example;
    }
  }
};

/** Returns data that create a document or component with every attribute that clients may write. */
function exampleData(model: ContentModel, schema: ContentSchema, names?: ReadonlySet<string>): Values {
  const written = Object.values(schema.attributes).filter(
    ({ name, writable }) => writable && (names === undefined || names.has(name)),
  );
  return Object.fromEntries(written.map((attribute) => [attribute.name, exampleOf(model, attribute)]));
}

/** Describes a content-type or a component: its attributes, and data that create one. */
export function describeSchema(
  model: ContentModel,
  definitions: Pick<Definitions, 'types' | 'components'>,
  schema: ContentSchema,
  isVisible: (name: string) => boolean,
): Values {
  const defined = new Map(definitionsOf(definitions, schema.uid).map((each) => [each.name, each]));
  const isLocalized = isContentType(schema) && schema.localized;
  const visible = Object.values(schema.attributes).filter(
    (attribute) => !attribute.private && isVisible(attribute.name),
  );
  const traits = isContentType(schema)
    ? { kind: schema.kind, draftAndPublish: schema.draftAndPublish, localized: schema.localized }
    : { kind: 'component' };
  return {
    uid: schema.uid,
    displayName: schema.displayName,
    ...(schema.description === '' ? {} : { description: schema.description }),
    ...traits,
    attributes: Object.fromEntries(
      visible.map((attribute) => [
        attribute.name,
        describeAttribute(attribute, defined.get(attribute.name), isLocalized),
      ]),
    ),
    example: exampleData(model, schema, new Set(visible.map(({ name }) => name))),
  };
}
