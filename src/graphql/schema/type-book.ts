import type { GraphQLEnumType, GraphQLInputObjectType, GraphQLObjectType, GraphQLScalarType, GraphQLUnionType } from 'graphql';
import type { AttributeHolder, ContentModel, ContentType, DynamicZoneAttribute, ScalarAttribute } from '../../model/model.js';
import type { SchemaSwitches } from './switches.js';

/** Every type of one schema, each made when it is first asked for. Fields are thunks, so that types may refer to each other. */
export interface TypeBook {
  readonly model: ContentModel;
  readonly switches: SchemaSwitches;
  /** Scalars and enumerations that are the same in every schema, by name. */
  readonly scalar: (name: string) => GraphQLScalarType;
  readonly publicationStatus: GraphQLEnumType;
  readonly publicationFilter: GraphQLEnumType;
  readonly paginationArg: GraphQLInputObjectType;
  readonly object: (holder: AttributeHolder) => GraphQLObjectType;
  readonly filters: (holder: AttributeHolder) => GraphQLInputObjectType;
  readonly input: (holder: AttributeHolder) => GraphQLInputObjectType;
  /** `StringFilterInput` */
  readonly scalarFilter: (name: string) => GraphQLInputObjectType;
  readonly enumeration: (holder: AttributeHolder, attribute: ScalarAttribute) => GraphQLEnumType;
  readonly zone: (holder: AttributeHolder, attribute: DynamicZoneAttribute) => GraphQLUnionType;
  readonly zoneInput: (holder: AttributeHolder, attribute: DynamicZoneAttribute) => GraphQLScalarType;
  /** `{nodes, pageInfo}` */
  readonly connection: (type: ContentType) => GraphQLObjectType;
  /** `{nodes}` */
  readonly relationConnection: (type: ContentType) => GraphQLObjectType;
  readonly genericMorph: () => GraphQLUnionType;
  /** The languages of the content, in the form of a content-type. */
  readonly localeType: ContentType;
}

const HOLDER = 'holder';

/** Marks an object type with whose records it shows. */
export function holderExtensions(holder: AttributeHolder): Readonly<Record<string, unknown>> {
  return { [HOLDER]: holder };
}

/** The content-type or component whose records an object type shows. */
export function holderOf(type: GraphQLObjectType): AttributeHolder | undefined {
  return type.extensions[HOLDER] as AttributeHolder | undefined;
}
