import { GraphQLID, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import type { GraphQLFieldConfigArgumentMap } from 'graphql';
import type { ContentType } from '../../model/model.js';
import { queryNamesOf } from '../names.js';
import { localeArgument, statusArgument } from '../schema/arguments.js';
import type { RootTypes } from '../schema/arguments.js';
import type { RootFields } from '../schema/query-fields.js';
import type { ChangeKind } from './delivery.js';
import { resolveChange } from './resolve-change.js';

/** What is left of a document to tell of. */
const DELETED_DOCUMENT = new GraphQLObjectType({
  name: 'DeletedDocument',
  description: 'A document, or one of its languages, that was deleted or is no longer published',
  fields: { documentId: { type: new GraphQLNonNull(GraphQLID) }, locale: { type: GraphQLString } },
});

const argumentsOf = ({ book, localeCode }: RootTypes, type: ContentType, hasStatus: boolean): GraphQLFieldConfigArgumentMap => ({
  ...(type.kind === 'singleType' ? {} : { documentId: { type: GraphQLID }, filters: { type: book.filters(type) } }),
  ...(hasStatus ? { status: statusArgument(book) } : {}),
  ...localeArgument(localeCode, type),
});

const kindsOf = ({ kind, draftAndPublish }: ContentType): readonly ChangeKind[] => [
  ...(kind === 'singleType' ? [] : ['created' as const]),
  'updated',
  'deleted',
  ...(draftAndPublish ? (['published', 'unpublished'] as const) : []),
];

const DESCRIPTIONS: Readonly<Record<ChangeKind, string>> = {
  created: 'Each new document, when its version of that status is written with it',
  updated: 'Each change of the version of that status',
  deleted: 'Each document that is deleted, of those that could be read until then',
  published: 'Each version that is published, whichever operation publishes it',
  unpublished: 'Each document that is no longer published, of those that could be read until then',
};

const NAMES: Readonly<Record<ChangeKind, string>> = { created: 'Created', updated: 'Updated', deleted: 'Deleted', published: 'Published', unpublished: 'Unpublished' };

/** `articleCreated`, `articleUpdated`, `articleDeleted`, and where there are drafts `articlePublished` and `articleUnpublished`. */
export function subscriptionFieldsOf(types: RootTypes, type: ContentType): RootFields {
  if (!types.book.switches.hasAction(type, 'find')) return {};
  const { one } = queryNamesOf(type);
  return Object.fromEntries(kindsOf(type).map((kind) => {
    const isRemoval = kind === 'deleted' || kind === 'unpublished';
    const hasStatus = type.draftAndPublish && kind !== 'published' && kind !== 'unpublished';
    const field = {
      description: DESCRIPTIONS[kind],
      type: isRemoval ? DELETED_DOCUMENT : types.book.object(type),
      args: argumentsOf(types, type, hasStatus),
      resolve: resolveChange(type, kind),
    };
    return [`${one}${NAMES[kind]}`, field];
  }));
}
