import type {
  ComponentDefinition,
  ContentTypeDefinition,
  AttributeDefinition,
} from '../../content-types/definition.js';
import type { NamedAttribute } from '../../scaffold/attribute-shorthand.js';
import { USER_UID } from '../../content-types/builtin/registry.js';
import type { SchemaProject } from '../../scaffold/schema-project.js';
import { assertTypeNamesAvailable } from '../../scaffold/type-names-available.js';
import { typeUid } from '../../scaffold/type-names.js';
import type { TypeNames } from '../../scaffold/type-names.js';
import { validateWith } from './validate-with.js';

/** What prompts for an attribute need to know about its surroundings. */
export interface AttributePromptContext {
  /** The singular name of the type, or the name of the component. */
  readonly schemaName: string;
  /** The plural name of the type. Empty for a component. */
  readonly schemaPlural: string;
  readonly kind: 'type' | 'component';
  /** True where values may differ between locales. */
  readonly localized: boolean;
  /** The attributes that exist already, including those answered just now. */
  readonly existingAttributes: readonly NamedAttribute[];
  /** The types that a relation can target, including the new one. */
  readonly types: readonly RelationTarget[];
  /** Makes a type that does not exist yet. It is a target from then on, and written with the rest. */
  readonly addType: (type: NewTarget) => RelationTarget;
  /** Why a type cannot have a name, or true. */
  readonly validateTypeName: (names: TypeNames) => true | string;
  /** Polymorphic relations, which can be the owner of a morphOne or morphMany relation. */
  readonly morphRelations: readonly { readonly uid: string; readonly attribute: string }[];
  readonly components: readonly Pick<ComponentDefinition, 'uid' | 'displayName'>[];
}

/** A type that a relation can target. */
export interface RelationTarget extends Pick<
  ContentTypeDefinition,
  'uid' | 'singularName' | 'pluralName' | 'displayName'
> {
  readonly attributeNames: readonly string[];
}

/** A type that is made as the target of a relation. */
export interface NewTarget {
  readonly names: TypeNames;
  /** Its first attribute, a text. */
  readonly attribute: string;
}

/** Answered options of an attribute, by their name in a schema file. */
export type AttributeOptions = Readonly<Record<string, unknown>>;

/** The content-type or component whose attributes are asked for. */
export interface PromptedSchema {
  readonly uid: string;
  readonly name: string;
  readonly kind: 'type' | 'component';
  readonly localized: boolean;
  readonly attributes: readonly AttributeDefinition[];
  /** The names of the type, so that it can be its own target. */
  readonly names?: TypeNames;
}

const isMorphRelation = ({ options }: AttributeDefinition): boolean =>
  options['relation'] === 'morphToOne' || options['relation'] === 'morphToMany';

const targetOf = (type: ContentTypeDefinition): RelationTarget => ({
  ...type,
  attributeNames: type.attributes.map(({ name }) => name),
});

/** Returns the types that relations can target: those of the project, then users. */
const linkableTypes = (
  { definitions }: SchemaProject,
  { uid, names, attributes }: PromptedSchema,
): readonly RelationTarget[] => {
  const own =
    names === undefined ? [] : [{ uid, ...names, attributeNames: attributes.map(({ name }) => name) }];
  const projectTypes = definitions.types.filter((type) => type.origin === 'project' && type.uid !== uid);
  const builtinTypes = definitions.types.filter((type) => type.uid === USER_UID);
  return [...own, ...[...projectTypes, ...builtinTypes].map(targetOf)];
};

/** Creates the context of the prompts for attributes, and the list of the types that they make. */
export function createAttributePromptContext(
  project: SchemaProject,
  schema: PromptedSchema,
): { readonly context: AttributePromptContext; readonly newTargets: readonly NewTarget[] } {
  const { types, components } = project.definitions;
  const targets = [...linkableTypes(project, schema)];
  const newTargets: NewTarget[] = [];
  const context: AttributePromptContext = {
    schemaName: schema.name,
    schemaPlural: schema.names?.pluralName ?? '',
    kind: schema.kind,
    localized: schema.localized,
    existingAttributes: schema.attributes.map(({ name, type, options }) => ({
      name,
      json: { type, ...options },
    })),
    types: targets,
    addType: (type) => {
      newTargets.push(type);
      const target = { uid: typeUid(type.names), ...type.names, attributeNames: [type.attribute] };
      targets.push(target);
      return target;
    },
    validateTypeName: (names) => {
      const taken = targets.find(({ singularName, pluralName }) =>
        [singularName, pluralName].some((name) => name === names.singularName || name === names.pluralName),
      );
      return taken === undefined
        ? validateWith(() => assertTypeNamesAvailable(project, names))
        : `There is already a type ${taken.singularName}.`;
    },
    morphRelations: types.flatMap(({ uid, attributes }) =>
      attributes.filter(isMorphRelation).map(({ name }) => ({ uid, attribute: name })),
    ),
    components: components.filter(({ uid }) => uid !== schema.uid),
  };
  return { context, newTargets };
}
