import { isRecord } from '../../lib/is-record.js';
import type { Uid } from '../../model/model.js';

/** A name of the content model that is another one after the migration. Owners have their uid before it. */
export type ContentRename =
  | { readonly kind: 'type'; readonly from: Uid; readonly to: Uid }
  | { readonly kind: 'component'; readonly from: Uid; readonly to: Uid }
  | { readonly kind: 'attribute'; readonly type: Uid; readonly from: string; readonly to: string }
  | {
      readonly kind: 'component-attribute';
      readonly component: Uid;
      readonly from: string;
      readonly to: string;
    };

/**
 * The user's decisions about stored values. Keys are the uid of the content-type or component after the
 * migration and the attribute's name after it: `api::article.article.price`, `shared.seo.title`.
 */
export interface ContentDecisions {
  readonly renames: readonly ContentRename[];
  /** Expressions of the new value: SQL, or TypeScript after `ts:`. `value` stands for the old one. */
  readonly convert: Readonly<Record<string, string>>;
  /** The value for versions and items that have none. */
  readonly set: Readonly<Record<string, unknown>>;
  /** New values of an enumeration, by the old ones. */
  readonly map: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Attributes whose default fills existing versions and items that have no value. */
  readonly useDefaults: readonly string[];
}

/** The decisions that a plan is made with. */
export interface PlannedDecisions extends ContentDecisions {
  /** True if conversions that are TypeScript yield the old values, from which their tables are filled. */
  readonly collectsOldValues?: boolean;
}

export const NO_DECISIONS: ContentDecisions = Object.freeze({
  renames: [],
  convert: {},
  set: {},
  map: {},
  useDefaults: [],
});

/** True if the user has decided nothing. */
export const isUndecided = ({ renames, convert, set, map, useDefaults }: ContentDecisions): boolean =>
  renames.length +
    useDefaults.length +
    [convert, set, map].flatMap((record) => Object.keys(record)).length ===
  0;

const isText = (value: unknown): value is string => typeof value === 'string';

const isTextRecord = (value: unknown): boolean => isRecord(value) && Object.values(value).every(isText);

const isContentRename = (value: unknown): value is ContentRename =>
  isRecord(value) &&
  isText(value['from']) &&
  isText(value['to']) &&
  (value['kind'] === 'type' ||
    value['kind'] === 'component' ||
    (value['kind'] === 'attribute' && isText(value['type'])) ||
    (value['kind'] === 'component-attribute' && isText(value['component'])));

/** True if a value read from a migration's header has the shape of decisions. */
export const isContentDecisions = (value: unknown): value is ContentDecisions =>
  isRecord(value) &&
  Array.isArray(value['renames']) &&
  value['renames'].every(isContentRename) &&
  isTextRecord(value['convert']) &&
  isRecord(value['set']) &&
  isRecord(value['map']) &&
  Object.values(value['map']).every(isTextRecord) &&
  Array.isArray(value['useDefaults']) &&
  value['useDefaults'].every(isText);
