import { typeOf } from '../../model/lookup.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import type { PreparedInput } from '../../validation/input.js';
import { isStorableText } from '../../fields/text-value.js';
import type { DocumentContext } from '../document-context.js';
import type { BulkItem, CreateParams, DeleteParams, UpdateParams, VersionParams } from '../documents.js';
import { isPublishing, draftVerb, requireDrafts, resolveLocale } from '../write-params.js';
import { assertWritableFields, writePermissionOf } from '../write-permission.js';
import { requiredAction } from './parse-items.js';

/** A new document that can be written together with others. */
export interface NewDocument {
  readonly type: ContentType;
  readonly params: CreateParams;
  readonly input: PreparedInput;
  /** As it is stored. */
  readonly locale: string;
  readonly publish: boolean;
}

/** A document that can be deleted together with others. */
export interface Deletion {
  readonly type: ContentType;
  readonly params: DeleteParams;
  /** As it is stored. Null: all locales. */
  readonly locale: string | null;
}

/** An existing document whose versions can be changed together with those of others. */
export interface DocumentChange {
  readonly type: ContentType;
  readonly action: 'update' | 'publish' | 'unpublish' | 'discardDraft';
  readonly params: UpdateParams | VersionParams;
  readonly input: PreparedInput;
  /** As it is stored. */
  readonly locale: string;
  readonly publish: boolean;
  /** The status of the version that is returned. */
  readonly returned: VersionStatus;
}

/** How an item is written: together with its neighbours, or as it would be alone. */
export type ClassifiedItem =
  | { readonly kind: 'create'; readonly item: BulkItem; readonly document: NewDocument }
  | { readonly kind: 'delete'; readonly item: BulkItem; readonly deletion: Deletion }
  | { readonly kind: 'change'; readonly item: BulkItem; readonly change: DocumentChange }
  | { readonly kind: 'single'; readonly item: BulkItem };

/**
 * Whether nothing happens between the steps of a write: no project code, no condition that the document is
 * checked against, and none of the rules of built-in types.
 */
const isPlain = ({ hooks, model }: DocumentContext, { action, params }: BulkItem): boolean =>
  typeOf(model, params.type).origin === 'project' &&
  !hooks.isHooked(action, params.type) &&
  (params.access?.scopeOf?.(params.type, requiredAction(action))?.filter ?? null) === null;

/** Whether the links that are sent change no other document than the lists that they are appended to. */
const hasPlainLinks = (context: DocumentContext, type: ContentType, { data }: PreparedInput): boolean =>
  context
    .relationsOf(type)
    .every(
      ({ attribute, link }) =>
        data[attribute.name] === undefined || (attribute.side === 'owner' && !link.exclusive),
    );

/** Validates the shape of a new document. Throws as the operation would. */
const prepareCreate = async (context: DocumentContext, params: CreateParams): Promise<NewDocument | null> => {
  const { data, access } = params;
  const type = typeOf(context.model, params.type);
  if (type.kind === 'singleType' || params.times !== undefined) return null;
  assertWritableFields(writePermissionOf(type, access, 'create'), data);
  const input = await context.validatorOf(type).prepare(data, access);
  if (!hasPlainLinks(context, type, input)) return null;
  const locale = resolveLocale(context, type, params.locale);
  return { type, params, input, locale, publish: isPublishing(type, params.status) };
};

const prepareDelete = (context: DocumentContext, params: DeleteParams): Deletion => {
  const type = typeOf(context.model, params.type);
  const isWhole = !type.localized || params.locale === '*';
  return { type, params, locale: isWhole ? null : resolveLocale(context, type, params.locale) };
};

const NO_INPUT: PreparedInput = Object.freeze({ data: {}, hashed: new Map() });

/** Validates the shape of what is sent. Throws as the operation would. */
const prepareChange = async (
  context: DocumentContext,
  item: Extract<BulkItem, { readonly action: 'update' | 'publish' | 'unpublish' | 'discardDraft' }>,
): Promise<DocumentChange | null> => {
  const { action, params } = item;
  const type = typeOf(context.model, params.type);
  if (type.kind === 'singleType' || !isStorableText(params.documentId)) return null;
  const locale = resolveLocale(context, type, params.locale);
  if (action === 'update' && item.params.times !== undefined) return null;
  if (action !== 'update') requireDrafts(type, draftVerb(action));
  const publish = action === 'update' ? isPublishing(type, item.params.status) : action === 'publish';
  if (action !== 'update') {
    const returned = publish ? 'published' : 'draft';
    return { type, action, params, input: NO_INPUT, locale, publish, returned };
  }
  const { data, access, status: returned = 'published' } = item.params;
  assertWritableFields(writePermissionOf(type, access, 'update'), data);
  const input = await context.validatorOf(type).prepare(data, access);
  return hasPlainLinks(context, type, input)
    ? { type, action, params, input, locale, publish, returned }
    : null;
};

/** Finds out how an item can be written. What is wrong with it is found when it is written alone. */
export async function classifyItem(context: DocumentContext, item: BulkItem): Promise<ClassifiedItem> {
  const single: ClassifiedItem = { kind: 'single', item };
  if (!isPlain(context, item)) return single;
  try {
    if (item.action === 'delete')
      return { kind: 'delete', item, deletion: prepareDelete(context, item.params) };
    if (item.action === 'create') {
      const document = await prepareCreate(context, item.params);
      return document === null ? single : { kind: 'create', item, document };
    }
    const change = await prepareChange(context, item);
    return change === null ? single : { kind: 'change', item, change };
  } catch {
    return single;
  }
}
