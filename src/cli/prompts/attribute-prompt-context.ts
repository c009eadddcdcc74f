import type {
  ComponentDefinition,
  ContentTypeDefinition,
  AttributeDefinition,
} from '../../content-types/definition.js';
import type { NamedAttribute } from '../../scaffold/attribute-shorthand.js';
import { USER_UID } from '../../content-types/builtin/registry.js';
import type { SchemaProject } from '../../scaffold/schema-project.js';
import type { TypeNames } from '../../scaffold/type-names.js';

/** What prompts for an attribute need to know about its surroundings. */
export interface AttributePromptContext {
  /** The singular name of the type, or the name of the component. */
  readonly schemaName: string;
  readonly kind: 'type' | 'component';
  /** True where values may differ between locales. */
  readonly localized: boolean;
  /** The attributes that exist already, including those answered just now. */
  readonly existingAttributes: readonly NamedAttribute[];
  /** The types that a relation can target, including the new one. */
  readonly types: readonly Pick<
    ContentTypeDefinition,
    'uid' | 'singularName' | 'pluralName' | 'displayName'
  >[];
  /** Polymorphic relations, which can be the owner of a morphOne or morphMany relation. */
  readonly morphRelations: readonly { readonly uid: string; readonly attribute: string }[];
  readonly components: readonly Pick<ComponentDefinition, 'uid' | 'displayName'>[];
}

/** Answered options of an attribute, by their name in a schema file. */
export type AttributeOptions = Readonly<Record<string, unknown>>;

interface PromptedSchema {
  readonly uid: string;
  readonly name: string;
  readonly kind: 'type' | 'component';
  readonly localized: boolean;
  readonly attributes: readonly AttributeDefinition[];
  /** Set where the type does not exist yet, so that it can be its own target. */
  readonly newType?: TypeNames;
}

const isMorphRelation = ({ options }: AttributeDefinition): boolean =>
  options['relation'] === 'morphToOne' || options['relation'] === 'morphToMany';

/** Returns the types that relations can target: those of the project, then users. */
const linkableTypes = (
  { definitions }: SchemaProject,
  { uid, newType }: PromptedSchema,
): AttributePromptContext['types'] => {
  const projectTypes = definitions.types.filter(({ origin }) => origin === 'project');
  const builtinTypes = definitions.types.filter((type) => type.uid === USER_UID);
  return [...(newType === undefined ? [] : [{ uid, ...newType }]), ...projectTypes, ...builtinTypes];
};

/** Creates the context of the prompts for an attribute. */
export function createAttributePromptContext(
  project: SchemaProject,
  schema: PromptedSchema,
): AttributePromptContext {
  const { types, components } = project.definitions;
  return {
    schemaName: schema.name,
    kind: schema.kind,
    localized: schema.localized,
    existingAttributes: schema.attributes.map(({ name, type, options }) => ({
      name,
      json: { type, ...options },
    })),
    types: linkableTypes(project, schema),
    morphRelations: types.flatMap(({ uid, attributes }) =>
      attributes.filter(isMorphRelation).map(({ name }) => ({ uid, attribute: name })),
    ),
    components: components.filter(({ uid }) => uid !== schema.uid),
  };
}
