import type { AttributeDefinition, ComponentDefinition, ContentTypeDefinition, Definitions, SchemaProblem } from '../content-types/definition.js';
import { byCodePoint } from '../lib/compare.js';
import { deepFreeze } from '../lib/freeze.js';
import type { Uid } from '../lib/uid.js';
import { compileAttribute } from './attributes.js';
import type { AttributeContext } from './attributes.js';
import { checkComponentCycles } from './check-cycles.js';
import { checkNames } from './check-names.js';
import { compileLink, compileMorphLink, createLinkBook, mediaEnd, relationEnd } from './links.js';
import type { LinkBook } from './links.js';
import { createModelProblems } from './model-problems.js';
import type { Attribute, Component, ContentModel, ContentType } from './model.js';
import { componentTypeName, createRowNames, createSchemaNames, typeNameOf } from './names.js';
import type { RowNames, SchemaNames } from './names.js';
import { resolveRelation } from './relations.js';
import type { ResolvedRelation } from './relations.js';
import { createResolution } from './resolution.js';
import type { HolderDefinition, Resolution } from './resolution.js';

export interface BuiltModel {
  /** Null where any problem is an error. */
  readonly model: ContentModel | null;
  /** The files' own problems and those between them, errors and warnings, by file and line. */
  readonly problems: readonly SchemaProblem[];
}

/** Records keyed by what files say have no prototype: an attribute may be called `constructor`. */
const recordOf = <T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null) as Record<string, T>, Object.fromEntries(entries));

type Relations = ReadonlyMap<AttributeDefinition, ResolvedRelation | null>;

const resolveRelations = (resolution: Resolution): Relations => {
  const holders: readonly HolderDefinition[] = [...resolution.types, ...resolution.components];
  return new Map(holders.flatMap((holder) => holder.attributes
    .filter((attribute) => attribute.type === 'relation')
    .map((attribute) => [attribute, resolveRelation(resolution, holder, attribute)] as const)));
};

interface LinkParts {
  readonly resolution: Resolution;
  readonly relations: Relations;
  readonly names: SchemaNames;
  readonly links: LinkBook;
}

const putLink = ({ resolution, relations, names, links }: LinkParts, type: ContentTypeDefinition, attribute: AttributeDefinition, rows: RowNames): void => {
  if (attribute.type === 'media') {
    const end = mediaEnd(resolution, type, attribute, attribute.options['multiple'] === true);
    if (end !== null) links.put(compileLink(end, rows, names));
    return;
  }
  const relation = relations.get(attribute) ?? null;
  if (relation === null || relation.side === 'inverse') return;
  if (relation.target === null) {
    links.put(compileMorphLink(resolution, type, attribute, relation.many, names));
    return;
  }
  const end = relationEnd(resolution, type, attribute, relation);
  if (end !== null) links.put(compileLink(end, rows, names));
};

const compileAttributes = (context: AttributeContext, holder: HolderDefinition): ReadonlyMap<string, Attribute> =>
  new Map(holder.attributes.flatMap((attribute) => {
    const compiled = compileAttribute(context, attribute);
    return compiled === null ? [] : [[attribute.name, compiled]];
  }));

const compileType = (type: ContentTypeDefinition, attributes: ContentType['attributes'], names: SchemaNames): ContentType => ({
  uid: type.uid, kind: type.kind, origin: type.origin, singularName: type.singularName, pluralName: type.pluralName,
  displayName: type.displayName, description: type.description, typeName: typeNameOf(type), collectionName: type.collectionName,
  draftAndPublish: type.draftAndPublish, localized: type.localized, attributes,
  pluginOptions: type.pluginOptions, options: type.options, storage: names.storageOf(type.uid), file: type.file,
});

const compileComponentType = (component: ComponentDefinition, attributes: Component['attributes']): Component => ({
  uid: component.uid, category: component.category, name: component.name, displayName: component.displayName,
  description: component.description, typeName: componentTypeName(component.uid), attributes, file: component.file,
});

const COLUMN_FAMILIES = ['media', 'relation'];

/**
 * Compiles a type's attributes: columns are named before links, so that an added relation never renames a column that holds data.
 */
const reserveColumns = (type: ContentTypeDefinition): RowNames => {
  const rows = createRowNames();
  const columns = new Map(type.attributes.filter((attribute) => !COLUMN_FAMILIES.includes(attribute.type)).map((attribute) => [attribute.name, rows.column(attribute.name)]));
  return { ...rows, column: (attribute) => columns.get(attribute) ?? rows.column(attribute) };
};

const compileModel = (resolution: Resolution): ContentModel => {
  const relations = resolveRelations(resolution);
  const names = createSchemaNames(resolution.types);
  const links = createLinkBook();
  const rowNames = new Map<Uid, RowNames>(resolution.types.map((type) => [type.uid, reserveColumns(type)]));
  for (const type of resolution.types) {
    const rows = rowNames.get(type.uid) ?? createRowNames();
    for (const attribute of type.attributes) putLink({ resolution, relations, names, links }, type, attribute, rows);
  }
  const contextOf = (holder: HolderDefinition): AttributeContext =>
    ({ resolution, holder, rows: rowNames.get(holder.uid) ?? null, links, relation: (attribute) => relations.get(attribute) ?? null });
  const attributesOf = (holder: HolderDefinition): Readonly<Record<string, Attribute>> => recordOf([...compileAttributes(contextOf(holder), holder)]);
  const types = resolution.types.map((type) => compileType(type, attributesOf(type), names));
  const components = resolution.components.map((component) => compileComponentType(component, attributesOf(component)));
  return {
    types, components,
    typesByUid: recordOf(types.map((type) => [type.uid, type])),
    componentsByUid: recordOf(components.map((component) => [component.uid, component])),
  };
};

const byPlace = (left: SchemaProblem, right: SchemaProblem): number => byCodePoint(left.file, right.file) || left.line - right.line;

/**
 * Resolves a project's definitions to the one model everything else is printed or compiled from, deeply frozen.
 * Mistakes are never thrown: all of them are in `problems`, and `model` is null where one is an error.
 *
 * @example const { model, problems } = buildModel(await loadDefinitions(root));
 */
export function buildModel(definitions: Definitions): BuiltModel {
  const found = createModelProblems();
  const resolution = createResolution(definitions, found);
  checkNames(resolution);
  checkComponentCycles(resolution);
  const model = compileModel(resolution);
  const problems = [...definitions.problems, ...found.all()].toSorted(byPlace);
  const isSound = problems.every((problem) => problem.severity === 'warning');
  return deepFreeze({ model: isSound ? model : null, problems });
}
