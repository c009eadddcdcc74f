import { assertNever } from '../../lib/assert.js';
import { createNamePool } from '../../lib/names.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { hasServerValue, targetsOf } from '../../model/lookup.js';
import type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentModel,
  ContentType,
  DynamicZoneAttribute,
  LinkAttribute,
  Uid,
} from '../../model/model.js';

/** The files in declarations/, which are the same for all projects, and the names that each exports. */
export const SHARED_DECLARATIONS = {
  api: [
    'Block',
    'Blocks',
    'CreateRequest',
    'CursorPagination',
    'DocumentRef',
    'ErrorResponse',
    'FileFormat',
    'FileFormats',
    'InlineNode',
    'JsonValue',
    'LinkNode',
    'ListNode',
    'ListResponse',
    'OffsetPagination',
    'PagePagination',
    'RelationChanges',
    'RelationPosition',
    'SingleResponse',
    'TextNode',
    'ToManyInput',
    'ToOneInput',
    'TypedRef',
    'UpdateRequest',
  ],
  query: [
    'Conditions',
    'FieldKey',
    'Fields',
    'Filters',
    'Populate',
    'PopulateKey',
    'Populated',
    'PublicationFilter',
    'Query',
    'Sort',
  ],
  result: ['Draft', 'Result'],
} as const;

type SharedName = keyof typeof SHARED_DECLARATIONS;

/** The texts of the files in declarations/, which the caller has read. */
export type SharedTexts = Readonly<Record<SharedName, string>>;

export const SHARED_NAMES = Object.keys(SHARED_DECLARATIONS) as readonly SharedName[];

/** The names of types and components in the printed files. */
export interface TypeNames {
  readonly document: (uid: Uid) => string;
  readonly component: (uid: Uid) => string;
  readonly input: (uid: Uid) => string;
  /** The maps from API names to types: `Collections`, `SingleTypes`. */
  readonly collections: string;
  readonly singleTypes: string;
  /** The map from uids to types: `ContentTypes`. */
  readonly contentTypes: string;
  /** The type parameter of a typed client: `ClientSchema`. */
  readonly clientSchema: string;
}

const requireName = (names: ReadonlyMap<Uid, string>, uid: Uid): string => {
  const name = names.get(uid);
  if (name === undefined) throw new TypeError(`The model has no ${uid}`);
  return name;
};

/** Returns the unique type names of the model, and names derived from them, such as `ArticleInput2`. */
export function nameTypes(model: ContentModel): TypeNames {
  const schemas: readonly (ContentType | Component)[] = [...model.types, ...model.components];
  const { allocate, reserve } = createNamePool();
  reserve([...schemas.map((schema) => schema.typeName), ...Object.values(SHARED_DECLARATIONS).flat()]);
  const outputs = new Map(schemas.map((schema) => [schema.uid, schema.typeName]));
  const inputs = new Map(schemas.map((schema) => [schema.uid, allocate(`${schema.typeName}Input`)]));
  return {
    document: (uid) => requireName(outputs, uid),
    component: (uid) => requireName(outputs, uid),
    input: (uid) => requireName(inputs, uid),
    collections: allocate('Collections'),
    singleTypes: allocate('SingleTypes'),
    contentTypes: allocate('ContentTypes'),
    clientSchema: allocate('ClientSchema'),
  };
}

/** The value types of fields that api.d.ts declares. */
const SHARED_VALUES: ReadonlySet<string> = new Set(['Blocks', 'FileFormats', 'JsonValue']);

/** The value types of built-in JSON attributes, by uid and name. */
const BUILTIN_VALUES: Readonly<Record<string, string>> = { [`${FILE_UID}.formats`]: 'FileFormats' };

const valueType = (type: string): string => (SHARED_VALUES.has(type) ? `api.${type}` : type);

/** The names by which one file refers to types of other files: direct, or in the namespace of the import. */
export interface TypeScope {
  readonly names: TypeNames;
  readonly document: (uid: Uid) => string;
  readonly component: (uid: Uid) => string;
  readonly componentInput: (uid: Uid) => string;
}

const union = (members: readonly string[]): string => (members.length === 0 ? 'never' : members.join(' | '));

const listOf = (item: string): string => (/^[\w.]+$/.test(item) ? `${item}[]` : `(${item})[]`);

const linkTarget = (attribute: LinkAttribute, scope: TypeScope): string => {
  if (attribute.target !== null) return scope.document(attribute.target);
  return union(
    targetsOf(attribute).map((uid) => `({ __type: ${JSON.stringify(uid)} } & ${scope.document(uid)})`),
  );
};

const zoneMember = (uid: Uid, type: string): string => `({ __component: ${JSON.stringify(uid)} } & ${type})`;

const zoneType = (attribute: DynamicZoneAttribute, typeOf: (uid: Uid) => string): string =>
  listOf(union(attribute.components.map((uid) => zoneMember(uid, typeOf(uid)))));

const componentType = (attribute: ComponentAttribute, typeOf: (uid: Uid) => string): string =>
  attribute.repeatable ? listOf(typeOf(attribute.component)) : typeOf(attribute.component);

const linkOutput = (attribute: LinkAttribute, scope: TypeScope): string => {
  const target = linkTarget(attribute, scope);
  if (!attribute.many) return `${target} | null`;
  return attribute.family === 'media' ? `${listOf(target)} | null` : listOf(target);
};

const linkInput = (attribute: LinkAttribute): string => {
  if (attribute.target !== null) return attribute.many ? 'api.ToManyInput' : 'api.ToOneInput';
  const reference = `api.TypedRef<${union(targetsOf(attribute).map((uid) => JSON.stringify(uid)))}>`;
  return attribute.many ? `${reference}[]` : `${reference} | null`;
};

/**
 * Prints the property of an attribute in responses. Returns null for private attributes. Attributes that must
 * be populated are optional.
 */
export function outputLine(attribute: Attribute, owner: Uid, scope: TypeScope): string | null {
  if (attribute.private || (attribute.family === 'scalar' && attribute.type === 'password')) return null;
  const name = propertyName(attribute.name);
  switch (attribute.family) {
    case 'scalar': {
      const output = valueType(
        BUILTIN_VALUES[`${owner}.${attribute.name}`] ??
          attribute.field.typescript(attribute.constraints).output,
      );
      return `${name}: ${attribute.required ? output : `${output} | null`};`;
    }
    case 'relation':
    case 'media':
      return `${name}?: ${linkOutput(attribute, scope)};`;
    case 'component':
      return attribute.repeatable
        ? `${name}?: ${componentType(attribute, scope.component)};`
        : `${name}?: ${componentType(attribute, scope.component)} | null;`;
    case 'dynamiczone':
      return `${name}?: ${zoneType(attribute, scope.component)};`;
    default:
      return assertNever(attribute, 'attribute family');
  }
}

const inputType = (attribute: Attribute, scope: TypeScope): string => {
  switch (attribute.family) {
    case 'scalar':
      return valueType(attribute.field.typescript(attribute.constraints).input);
    case 'relation':
    case 'media':
      return linkInput(attribute);
    case 'component':
      return componentType(attribute, scope.componentInput);
    case 'dynamiczone':
      return zoneType(attribute, scope.componentInput);
    default:
      return assertNever(attribute, 'attribute family');
  }
};

/** Prints the property of an attribute in requests. It is mandatory where creating requires a value. */
export function inputLine(attribute: Attribute, scope: TypeScope): string {
  const name = propertyName(attribute.name);
  const type = inputType(attribute, scope);
  if (attribute.required && !hasServerValue(attribute)) return `${name}: ${type};`;
  return `${name}?: ${type.endsWith('| null') ? type : `${type} | null`};`;
}

/** Prints the name of a property, quoted where TypeScript requires it. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
