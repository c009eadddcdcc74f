import { GraphQLID, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import type { GraphQLFieldConfigArgumentMap } from 'graphql';
import type { ContentType } from '../../../model/model.js';
import { queryNamesOf } from '../names.js';
import { localeArgument, statusArgument } from '../schema/arguments.js';
import type { RootTypes } from '../schema/arguments.js';
import type { RootFields } from '../schema/query-fields.js';
import { REMOVAL_KINDS } from './delivery.js';
import type { ChangeKind } from './delivery.js';
import { resolveChange } from './resolve-change.js';

/** The payload of removals: what identifies the document that can no longer be read. */
const DELETED_DOCUMENT = new GraphQLObjectType({
  name: 'DeletedDocument',
  description: 'A document, or one locale of it, that was deleted or is no longer published',
  fields: { documentId: { type: new GraphQLNonNull(GraphQLID) }, locale: { type: GraphQLString } },
});

const argumentsOf = (
  { registry, localeCode }: RootTypes,
  type: ContentType,
  hasStatus: boolean,
): GraphQLFieldConfigArgumentMap => ({
  ...(type.kind === 'singleType'
    ? {}
    : { documentId: { type: GraphQLID }, filters: { type: registry.filters(type) } }),
  ...(hasStatus ? { status: statusArgument(registry) } : {}),
  ...localeArgument(localeCode, type),
});

const subscriptionKindsOf = ({ kind, draftAndPublish }: ContentType): readonly ChangeKind[] => [
  ...(kind === 'singleType' ? [] : ['created' as const]),
  'updated',
  'deleted',
  ...(draftAndPublish ? (['published', 'unpublished'] as const) : []),
];

const DESCRIPTIONS: Readonly<Record<ChangeKind, string>> = {
  created: 'Each document that is created with a version of the given status',
  updated: 'Each change of a version of the given status',
  deleted: 'Each document that is deleted, if the subscriber could read it before',
  published: 'Each version that is published, whichever operation publishes it',
  unpublished: 'Each document that is unpublished, if the subscriber could read it before',
};

const FIELD_SUFFIXES: Readonly<Record<ChangeKind, string>> = {
  created: 'Created',
  updated: 'Updated',
  deleted: 'Deleted',
  published: 'Published',
  unpublished: 'Unpublished',
};

/**
 * Builds the subscription fields of a type: `articleCreated`, `articleUpdated` and `articleDeleted`, and for
 * types with drafts `articlePublished` and `articleUnpublished`.
 */
export function subscriptionFieldsOf(types: RootTypes, type: ContentType): RootFields {
  if (!types.registry.switches.hasAction(type, 'find')) return {};
  const { one } = queryNamesOf(type);
  return Object.fromEntries(
    subscriptionKindsOf(type).map((kind) => {
      const hasStatus = type.draftAndPublish && kind !== 'published' && kind !== 'unpublished';
      const field = {
        description: DESCRIPTIONS[kind],
        type: REMOVAL_KINDS.has(kind) ? DELETED_DOCUMENT : types.registry.object(type),
        args: argumentsOf(types, type, hasStatus),
        resolve: resolveChange(type, kind),
      };
      return [`${one}${FIELD_SUFFIXES[kind]}`, field];
    }),
  );
}
