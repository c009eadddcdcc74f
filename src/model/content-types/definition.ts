import type { Uid } from '../../lib/ids.js';

/** A problem in a schema file. Problems are collected, never thrown. */
export interface SchemaProblem {
  readonly severity: 'error' | 'warning';
  /**
   * A stable code, e.g. `unknown-type`, `dangling-target`, `missing-inverse`, `duplicate-name`,
   * `reserved-name`, `component-cycle`, `broken-json`.
   */
  readonly code: string;
  /** Relative to the project. */
  readonly file: string;
  /** The line of the attribute, the option or the syntax error, starting at 1. */
  readonly line: number;
  readonly attribute: string | null;
  readonly message: string;
  /** Valid values, such as types, targets or names. */
  readonly allowed: readonly string[];
}

/**
 * Codes of mistakes that Strapi accepts in schema files. Files with them load with a warning, but no command
 * writes one.
 */
const TOLERATED_CODES: ReadonlySet<string> = new Set([
  'reserved-name',
  'invalid-name',
  'invalid-value',
  'component-cycle',
  'unknown-type',
  'dangling-target',
  'missing-inverse',
  'wrong-inverse',
  'ambiguous-owner',
  'component-relation',
  'missing-option',
  'invalid-option',
  'invalid-range',
  'invalid-default',
  'invalid-regex',
  'invalid-target-field',
]);

export function isToleratedMistake({ code }: SchemaProblem): boolean {
  return TOLERATED_CODES.has(code);
}

/** An attribute as written in a schema file. Its type is known, its options are not yet parsed. */
export interface AttributeDefinition {
  readonly name: string;
  readonly type: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly line: number;
  /** Lines of the options. */
  readonly optionLines: Readonly<Record<string, number>>;
  /** The module that adds or changes the attribute, where that is another file than that of the schema. */
  readonly file?: string;
}

/** An index that a schema file lists under `indexes`, as Strapi has it. */
export interface IndexDefinition {
  readonly columns: readonly string[];
  readonly line: number;
}

/** A parsed schema.json of a content-type. References to other files are not yet resolved. */
export interface ContentTypeDefinition {
  readonly uid: Uid;
  readonly origin: 'project' | 'plugin' | 'builtin';
  readonly kind: 'collectionType' | 'singleType';
  readonly file: string | null;
  readonly collectionName: string;
  readonly singularName: string;
  readonly pluralName: string;
  readonly displayName: string;
  readonly description: string;
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly pluginOptions: Readonly<Record<string, unknown>>;
  readonly attributes: readonly AttributeDefinition[];
  readonly indexes: readonly IndexDefinition[];
  /**
   * Lines of `singularName`, `pluralName`, `collectionName` and `displayName`, for problems found when files
   * are compared.
   */
  readonly nameLines: Readonly<Record<string, number>>;
}

export interface ComponentDefinition {
  readonly uid: Uid;
  readonly category: string;
  readonly name: string;
  readonly file: string;
  /** Name of its table in Strapi. With the icon, kept for clients that read schemas. */
  readonly collectionName?: string;
  readonly icon?: string;
  readonly displayName: string;
  readonly description: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly attributes: readonly AttributeDefinition[];
}

/** A content-type that the server code of a plugin defines. */
export interface PluginSchema {
  readonly uid: Uid;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Its schema file where it is found, otherwise the module that defines it. Relative to the project. */
  readonly file: string;
  /** The text of the schema file, for lines. Null: it is defined by a module. */
  readonly text: string | null;
}

/** Changes by code to a schema: by extensions to those of plugins, by `register` to all. */
export interface SchemaChange {
  readonly uid: Uid;
  /** The module, relative to the project. */
  readonly file: string;
  /** Lines of the module in which attributes are mentioned first. */
  readonly lines: Readonly<Record<string, number>>;
  /** Attributes that are added or replaced; null: removed. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Other keys that have another value, such as `options` and `pluginOptions`. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Schemas, changes and actions that server code defines. */
export interface PluginCode {
  /** Schemas that code defines: those of plugins, and `schema.js` of the project. */
  readonly schemas: readonly PluginSchema[];
  /** In the order in which they are made. */
  readonly changes: readonly SchemaChange[];
  readonly actions: readonly ControllerActions[];
  /** The base types of custom fields that code registers, by uid. */
  readonly customFields: Readonly<Record<string, string>>;
}

export const NO_PLUGIN_CODE: PluginCode = { schemas: [], changes: [], actions: [], customFields: {} };

/** Actions of one controller that routes of the project call. */
export interface ControllerActions {
  /** `api::article.article` */
  readonly uid: string;
  readonly actions: readonly string[];
}

/** Options of attributes that the configuration leaves without effect. */
interface UncheckedOptions {
  /** `required` of relations and media. */
  readonly requiredLinks: boolean;
  /** `unique` of enumerations and booleans. */
  readonly uniqueChoices: boolean;
}

/** All definitions of a project, and the problems of each file. */
export interface Definitions {
  readonly types: readonly ContentTypeDefinition[];
  readonly components: readonly ComponentDefinition[];
  readonly problems: readonly SchemaProblem[];
  /** Uids whose files exist but could not be read. References to them are not reported as problems. */
  readonly unreadable: readonly Uid[];
  /** The actions that routes of the project name. */
  readonly controllerActions?: readonly ControllerActions[];
  /** The built-in plugins that the configuration disables. */
  readonly disabledPlugins?: readonly string[];
  /** Names that the configuration makes private in all types and components. */
  readonly privateAttributes?: readonly string[];
  /** Constraints of schemas that are not checked, as in Strapi. Absent: all are checked. */
  readonly unchecked?: UncheckedOptions;
  /** Contributions of plugins. */
  readonly plugins?: PluginCode;
}
