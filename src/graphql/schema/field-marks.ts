import { isObjectType } from 'graphql';
import type { GraphQLField, GraphQLSchema } from 'graphql';
import { permissionAsked } from '../resolvers/granted.js';
import type { Permission } from '../resolvers/granted.js';

const GENERATED = 'generated';
const NEEDS_RECORD = 'needsRecord';
const PROJECT = 'project';
const PERMISSION = 'permission';

type Marked = Pick<GraphQLField<unknown, unknown>, 'extensions'>;

const mark = (field: Marked, marks: Readonly<Record<string, unknown>>): void => {
  field.extensions = { ...field.extensions, ...marks };
};

/** Marks every field as made from the content model, so that what a project puts in its place can be told. */
export function markGenerated(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type) && !type.name.startsWith('__')) for (const field of Object.values(type.getFields())) mark(field, { [GENERATED]: true, [PERMISSION]: permissionAsked(field.resolve) });
  }
}

/** What a generated field asks for. */
export function permissionMarked({ extensions }: Marked): Permission | undefined {
  return extensions[PERMISSION] as Permission | undefined;
}

export function unmarkGenerated(field: Marked): void {
  mark(field, { [GENERATED]: false });
}

export function isGenerated({ extensions }: Marked): boolean {
  return extensions[GENERATED] === true;
}

/** Marks a field at which project code runs, which is given the whole record and not only what the document asks for. */
export function markProjectCode(field: Marked): void {
  mark(field, { [NEEDS_RECORD]: true, [PROJECT]: !isGenerated(field) });
}

/** Whether project code runs at the field. */
export function needsRecord({ extensions }: Marked): boolean {
  return extensions[NEEDS_RECORD] === true;
}

/** Whether the field is the project's own, so that nothing of the model is read for it. */
export function isProjectField({ extensions }: Marked): boolean {
  return extensions[PROJECT] === true;
}
