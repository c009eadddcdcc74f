import type { Attribute, AttributeHolder, Component, ContentType, LinkAttribute } from '../../model/model.js';
import type { Style } from './style.js';
import { printKeyValues, printTable } from './table.js';

/** An attribute in the form `--json` prints. */
export interface AttributeSummary {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly private: boolean;
  readonly localized: boolean;
  /** What else there is to say, in words: `maxLength 120`, `manyToOne api::author.author (articles)`. */
  readonly details: readonly string[];
}

const linkDetails = (attribute: LinkAttribute): readonly string[] => {
  if (attribute.family === 'media') return [attribute.many ? 'several' : 'one', attribute.allowedTypes.join('|')].filter((text) => text !== '');
  const targets = attribute.link?.kind === 'morph' ? attribute.link.targets.map(({ uid }) => uid).join('|') : '';
  const target = attribute.target ?? targets;
  return [attribute.relation, target, ...(attribute.counterpart === null ? [] : [`other side ${attribute.counterpart}`])].filter((text) => text !== '');
};

type Bound = number | bigint | string | null;

const bounds = (attribute: { readonly min?: Bound; readonly max?: Bound }): readonly string[] =>
  (['min', 'max'] as const).flatMap((key) => (attribute[key] === undefined || attribute[key] === null ? [] : [`${key} ${String(attribute[key])}`]));

const scalarDetails = ({ constraints, default: fallback }: Extract<Attribute, { family: 'scalar' }>): readonly string[] => [
  ...(constraints.unique ? ['unique'] : []),
  ...(constraints.enum === undefined ? [] : [constraints.enum.join('|')]),
  ...(constraints.targetField === undefined ? [] : [`from ${constraints.targetField}`]),
  ...bounds(constraints),
  ...(['minLength', 'maxLength'] as const).flatMap((key) => (constraints[key] === undefined ? [] : [`${key} ${constraints[key]}`])),
  ...(constraints.regex === undefined ? [] : [String(constraints.regex)]),
  ...(fallback === undefined ? [] : [`default ${typeof fallback === 'object' ? JSON.stringify(fallback) : String(fallback)}`]),
];

const detailsOf = (attribute: Attribute): readonly string[] => {
  switch (attribute.family) {
    case 'scalar':
      return [...(attribute.customField === null ? [] : [attribute.customField]), ...scalarDetails(attribute)];
    case 'relation':
    case 'media':
      return linkDetails(attribute);
    case 'component':
      return [attribute.component, ...(attribute.repeatable ? ['list'] : []), ...bounds(attribute)];
    case 'dynamiczone':
      return [attribute.components.join('|'), ...bounds(attribute)];
  }
};

export function summarizeAttribute(attribute: Attribute): AttributeSummary {
  const { name, type, required, localized } = attribute;
  return { name, type, required, private: attribute.private, localized, details: detailsOf(attribute) };
}

const flagsOf = ({ required, localized, private: hidden }: AttributeSummary): readonly string[] =>
  [...(required ? ['required'] : []), ...(hidden ? ['private'] : []), ...(localized ? ['localized'] : [])];

const printAttributes = (attributes: readonly AttributeSummary[], style: Style): string =>
  printTable(attributes, [
    { header: 'ATTRIBUTE', value: ({ name }) => name },
    { header: 'TYPE', value: ({ type }) => type },
    { header: 'DETAILS', value: (attribute) => [...flagsOf(attribute), ...attribute.details].join(', ') },
  ], style);

const attributesOf = (holder: AttributeHolder): readonly AttributeSummary[] => Object.values(holder.attributes).map(summarizeAttribute);

/** A content-type in the form `--json` prints: short in lists, with its attributes when shown alone. */
export function summarizeType(type: ContentType) {
  const { uid, kind, singularName, pluralName, displayName, draftAndPublish, localized, file } = type;
  return { uid, kind, singularName, pluralName, displayName, draftAndPublish, localized, attributeCount: Object.keys(type.attributes).length, file };
}

export function describeType(type: ContentType, style: Style) {
  const attributes = attributesOf(type);
  const facts = printKeyValues([
    ['Type', type.uid],
    ['Kind', type.kind === 'singleType' ? 'single' : 'collection'],
    ['Names', `${type.singularName}, ${type.pluralName} (${type.displayName})`],
    ['Drafts', type.draftAndPublish ? 'yes' : 'no'],
    ['Localised', type.localized ? 'yes' : 'no'],
    ['Table', type.storage.version.table],
    ['File', type.file],
  ], style);
  return { json: { ...summarizeType(type), description: type.description, table: type.storage.version.table, attributes }, text: `${facts}\n\n${printAttributes(attributes, style)}` };
}

/** Where a component stands in a type or another component: `api::article.article seo`. */
export function placesOf(component: Component, holders: readonly AttributeHolder[]): readonly string[] {
  const uses = (attribute: Attribute): boolean =>
    attribute.family === 'component' ? attribute.component === component.uid : attribute.family === 'dynamiczone' && attribute.components.includes(component.uid);
  return holders.flatMap((holder) => Object.values(holder.attributes).filter(uses).map((attribute) => `${holder.uid} ${attribute.name}`));
}

export function summarizeComponent(component: Component, holders: readonly AttributeHolder[]) {
  const { uid, category, name, displayName, file } = component;
  return { uid, category, name, displayName, attributeCount: Object.keys(component.attributes).length, usedBy: placesOf(component, holders), file };
}

export function describeComponent(component: Component, holders: readonly AttributeHolder[], style: Style) {
  const attributes = attributesOf(component);
  const summary = summarizeComponent(component, holders);
  const facts = printKeyValues([['Component', component.uid], ['Name', component.displayName], ['Used by', summary.usedBy.join(', ') || null], ['File', component.file]], style);
  return { json: { ...summary, description: component.description, attributes }, text: `${facts}\n\n${printAttributes(attributes, style)}` };
}
