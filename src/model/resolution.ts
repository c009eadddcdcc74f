import { byCodePoint } from '../lib/text.js';
import type { Uid } from '../lib/ids.js';
import { privateAttributesOf } from './content-types/attribute-names.js';
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
  Definitions,
  SchemaProblem,
} from './content-types/definition.js';
import { nameSchemas } from './names.js';
import type { NameSchema } from './names.js';

/** The location of a problem: a definition, and there an attribute, an option or a line. */
export interface ProblemLocation {
  readonly schema: { readonly file: string | null };
  readonly attribute?: AttributeDefinition;
  readonly option?: string;
  readonly line?: number | undefined;
}

interface ModelFinding {
  readonly severity?: SchemaProblem['severity'];
  readonly code: string;
  readonly message: string;
  readonly allowed?: readonly string[];
}

/** Collects problems between schema files. */
interface ModelProblems {
  readonly add: (location: ProblemLocation, finding: ModelFinding) => void;
  readonly all: () => readonly SchemaProblem[];
}

const lineOf = ({ attribute, option, line }: ProblemLocation): number => {
  if (attribute === undefined) return line ?? 1;
  return (option === undefined ? undefined : attribute.optionLines[option]) ?? attribute.line;
};

export function createModelProblems(): ModelProblems {
  const problems: SchemaProblem[] = [];
  return {
    add: (location, { severity = 'error', code, message, allowed = [] }) => {
      const { schema, attribute } = location;
      problems.push({
        severity,
        code,
        file: attribute?.file ?? schema.file ?? 'built-in types',
        line: lineOf(location),
        attribute: attribute?.name ?? null,
        message,
        allowed,
      });
    },
    all: () => problems,
  };
}

export type SchemaDefinition = ContentTypeDefinition | ComponentDefinition;

/** All definitions while references between them are resolved. */
export interface Resolution {
  /** Sorted by uid. */
  readonly types: readonly ContentTypeDefinition[];
  readonly components: readonly ComponentDefinition[];
  readonly type: (uid: Uid) => ContentTypeDefinition | undefined;
  readonly component: (uid: Uid) => ComponentDefinition | undefined;
  /** True if the schema file exists but could not be read, which is already reported. */
  readonly isUnreadable: (uid: Uid) => boolean;
  /** The names in GraphQL and TypeScript. */
  readonly typeName: NameSchema;
  /** True if the schema or the configuration lists a name as private. */
  readonly listsAsPrivate: (schema: SchemaDefinition, name: string) => boolean;
  /** True if the configuration leaves an option of an attribute without effect. */
  readonly isUnchecked: (attribute: AttributeDefinition, option: 'required' | 'unique') => boolean;
  readonly problems: ModelProblems;
}

const LINKS = ['relation', 'media'];
const CHOICES = ['enumeration', 'boolean'];

/** Indexes the definitions by uid. */
export function createResolution(definitions: Definitions, problems: ModelProblems): Resolution {
  const byUid = (left: { readonly uid: Uid }, right: { readonly uid: Uid }): number =>
    byCodePoint(left.uid, right.uid);
  const types = new Map(definitions.types.map((type) => [type.uid, type]));
  const components = new Map(definitions.components.map((component) => [component.uid, component]));
  const sorted = {
    types: [...types.values()].toSorted(byUid),
    components: [...components.values()].toSorted(byUid),
  };
  return {
    ...sorted,
    type: (uid) => types.get(uid),
    component: (uid) => components.get(uid) ?? components.get(uid.toLowerCase()),
    isUnreadable: (uid) => definitions.unreadable.includes(uid),
    typeName: nameSchemas(sorted),
    listsAsPrivate: ({ options }, name) =>
      definitions.privateAttributes?.includes(name) === true || privateAttributesOf(options).includes(name),
    isUnchecked: ({ type }, option) =>
      option === 'required'
        ? definitions.unchecked?.requiredLinks === true && LINKS.includes(type)
        : definitions.unchecked?.uniqueChoices === true && CHOICES.includes(type),
    problems,
  };
}

export function isTypeDefinition(schema: SchemaDefinition): schema is ContentTypeDefinition {
  return 'singularName' in schema;
}

export function findAttribute(schema: SchemaDefinition, name: string): AttributeDefinition | undefined {
  return schema.attributes.find((attribute) => attribute.name === name);
}

/** Returns an option that is a non-empty string, or undefined. */
export function textOption({ options }: AttributeDefinition, option: string): string | undefined {
  const value = options[option];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function countOption({ options }: AttributeDefinition, option: string): number | null {
  const value = options[option];
  return typeof value === 'number' ? value : null;
}
