import { getOperationAST, Kind, OperationTypeNode, visit } from 'graphql';
import type {
  ASTNode,
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import type { Uid } from '../../model/model.js';
import { plainReadOf } from '../resolvers/plain-reads.js';
import { needsRecord } from '../schema/field-marks.js';
import { TYPENAME } from '../selection/plan-output.js';

/** A valid query whose root fields are all generated reads. A plan tells whether all below them is plain. */
export interface PlainOperation {
  readonly schema: GraphQLSchema;
  /** Of the document, with the name of the operation. */
  readonly text: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** The variables on which the selections depend. All others are only in arguments of root fields. */
  readonly planVariables: readonly string[];
  /** The content-types of the root fields. */
  readonly types: readonly Uid[];
}

interface RootSelections {
  readonly fields: readonly FieldNode[];
  /** What stands around and below the fields, but not in their arguments. */
  readonly rest: readonly ASTNode[];
}

/** Each fragment counts at its first spread, as GraphQL collects fields: spreads may double at each level. */
const rootSelections = (
  { selectionSet }: OperationDefinitionNode,
  fragments: PlainOperation['fragments'],
): RootSelections => {
  const [fields, rest]: [FieldNode[], ASTNode[]] = [[], []];
  const visited = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      rest.push(...(selection.directives ?? []));
      if (selection.kind === Kind.FIELD) {
        fields.push(selection);
        if (selection.selectionSet !== undefined) rest.push(selection.selectionSet);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else {
        const fragment = fragments[selection.name.value];
        if (fragment === undefined || visited.has(selection.name.value)) continue;
        visited.add(selection.name.value);
        collect(fragment.selectionSet);
      }
    }
  };
  collect(selectionSet);
  return { fields, rest };
};

/** The variables in some parts of a document, also in the fragments that they spread. */
const variablesIn = (
  nodes: readonly ASTNode[],
  fragments: PlainOperation['fragments'],
): readonly string[] => {
  const names = new Set<string>();
  const visited = new Set<string>();
  const search = (node: ASTNode): void => {
    visit(node, {
      Variable: ({ name }) => {
        names.add(name.value);
      },
      FragmentSpread: ({ name }) => {
        const fragment = fragments[name.value];
        if (fragment === undefined || visited.has(name.value)) return;
        visited.add(name.value);
        search(fragment.selectionSet);
      },
    });
  };
  nodes.forEach(search);
  return [...names];
};

const isPlainRoot = (schema: GraphQLSchema, { name }: FieldNode): boolean => {
  if (name.value === TYPENAME) return true;
  const field = schema.getQueryType()?.getFields()[name.value];
  return field !== undefined && !needsRecord(field) && plainReadOf(field) !== undefined;
};

const rootTypeOf = (schema: GraphQLSchema, { name }: FieldNode): Uid | undefined => {
  const field = schema.getQueryType()?.getFields()[name.value];
  return field === undefined ? undefined : plainReadOf(field)?.type.uid;
};

/** Returns an operation of a valid document, or null if it is not plain. */
export function plainOperationOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  { text, operationName }: Pick<PlainOperation, 'text'> & { readonly operationName: string | null },
): PlainOperation | null {
  const operation = getOperationAST(document, operationName) ?? null;
  if (operation === null || operation.operation !== OperationTypeNode.QUERY) return null;
  const fragments: PlainOperation['fragments'] = Object.fromEntries(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
  const { fields, rest } = rootSelections(operation, fragments);
  if (!fields.every((field) => isPlainRoot(schema, field))) return null;
  return {
    schema,
    text,
    document,
    operation,
    fragments,
    planVariables: variablesIn(rest, fragments),
    types: fields.flatMap((field) => rootTypeOf(schema, field) ?? []),
  };
}
