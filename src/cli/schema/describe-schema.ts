import { targetsOf } from '../../model/lookup.js';
import { CALLER } from '../../model/model.js';
import type { Attribute, Component, ContentSchema, ContentType, LinkAttribute } from '../../model/model.js';
import type { Style } from '../terminal/terminal.js';
import { printKeyValues, printTable } from '../terminal/text-layout.js';

const linkOptions = (attribute: LinkAttribute): Readonly<Record<string, unknown>> => {
  const { target } = attribute;
  if (attribute.family === 'media')
    return { multiple: attribute.many, allowedTypes: attribute.allowedTypes, target };
  return {
    relation: attribute.relation,
    ...(target === null ? {} : { target }),
    ...(attribute.targets === undefined ? {} : { targets: attribute.targets }),
    ...(attribute.counterpart === null ? {} : { counterpart: attribute.counterpart }),
    ...(attribute.defaultsToCaller === true ? { default: CALLER } : {}),
  };
};

type Constraints = Extract<Attribute, { family: 'scalar' }>['constraints'];

const asJson = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  return value instanceof RegExp ? value.source : value;
};

const constraintOptions = ({
  required: _required,
  ...constraints
}: Constraints): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(constraints)
      .filter(([, value]) => value !== undefined && value !== false)
      .map(([name, value]) => [name, asJson(value)]),
  );

const boundOptions = ({ min, max }: { readonly min: number | null; readonly max: number | null }) => ({
  ...(min === null ? {} : { min }),
  ...(max === null ? {} : { max }),
});

const familyOptions = (attribute: Attribute): Readonly<Record<string, unknown>> => {
  switch (attribute.family) {
    case 'scalar':
      return {
        ...constraintOptions(attribute.constraints),
        ...(attribute.isIndexed ? { index: true } : {}),
        ...(attribute.isSearched ? { search: true } : {}),
        ...(attribute.default === undefined ? {} : { default: asJson(attribute.default) }),
      };
    case 'relation':
    case 'media':
      return linkOptions(attribute);
    case 'component':
      return {
        component: attribute.component,
        repeatable: attribute.repeatable,
        ...boundOptions(attribute),
      };
    case 'dynamiczone':
      return { components: attribute.components, ...boundOptions(attribute) };
  }
};

/** Returns the settings of an attribute as values for `--json`, named as in schema files. */
function optionsOf(attribute: Attribute): Readonly<Record<string, unknown>> {
  const { condition } = attribute;
  return {
    ...familyOptions(attribute),
    ...(condition === undefined ? {} : { conditions: { visible: condition.rule } }),
  };
}

/** An attribute as `--json` prints it. */
export interface AttributeSummary {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly private: boolean;
  readonly localized: boolean;
  /** Further settings as text: `maxLength 120`, `manyToOne api::author.author (articles)`. */
  readonly details: readonly string[];
  /** The same settings as values, named as in schema files. Absent if nothing is set. */
  readonly options: Readonly<Record<string, unknown>>;
}

const linkDetails = (attribute: LinkAttribute): readonly string[] => {
  if (attribute.family === 'media')
    return [attribute.many ? 'several' : 'one', attribute.allowedTypes.join('|')].filter(
      (text) => text !== '',
    );
  const target = targetsOf(attribute).join('|');
  return [
    attribute.relation,
    target,
    ...(attribute.counterpart === null ? [] : [`inverse ${attribute.counterpart}`]),
    ...(attribute.defaultsToCaller === true ? [`default ${CALLER}`] : []),
  ].filter((text) => text !== '');
};

type Bound = number | bigint | string | null;

const bounds = (attribute: { readonly min?: Bound; readonly max?: Bound }): readonly string[] =>
  (['min', 'max'] as const).flatMap((key) =>
    attribute[key] === undefined || attribute[key] === null ? [] : [`${key} ${String(attribute[key])}`],
  );

const scalarDetails = ({
  constraints,
  isIndexed,
  isSearched,
  default: fallback,
}: Extract<Attribute, { family: 'scalar' }>): readonly string[] => [
  ...(constraints.unique ? ['unique'] : []),
  ...(isIndexed ? ['index'] : []),
  ...(isSearched ? ['search'] : []),
  ...(constraints.enum === undefined ? [] : [constraints.enum.join('|')]),
  ...(constraints.targetField === undefined
    ? []
    : [`${constraints.generate === true ? 'generated ' : ''}from ${constraints.targetField}`]),
  ...bounds(constraints),
  ...(['minLength', 'maxLength'] as const).flatMap((key) =>
    constraints[key] === undefined ? [] : [`${key} ${constraints[key]}`],
  ),
  ...(constraints.regex === undefined ? [] : [String(constraints.regex)]),
  ...(fallback === undefined
    ? []
    : [`default ${typeof fallback === 'object' ? JSON.stringify(fallback) : String(fallback)}`]),
];

const detailsOf = (attribute: Attribute): readonly string[] => {
  switch (attribute.family) {
    case 'scalar':
      return [
        ...(attribute.customField === null ? [] : [attribute.customField]),
        ...scalarDetails(attribute),
      ];
    case 'relation':
    case 'media':
      return linkDetails(attribute);
    case 'component':
      return [attribute.component, ...(attribute.repeatable ? ['list'] : []), ...bounds(attribute)];
    case 'dynamiczone':
      return [attribute.components.join('|'), ...bounds(attribute)];
  }
};

const conditionDetails = ({ condition }: Attribute): readonly string[] =>
  condition === undefined
    ? []
    : [`${condition.isRequired ? 'required' : 'shown'} if ${JSON.stringify(condition.rule)}`];

function summarizeAttribute(attribute: Attribute): AttributeSummary {
  const { name, type, required, localized } = attribute;
  return {
    name,
    type,
    required,
    private: attribute.private,
    localized,
    details: [...detailsOf(attribute), ...conditionDetails(attribute)],
    options: optionsOf(attribute),
  };
}

const printFlags = ({ required, localized, private: hidden }: AttributeSummary): readonly string[] => [
  ...(required ? ['required'] : []),
  ...(hidden ? ['private'] : []),
  ...(localized ? ['localized'] : []),
];

/** The settings of an attribute as text: `required`, `maxLength 120`. */
export function settingsOf(attribute: Attribute): readonly string[] {
  const summary = summarizeAttribute(attribute);
  return [...printFlags(summary), ...summary.details];
}

const printAttributes = (attributes: readonly AttributeSummary[], style: Style): string =>
  printTable(
    attributes,
    [
      { header: 'ATTRIBUTE', value: ({ name }) => name },
      { header: 'TYPE', value: ({ type }) => type },
      {
        header: 'DETAILS',
        value: (attribute) => [...printFlags(attribute), ...attribute.details].join(', '),
      },
    ],
    style,
  );

const summarizeAttributes = (schema: ContentSchema): readonly AttributeSummary[] =>
  Object.values(schema.attributes).map(summarizeAttribute);

/** Returns a content-type as `--json` prints it in lists, without its attributes. */
export function summarizeType(type: ContentType) {
  const { uid, kind, singularName, pluralName, displayName, draftAndPublish, localized, file } = type;
  return {
    uid,
    kind,
    singularName,
    pluralName,
    displayName,
    draftAndPublish,
    localized,
    attributeCount: Object.keys(type.attributes).length,
    file,
  };
}

export function describeType(type: ContentType, style: Style) {
  const attributes = summarizeAttributes(type);
  const keyValues = printKeyValues(
    [
      ['Type', type.uid],
      ['Kind', type.kind === 'singleType' ? 'single' : 'collection'],
      ['Names', `${type.singularName}, ${type.pluralName} (${type.displayName})`],
      ['Drafts', type.draftAndPublish ? 'yes' : 'no'],
      ['Localized', type.localized ? 'yes' : 'no'],
      ['Table', type.storage.version.table],
      ['File', type.file],
    ],
    style,
  );
  return {
    json: {
      ...summarizeType(type),
      description: type.description,
      table: type.storage.version.table,
      attributes,
    },
    text: `${keyValues}\n\n${printAttributes(attributes, style)}`,
  };
}

/** Returns the attributes that use a component, in types and other components: `api::article.article seo`. */
function findComponentUsages(component: Component, schemas: readonly ContentSchema[]): readonly string[] {
  const usesComponent = (attribute: Attribute): boolean =>
    attribute.family === 'component'
      ? attribute.component === component.uid
      : attribute.family === 'dynamiczone' && attribute.components.includes(component.uid);
  return schemas.flatMap((schema) =>
    Object.values(schema.attributes)
      .filter(usesComponent)
      .map((attribute) => `${schema.uid} ${attribute.name}`),
  );
}

export function summarizeComponent(component: Component, schemas: readonly ContentSchema[]) {
  const { uid, category, name, displayName, file } = component;
  return {
    uid,
    category,
    name,
    displayName,
    attributeCount: Object.keys(component.attributes).length,
    usedBy: findComponentUsages(component, schemas),
    file,
  };
}

export function describeComponent(component: Component, schemas: readonly ContentSchema[], style: Style) {
  const attributes = summarizeAttributes(component);
  const summary = summarizeComponent(component, schemas);
  const keyValues = printKeyValues(
    [
      ['Component', component.uid],
      ['Name', component.displayName],
      ['Used by', summary.usedBy.join(', ') || null],
      ['File', component.file],
    ],
    style,
  );
  return {
    json: { ...summary, description: component.description, attributes },
    text: `${keyValues}\n\n${printAttributes(attributes, style)}`,
  };
}
