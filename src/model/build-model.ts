/**
 * The room model turns content-type files into one frozen content model: load-definitions.ts reads them, and
 * this file resolves them. Its types are in model.ts.
 */
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
  Definitions,
  SchemaProblem,
} from './content-types/definition.js';
import { TYPE_FIELDS } from './content-types/attribute-names.js';
import { byCodePoint } from '../lib/text.js';
import { deepFreeze } from '../lib/records.js';
import type { Uid } from '../lib/ids.js';
import { compileAttribute } from './attributes.js';
import type { AttributeContext } from './attributes.js';
import { checkComponentCycles, checkNames } from './check-model.js';
import type { ClosesCycle } from './check-model.js';
import {
  compileLink,
  compileMorphLink,
  createLinkRegistry,
  mediaOwningSide,
  relationOwningSide,
} from './links.js';
import type { LinkRegistry } from './links.js';
import { indexesOf, searchIndexOf } from './indexes.js';
import { createModelProblems, createResolution } from './resolution.js';
import type { Resolution, SchemaDefinition } from './resolution.js';
import type { Attribute, Component, ContentModel, ContentType } from './model.js';
import { createRowNames, createSchemaNames } from './names.js';
import type { RowNames, SchemaNames } from './names.js';
import { pairRelations } from './relation-ends.js';
import { resolveRelation } from './relations.js';
import type { ResolvedRelation } from './relations.js';

export interface BuiltModel {
  /** Null if any problem is an error. */
  readonly model: ContentModel | null;
  /** Problems within and between the schema files, errors and warnings, ordered by file and line. */
  readonly problems: readonly SchemaProblem[];
}

/**
 * Records whose keys come from schema files have no prototype, because an attribute may be called
 * `constructor`.
 */
const toRecord = <T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null) as Record<string, T>, Object.fromEntries(entries));

type Relations = ReadonlyMap<AttributeDefinition, ResolvedRelation | null>;

const resolveRelations = (resolution: Resolution): Relations => {
  const schemas: readonly SchemaDefinition[] = [...resolution.types, ...resolution.components];
  const ends = pairRelations(resolution);
  return new Map(
    schemas.flatMap((schema) =>
      schema.attributes
        .filter((attribute) => attribute.type === 'relation')
        .map((attribute) => [attribute, resolveRelation(resolution, ends, schema, attribute)] as const),
    ),
  );
};

interface LinkDependencies {
  readonly resolution: Resolution;
  readonly relations: Relations;
  readonly names: SchemaNames;
  readonly links: LinkRegistry;
}

const registerLink = (
  { resolution, relations, names, links }: LinkDependencies,
  type: ContentTypeDefinition,
  attribute: AttributeDefinition,
  rowNames: RowNames,
): void => {
  if (attribute.type === 'media') {
    const owningSide = mediaOwningSide(resolution, type, attribute, attribute.options['multiple'] === true);
    if (owningSide !== null) links.add(compileLink(owningSide, rowNames, names));
    return;
  }
  const relation = relations.get(attribute) ?? null;
  if (relation === null || relation.side === 'inverse') return;
  if (relation.target === null) {
    links.add(compileMorphLink(resolution, type, attribute, relation.many, names));
    return;
  }
  const owningSide = relationOwningSide(resolution, type, attribute, relation);
  if (owningSide !== null) links.add(compileLink(owningSide, rowNames, names));
};

const compileAttributes = (
  context: AttributeContext,
  schema: SchemaDefinition,
): ReadonlyMap<string, Attribute> =>
  new Map(
    schema.attributes.flatMap((attribute) => {
      const compiled = compileAttribute(context, attribute);
      return compiled === null ? [] : [[attribute.name, compiled]];
    }),
  );

const ignoredAttributesOf = (
  schema: SchemaDefinition,
  attributes: Readonly<Record<string, Attribute>>,
): readonly string[] =>
  schema.attributes.filter(({ name }) => !Object.hasOwn(attributes, name)).map(({ name }) => name);

const compileType = (
  resolution: Resolution,
  type: ContentTypeDefinition,
  attributes: ContentType['attributes'],
  names: SchemaNames,
): ContentType => ({
  uid: type.uid,
  kind: type.kind,
  origin: type.origin,
  singularName: type.singularName,
  pluralName: type.pluralName,
  displayName: type.displayName,
  description: type.description,
  typeName: resolution.typeName(type.uid),
  collectionName: type.collectionName,
  draftAndPublish: type.draftAndPublish,
  localized: type.localized,
  attributes,
  privateFields: TYPE_FIELDS.filter((name) => resolution.listsAsPrivate(type, name)),
  ignoredAttributes: ignoredAttributesOf(type, attributes),
  indexes: indexesOf(resolution, type, attributes),
  search: searchIndexOf(resolution, type, attributes, names.storageOf(type.uid)),
  pluginOptions: type.pluginOptions,
  options: type.options,
  storage: names.storageOf(type.uid),
  file: type.file,
});

const compileComponentType = (
  resolution: Resolution,
  component: ComponentDefinition,
  attributes: Component['attributes'],
): Component => ({
  uid: component.uid,
  category: component.category,
  name: component.name,
  displayName: component.displayName,
  description: component.description,
  typeName: resolution.typeName(component.uid),
  attributes,
  ignoredAttributes: ignoredAttributesOf(component, attributes),
  file: component.file,
});

const LINK_TYPES = ['media', 'relation'];

/** Names columns before links, so that adding a relation never renames a column that holds data. */
const reserveColumns = (type: ContentTypeDefinition): RowNames => {
  const rowNames = createRowNames();
  const columns = new Map(
    type.attributes
      .filter((attribute) => !LINK_TYPES.includes(attribute.type))
      .map((attribute) => [attribute.name, rowNames.column(attribute.name)]),
  );
  return { ...rowNames, column: (attribute) => columns.get(attribute) ?? rowNames.column(attribute) };
};

const compileModel = (
  resolution: Resolution,
  closesCycle: ClosesCycle,
  { controllerActions = [], disabledPlugins = [] }: Definitions,
): ContentModel => {
  const relations = resolveRelations(resolution);
  const names = createSchemaNames(resolution.types);
  const links = createLinkRegistry();
  const rowNamesByType = new Map<Uid, RowNames>(
    resolution.types.map((type) => [type.uid, reserveColumns(type)]),
  );
  for (const type of resolution.types) {
    const rowNames = rowNamesByType.get(type.uid) ?? createRowNames();
    for (const attribute of type.attributes)
      registerLink({ resolution, relations, names, links }, type, attribute, rowNames);
  }
  const contextOf = (schema: SchemaDefinition): AttributeContext => ({
    resolution,
    closesCycle,
    schema,
    rowNames: rowNamesByType.get(schema.uid) ?? null,
    links,
    relation: (attribute) => relations.get(attribute) ?? null,
  });
  const attributesOf = (schema: SchemaDefinition): Readonly<Record<string, Attribute>> =>
    toRecord([...compileAttributes(contextOf(schema), schema)]);
  const types = resolution.types.map((type) => compileType(resolution, type, attributesOf(type), names));
  const components = resolution.components.map((component) =>
    compileComponentType(resolution, component, attributesOf(component)),
  );
  return {
    types,
    components,
    typesByUid: toRecord(types.map((type) => [type.uid, type])),
    componentsByUid: toRecord(components.map((component) => [component.uid, component])),
    controllerActions,
    disabledPlugins,
  };
};

const byLocation = (left: SchemaProblem, right: SchemaProblem): number =>
  byCodePoint(left.file, right.file) || left.line - right.line;

/**
 * Resolves the definitions of a project into the content model, deeply frozen. Never throws for mistakes in
 * schema files: they are listed in `problems`.
 *
 * @example
 *   const { model, problems } = buildModel(await loadDefinitions(root));
 */
export function buildModel(definitions: Definitions): BuiltModel {
  const modelProblems = createModelProblems();
  const resolution = createResolution(definitions, modelProblems);
  checkNames(resolution);
  const model = compileModel(resolution, checkComponentCycles(resolution), definitions);
  const problems = [...definitions.problems, ...modelProblems.all()].toSorted(byLocation);
  const isValid = problems.every((problem) => problem.severity === 'warning');
  return deepFreeze({ model: isValid ? model : null, problems });
}
