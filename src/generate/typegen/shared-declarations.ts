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

/** The texts of the files in declarations/, which whoever prints types has read. */
export type SharedTexts = Readonly<Record<SharedName, string>>;

export const SHARED_NAMES = Object.keys(SHARED_DECLARATIONS) as readonly SharedName[];
