import type { Uid } from '../lib/uid.js';

/** A mistake (or a doubt) in a schema file. All of them are collected; none is thrown. */
export interface SchemaProblem {
  readonly severity: 'error' | 'warning';
  /** Stable, e.g. `unknown-type`, `dangling-target`, `missing-inverse`, `duplicate-name`, `reserved-name`, `component-cycle`, `broken-json`. */
  readonly code: string;
  /** Relative to the project. */
  readonly file: string;
  /** 1-based; of the attribute, the option or the syntax error. */
  readonly line: number;
  readonly attribute: string | null;
  readonly message: string;
  /** What would be right: known types, targets, names. */
  readonly allowed: readonly string[];
}

/** One attribute as the file has it: its type known, its options not yet interpreted. */
export interface AttributeDefinition {
  readonly name: string;
  readonly type: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly line: number;
  /** Lines of the options, where they differ from the attribute's own. */
  readonly optionLines: Readonly<Record<string, number>>;
}

/** A content-type's schema.json, read and checked for shape, not yet resolved against others. */
export interface ContentTypeDefinition {
  readonly uid: Uid;
  readonly origin: 'project' | 'builtin';
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
  /** Lines of `singularName`, `pluralName`, `collectionName` and `displayName`, for problems that only the other files show. */
  readonly nameLines: Readonly<Record<string, number>>;
}

export interface ComponentDefinition {
  readonly uid: Uid;
  readonly category: string;
  readonly name: string;
  readonly file: string;
  readonly displayName: string;
  readonly description: string;
  readonly attributes: readonly AttributeDefinition[];
}

/** Every definition of a project, with what is wrong in the files themselves. */
export interface Definitions {
  readonly types: readonly ContentTypeDefinition[];
  readonly components: readonly ComponentDefinition[];
  readonly problems: readonly SchemaProblem[];
  /** Types and components whose file is there but could not be read; whatever points at them is not at fault. */
  readonly unreadable: readonly Uid[];
}
