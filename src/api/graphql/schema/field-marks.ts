import { isObjectType } from 'graphql';
import type { GraphQLField, GraphQLSchema } from 'graphql';
import type { Permission } from '../../../access/permissions/actions.js';

const GENERATED = 'generated';
const NEEDS_RECORD = 'needsRecord';
const PROJECT = 'project';
const PERMISSION = 'permission';
const CACHEABLE = 'cacheable';

type MarkedField = Pick<GraphQLField<unknown, unknown>, 'extensions'>;
export type FieldExtensions = Readonly<Record<string, unknown>>;

const mark = (field: MarkedField, marks: FieldExtensions): void => {
  field.extensions = { ...field.extensions, ...marks };
};

/** Marks all fields as generated from the content model. */
export function markGenerated(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type) && !type.name.startsWith('__'))
      for (const field of Object.values(type.getFields())) mark(field, { [GENERATED]: true });
  }
}

/** Extensions of a field whose resolver requires a permission before it does anything else. */
export function permissionExtensions(permission: Permission): FieldExtensions {
  return { [PERMISSION]: permission };
}

/** Extensions of a generated root field that returns only documents that it reads. */
export const CACHEABLE_READ: FieldExtensions = { [CACHEABLE]: true };

/** True if the field's value follows from the documents that generated root fields have read. */
export function isCacheableField(field: MarkedField, isRoot: boolean): boolean {
  // Without an extension of the project no field is marked as generated, since all are.
  const isReplaced = field.extensions[GENERATED] === false;
  return !isReplaced && !needsRecord(field) && (!isRoot || field.extensions[CACHEABLE] === true);
}

/** Returns the permission that a generated field requires; undefined: none. */
export function fieldPermission({ extensions }: MarkedField): Permission | undefined {
  return extensions[PERMISSION] as Permission | undefined;
}

/** Marks a field as no longer generated, because a resolver of the project replaces the generated one. */
export function unmarkGenerated(field: MarkedField): void {
  mark(field, { [GENERATED]: false });
}

/** True if a field is generated from the content model. */
export function isGenerated({ extensions }: MarkedField): boolean {
  return extensions[GENERATED] === true;
}

/** Marks a field at which project code runs. The code receives whole records, not only selected fields. */
export function markProjectCode(field: MarkedField): void {
  mark(field, { [NEEDS_RECORD]: true, [PROJECT]: !isGenerated(field) });
}

/** True if project code runs at the field. */
export function needsRecord({ extensions }: MarkedField): boolean {
  return extensions[NEEDS_RECORD] === true;
}

/** True if the project adds the field, so that no attribute of the content model is read for it. */
export function isProjectField({ extensions }: MarkedField): boolean {
  return extensions[PROJECT] === true;
}
