import { isAttributeName, reservedScope } from '../../model/content-types/attribute-names.js';
import { USER_UID } from '../../model/content-types/builtin-types.js';
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
} from '../../model/content-types/definition.js';
import type { NamedAttribute } from '../../project/scaffold/attribute-shorthand.js';
import type { SchemaProject } from '../../project/scaffold/schema-project.js';
import { deriveTypeNames, typeUid } from '../../project/scaffold/type-names.js';
import type { TypeNames } from '../../project/scaffold/type-names.js';
import { askText, validateWith } from '../prompts/prompt.js';
import type { Prompter, Validity } from '../prompts/prompt.js';

/** Returns true for valid names, otherwise the message for the prompt. */
export type ValidateNames = (names: TypeNames) => Validity | Promise<Validity>;

const TYPED_NAME = /^[\p{L}\p{N}][\p{L}\p{N} _-]*$/u;

interface NameQuestion {
  readonly message: string;
  readonly initial?: string | undefined;
  readonly isAvailable: ValidateNames;
}

const check = async (names: () => TypeNames, isAvailable: ValidateNames): Promise<Validity> => {
  const validity = await validateWith(names);
  return validity === true ? isAvailable(names()) : validity;
};

/** Asks for the name of a new content-type. */
export function promptTypeName(
  prompter: Prompter,
  { isAvailable, ...question }: NameQuestion,
): Promise<string> {
  return askText(prompter, {
    ...question,
    isRequired: true,
    validate: (text) =>
      TYPED_NAME.test(text)
        ? check(() => deriveTypeNames({ name: text }), isAvailable)
        : 'Use letters, digits, spaces and -, and start with a letter.',
  });
}

/** Asks for the plural name of a content-type. */
export function promptPlural(
  prompter: Prompter,
  name: string,
  { isAvailable, initial, ...question }: NameQuestion,
): Promise<string> {
  return askText(prompter, {
    ...question,
    isRequired: true,
    initial: initial ?? deriveTypeNames({ name }).pluralName,
    validate: (plural) => check(() => deriveTypeNames({ name, plural }), isAvailable),
  });
}

/** The context of the prompts for an attribute. */
export interface AttributePromptContext {
  /** The singular name of the type, or the name of the component. */
  readonly schemaName: string;
  /** The plural name of the type. Empty for a component. */
  readonly schemaPlural: string;
  readonly kind: 'type' | 'component';
  /** True if values may differ between locales. */
  readonly localized: boolean;
  /** The existing attributes, including those of earlier answers. */
  readonly existingAttributes: readonly NamedAttribute[];
  /** The possible targets of a relation, including the new type. */
  readonly types: readonly RelationTarget[];
  /** Adds a new type, which then is a possible target, and is written with the rest. */
  readonly addType: (type: NewTarget) => RelationTarget;
  /** Returns true if a type can have the names, otherwise the reason why not. */
  readonly validateTypeName: ValidateNames;
  /** Polymorphic relations, which can be the owner of a morphOne or morphMany relation. */
  readonly morphRelations: readonly { readonly uid: string; readonly attribute: string }[];
  readonly components: readonly Pick<ComponentDefinition, 'uid' | 'displayName'>[];
}

/** A possible target of a relation. */
export interface RelationTarget extends Pick<
  ContentTypeDefinition,
  'uid' | 'singularName' | 'pluralName' | 'displayName'
> {
  readonly attributeNames: readonly string[];
}

/** A new type for the target of a relation. */
export interface NewTarget {
  readonly names: TypeNames;
  /** Its first attribute, a text. */
  readonly attribute: string;
  readonly draftAndPublish: boolean;
}

/** The options of an attribute from answers, by their name in a schema file. */
export type AttributeOptions = Readonly<Record<string, unknown>>;

/** The content-type or component of the prompted attributes. */
export interface PromptedSchema {
  readonly uid: string;
  readonly name: string;
  readonly kind: 'type' | 'component';
  readonly localized: boolean;
  readonly attributes: readonly NamedAttribute[];
  /** The names of the type, so that it can be the target of its attributes. */
  readonly names?: TypeNames;
  /** Returns true if another new type can have the names, otherwise the reason why not. */
  readonly checkType: ValidateNames;
}

const isMorphRelation = ({ options }: AttributeDefinition): boolean =>
  options['relation'] === 'morphToOne' || options['relation'] === 'morphToMany';

const newTargetOf = ({ names, attribute }: NewTarget): RelationTarget => ({
  ...names,
  uid: typeUid(names),
  attributeNames: [attribute],
});

const targetOf = (type: ContentTypeDefinition): RelationTarget => ({
  ...type,
  attributeNames: type.attributes.map(({ name }) => name),
});

/** Returns the types that relations can target: those of the project, then users. */
const linkableTypes = (
  { definitions }: SchemaProject,
  { uid, names, attributes }: PromptedSchema,
): readonly RelationTarget[] => {
  const self =
    names === undefined ? [] : [{ uid, ...names, attributeNames: attributes.map(({ name }) => name) }];
  const projectTypes = definitions.types.filter((type) => type.origin === 'project' && type.uid !== uid);
  const builtinTypes = definitions.types.filter((type) => type.uid === USER_UID);
  return [...self, ...[...projectTypes, ...builtinTypes].map(targetOf)];
};

/** Returns true if an attribute can have the name, otherwise the reason why not. */
export function checkAttributeName(name: string, kind: 'type' | 'component'): Validity {
  if (!isAttributeName(name)) return 'Use letters, digits and _, and start with a letter.';
  const reserved = reservedScope(name);
  const isReserved = reserved === 'always' || (reserved !== null && kind === 'type');
  return isReserved ? `${name} is reserved for the system.` : true;
}

/**
 * Creates the context of the prompts for the attributes of a schema.
 *
 * @param newTargets new types for the targets of relations; the prompts append to it
 */
export function createAttributePromptContext(
  project: SchemaProject,
  schema: PromptedSchema,
  newTargets: NewTarget[],
): AttributePromptContext {
  const { types, components } = project.definitions;
  const targets = [...linkableTypes(project, schema), ...newTargets.map(newTargetOf)];
  return {
    schemaName: schema.name,
    schemaPlural: schema.names?.pluralName ?? '',
    kind: schema.kind,
    localized: schema.localized,
    existingAttributes: schema.attributes,
    types: targets,
    addType: (type) => {
      newTargets.push(type);
      return newTargetOf(type);
    },
    validateTypeName: (names) => {
      const taken = targets.find(({ singularName, pluralName }) =>
        [singularName, pluralName].some((name) => name === names.singularName || name === names.pluralName),
      );
      return taken === undefined ? schema.checkType(names) : `There is already a type ${taken.singularName}.`;
    },
    morphRelations: types.flatMap(({ uid, attributes }) =>
      attributes.filter(isMorphRelation).map(({ name }) => ({ uid, attribute: name })),
    ),
    components: components.filter(({ uid }) => uid !== schema.uid),
  };
}
