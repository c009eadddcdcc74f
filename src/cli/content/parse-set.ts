import { valueOfText } from '../../transfer/store/value-of-text.js';
import { createError } from '../../errors/catalogue.js';
import { parseExactJson } from '../../lib/exact-json.js';
import { isRecord } from '../../lib/is-record.js';
import { componentOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema } from '../../model/model.js';
import { resolveAttribute } from '../../project/scaffold/resolve-name.js';

type Data = Record<string, unknown>;

const invalid = (assignment: string, reason: string, remedy: string): Error =>
  createError('cli/invalid-usage', { reason: `--set ${assignment}: ${reason}`, remedy });

/** Runs what parses JSON in an assignment. */
const parsing = (assignment: string, parse: () => unknown): unknown => {
  try {
    return parse();
  } catch (error) {
    throw invalid(
      assignment,
      `the value is not JSON (${error instanceof Error ? error.message : String(error)}).`,
      'Quote it for the shell, as in --set \'seo={"metaTitle": "Lamp"}\'.',
    );
  }
};

const attributeAt = (schema: ContentSchema, name: string): Attribute => {
  const attributes = Object.values(schema.attributes);
  const known = resolveAttribute({ uid: schema.uid, attributes }, name);
  return schema.attributes[known] as Attribute;
};

interface Assignment {
  /** As it was typed. */
  readonly text: string;
  readonly value: string;
  readonly isJson: boolean;
}

const assign = (
  model: ContentModel,
  target: { readonly schema: ContentSchema; readonly data: Data },
  [name = '', ...rest]: readonly string[],
  assignment: Assignment,
): void => {
  const attribute = attributeAt(target.schema, name);
  if (rest.length === 0) {
    const { text, value, isJson } = assignment;
    target.data[name] = parsing(text, () => (isJson ? parseExactJson(value) : valueOfText(attribute, value)));
    return;
  }
  if (attribute.family !== 'component' || attribute.repeatable)
    throw invalid(
      assignment.text,
      `${name} is no single component, so that it has no ${rest.join('.')}.`,
      `Set all of it as JSON: --set '${name}=…'.`,
    );
  const existing = target.data[name];
  const data: Data = isRecord(existing) ? existing : {};
  target.data[name] = data;
  assign(model, { schema: componentOf(model, attribute.component), data }, rest, assignment);
};

/**
 * Parses assignments of the command line into the data of a write. `name=value` takes a value as its
 * attribute's type writes it, lists separated by commas; an empty value clears what is no text. `name:=json`
 * takes JSON. Dots lead into components.
 *
 * @example
 *   parseAssignments(model, article, ['title=Lamp', 'tags=red,blue', 'seo.metaTitle=Lamp', 'price:=null']);
 *
 * @throws `cli/invalid-usage`, `cli/unknown-name`
 */
export function parseAssignments(
  model: ContentModel,
  schema: ContentSchema,
  assignments: readonly string[],
): Readonly<Record<string, unknown>> {
  const data: Data = {};
  for (const text of assignments) {
    const match = /^(?<path>[^:=]+)(?<sign>:?=)(?<value>[\s\S]*)$/.exec(text);
    const { path, sign, value } = match?.groups ?? {};
    if (path === undefined || value === undefined)
      throw invalid(text, 'it has no value.', 'Write it as attribute=value, such as title=Lamp.');
    assign(model, { schema, data }, path.trim().split('.'), { text, value, isJson: sign === ':=' });
  }
  return data;
}
