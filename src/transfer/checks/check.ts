/**
 * The folder checks examines content: the rules of `cms content check` and the state of translations. Start
 * at run-checks.ts. Rules examine one page of documents at a time, so that memory does not grow with the
 * content.
 */
import type { ContentTypeUid, DocumentOf } from '../../documents/document-repository.js';
import type { Uid, VersionStatus } from '../../model/model.js';
import type { StoredDocument, StoredVersion } from '../store/read-documents.js';

/** The built-in rules: their default levels and descriptions. */
export const RULES = {
  'required-value': { level: 'error', description: 'Published documents have all required values.' },
  'invalid-value': { level: 'error', description: 'Values fit the constraints of their attributes.' },
  'dead-link': { level: 'error', description: 'Links in texts lead to documents and files that exist.' },
  'missing-alt-text': { level: 'warning', description: 'Images have an alternative text.' },
  'missing-translation': { level: 'warning', description: 'Documents exist in all locales.' },
  'outdated-translation': {
    level: 'warning',
    description: 'Translations are not older than the version in the default locale.',
  },
  'slug-collision': {
    level: 'warning',
    description: 'Different documents have different slugs, even in different locales.',
  },
  'unused-file': { level: 'warning', description: 'Documents use all uploaded files.' },
} as const;

export type RuleName = keyof typeof RULES;

/** One version of a document, or all of it. */
interface Place {
  readonly type: Uid;
  readonly documentId: string;
  /** Null: the type is not localized, or the problem concerns all locales. */
  readonly locale: string | null;
  /** Null: the problem concerns all versions. */
  readonly status: VersionStatus | null;
}

/** A problem of content. */
export interface Problem extends Place {
  readonly rule: string;
  /** The path of the value: `sections.0.body`. Empty: the problem concerns no single value. */
  readonly path: string;
  readonly message: string;
}

/** Returns the versions to examine. A draft that equals the published version would repeat its problems. */
export function examinedVersions({ versions }: StoredDocument): readonly StoredVersion[] {
  return versions.filter(({ isUnchanged }) => isUnchanged !== true);
}

/** Creates a problem of a version. */
export function problemOf(
  { type, documentId }: StoredDocument,
  { locale, status }: StoredVersion,
  problem: Pick<Problem, 'rule' | 'path' | 'message'>,
): Problem {
  return { type: type.uid, documentId, locale, status, ...problem };
}

/** A problem whose rule is switched on. */
export interface ContentFinding extends Problem {
  readonly level: 'warning' | 'error';
}

/** Identifies a version to the checks of projects. */
export interface CheckedVersionInfo<Name extends string = string> {
  readonly type: Name;
  readonly documentId: string;
  /** Null: the type is not localized. */
  readonly locale: string | null;
  readonly status: VersionStatus;
}

/** A problem that a check of a project returns. */
export interface CheckProblem {
  /** A sentence without the place, which reports add. */
  readonly message: string;
  /** The path of the value: `title`, `sections.0.body`. */
  readonly path?: string;
}

/** A document in the form of the API. A draft may lack any value. */
type CheckedDocument<Name extends string> = Name extends string
  ? { readonly documentId: string } & {
      readonly [Key in Exclude<keyof DocumentOf<Name>, 'documentId'>]?: DocumentOf<Name>[Key] | null;
    }
  : never;

/** A rule of a project for `cms content check`. */
export interface ContentCheck<Name extends ContentTypeUid = ContentTypeUid> {
  /** The name of the rule, in lower case with hyphens: `short-title`. */
  readonly name: string;
  readonly description?: string;
  /** The default level; `content.checks` changes it. Default: `error`. */
  readonly level?: 'warning' | 'error';
  /** The content-types that the rule examines. Default: all of the project. */
  readonly types?: readonly Name[];
  /**
   * Returns the problems of one version: a published one, or a draft that differs from it. The document
   * contains components and zones; linked documents and files have only their ids.
   */
  readonly check: (
    document: CheckedDocument<Name>,
    version: CheckedVersionInfo<Name>,
  ) => readonly CheckProblem[] | Promise<readonly CheckProblem[]>;
}

/**
 * Types a rule of a project for `cms content check`. Returns it unchanged.
 *
 * @example
 *   // src/checks/short-title.ts
 *   import { defineCheck } from 'galley';
 *   export default defineCheck({
 *     name: 'short-title',
 *     types: ['api::article.article'],
 *     check: ({ title }) =>
 *       (title ?? '').length < 10 ? [{ path: 'title', message: 'The title is too short.' }] : [],
 *   });
 */
export function defineCheck<const Name extends ContentTypeUid = ContentTypeUid>(
  check: ContentCheck<Name>,
): ContentCheck<Name> {
  return check;
}
