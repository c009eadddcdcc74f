import type { GraphQLFieldResolver } from 'graphql';
import { createError } from '../../../errors/catalogue.js';
import type { GraphqlContext } from '../graphql-context.js';
import { populateKeyOf } from '../field-sources.js';
import { faultOf } from '../selection/field-faults.js';
import { loadPopulated } from './project-records.js';

type PopulateForm = 'one' | 'list' | 'connection';

const toFieldValue = (value: unknown, form: PopulateForm, { assertListSize }: GraphqlContext): unknown => {
  if (form === 'one') return value;
  // Media without files are read as null.
  const list = value ?? [];
  if (Array.isArray(list)) assertListSize(list.length);
  return form === 'list' ? list : { nodes: list };
};

/**
 * Returns a resolver that takes the value that the root field's statement has read. If a resolver of the
 * project returned the record, or a middleware changed the arguments, the value is loaded now.
 *
 * @throws `request/forbidden` if the caller may not find the relation's target, or what is wrong with the
 *   field's arguments
 */
export function resolvePopulated(
  attribute: string,
  form: PopulateForm,
): GraphQLFieldResolver<unknown, GraphqlContext> {
  return (record, _args, context, info) => {
    const value: unknown = Reflect.get(record as object, populateKeyOf(attribute, String(info.path.key)));
    const call = context.project.calls.get(info.path);
    const isPlanned =
      call?.hasOverriddenArgs !== true && !context.project.returnedRecords.has(record as object);
    if (isPlanned && value === undefined)
      throw faultOf(context.faults, info.fieldNodes[0]) ?? createError('request/forbidden');
    if (isPlanned) return toFieldValue(value, form, context);
    return loadPopulated({ record: record as object, attribute, form, context, info }).then((loaded) =>
      toFieldValue(loaded, form, context),
    );
  };
}
