import { getNamedType, getNullableType, isEnumType, isListType, isNonNullType, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLObjectType, GraphQLOutputType } from 'graphql';
import type { ContentSchema } from '../../model/model.js';
import type { PopulateNode } from '../../query/query.js';
import type { FieldOutput, OutputType, PopulateOutput, RecordOutput } from '../../query/record-output.js';
import { isContentType } from '../../query/schema-fields.js';
import { fieldSourcesOf, populateKeyOf } from '../field-sources.js';
import type { FieldSource } from '../field-sources.js';
import { isPlain } from '../resolvers/plain-reads.js';
import { needsRecord } from '../schema/field-marks.js';
import { SCALARS } from '../schema/fixed-types.js';
import { contentSchemaOf } from '../schema/type-registry.js';
import { collectFields } from './collect-fields.js';
import type { FieldRequest, OperationDocument } from './collect-fields.js';

/** What is planned so that a statement prints records as GraphQL does. */
export interface Printing {
  /** A nested list that is longer is an error. */
  readonly maxItems: number;
  /** Set to false where a value is not simply what a statement reads. The plan is then of no use. */
  isPlain: boolean;
}

export const TYPENAME = '__typename';

const CHECKED_TYPES: readonly OutputType[] = ['ID', 'String', 'Int', 'Float', 'Boolean', 'Long'];

const isRequired = ({ type }: Pick<GraphQLField<unknown, unknown>, 'type'>): boolean => isNonNullType(type);

/** The type as which a scalar is printed. Null: the project's own. */
const outputTypeOf = (
  type: GraphQLOutputType,
  schema: ContentSchema,
  name: string,
): FieldOutput['type'] | null => {
  const leaf = getNullableType(type);
  const attribute = schema.attributes[name];
  const declared = attribute?.family === 'scalar' ? attribute.field.graphql.output : null;
  if (attribute?.family === 'scalar' && attribute.type === 'enumeration')
    return isEnumType(leaf) ? leaf.getValues().map((value) => [String(value.value), value.name]) : null;
  const scalar = SCALARS.find((candidate) => candidate === leaf);
  if (scalar === undefined || (declared !== null && declared !== scalar.name)) return null;
  return CHECKED_TYPES.find((checked) => checked === scalar.name) ?? 'Any';
};

/** The id of a record, which is no attribute. */
const idNameOf = (schema: ContentSchema): string => (isContentType(schema) ? 'documentId' : 'id');

interface PlannedRecord {
  readonly type: GraphQLObjectType;
  readonly requests: readonly FieldRequest[];
  readonly populate: readonly PopulateNode[];
}

interface RequestedField {
  readonly schema: ContentSchema;
  readonly request: FieldRequest;
  readonly field: GraphQLField<unknown, unknown>;
}

const fieldOutput = (name: string, { schema, request, field }: RequestedField): FieldOutput | null => {
  const type = outputTypeOf(field.type, schema, name);
  return type === null
    ? null
    : { kind: 'field', key: request.key, field: name, type, required: isRequired(field) };
};

/** The members of a connection. Null: it has none of the nodes, or has them twice. */
const connectionOf = (
  document: OperationDocument,
  type: GraphQLOutputType,
  { nodes }: FieldRequest,
): PopulateOutput['connection'] => {
  const connection = getNamedType(type);
  if (!isObjectType(connection)) return null;
  const requests = collectFields(document, connection, nodes);
  const lists = requests.filter(({ name }) => name === 'nodes');
  if (lists.length !== 1 || requests.some(({ name }) => name !== 'nodes' && name !== TYPENAME)) return null;
  return requests.map(({ key, name }) => [key, name === TYPENAME ? connection.name : null]);
};

const populateOutput = (
  document: OperationDocument,
  { attribute, form }: Extract<FieldSource, { readonly kind: 'populate' }>,
  { request, field }: RequestedField,
): PopulateOutput | null => {
  const connection = form === 'connection' ? connectionOf(document, field.type, request) : null;
  if (form === 'connection' && connection === null) return null;
  return {
    kind: 'populate',
    key: request.key,
    node: populateKeyOf(attribute, request.key),
    required: isRequired(field) && !isListType(getNullableType(field.type)) && connection === null,
    connection,
  };
};

const memberOutput = (
  document: OperationDocument,
  requested: RequestedField,
  populate: readonly PopulateNode[],
): RecordOutput | null => {
  const { schema, request, field } = requested;
  if (needsRecord(field) || !isPlain(field)) return null;
  if (request.name === idNameOf(schema)) return fieldOutput(request.name, requested);
  const source = fieldSourcesOf(schema).get(request.name);
  switch (source?.kind) {
    case 'scalar':
      return fieldOutput(source.attribute, requested);
    case 'hidden':
      return { kind: 'text', key: request.key, text: null };
    case 'populate': {
      const output = populateOutput(document, source, requested);
      return output !== null && populate.some(({ key }) => key === output.node) ? output : null;
    }
    case undefined:
      return null;
    default:
      return source satisfies never;
  }
};

/** Plans the members of a printed record, in the order in which the operation requests them. */
export function planOutput(
  printing: Printing,
  document: OperationDocument,
  { type, requests, populate }: PlannedRecord,
): readonly RecordOutput[] {
  const schema = contentSchemaOf(type);
  const members = requests.flatMap((request): readonly (RecordOutput | null)[] => {
    if (request.name === TYPENAME) return [{ kind: 'text', key: request.key, text: type.name }];
    const field = type.getFields()[request.name];
    if (schema === undefined || field === undefined) return [null];
    return [memberOutput(document, { schema, request, field }, populate)];
  });
  const plainMembers = members.filter((member) => member !== null);
  if (schema === undefined || plainMembers.length < members.length) printing.isPlain = false;
  return plainMembers;
}

const sliceLimitOf = (node: PopulateNode): number =>
  ('slice' in node ? node.slice?.limit : undefined) ?? Infinity;

/** Returns the node of a list that the statement prints: a longer one than allowed only as unprintable. */
export function withListOutput({ maxItems }: Printing, node: PopulateNode): PopulateNode {
  if (node.kind === 'zone' || node.kind === 'morph' || node.kind === 'referrers') return node;
  return { ...node, list: { maxItems: sliceLimitOf(node) > maxItems ? maxItems : null } };
}
