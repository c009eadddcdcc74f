import * as Flags from '@oclif/core/flags';
import type { AttributeEdit } from '../../project/scaffold/edit-attribute.js';

const toggle = (description: string) => Flags.boolean({ allowNo: true, description });

const text = (description: string, helpValue: string) => Flags.string({ description, helpValue });

/** The options of an attribute, as `cms field edit` takes them. Their names are those of the shorthand. */
export const attributeOptionFlags = {
  type: text('The new type: string, integer, enumeration, relation…', '<type>'),
  required: toggle('Refuse publishing without a value.'),
  unique: toggle('Refuse the same value in two documents.'),
  index: toggle('Index its values, so that filters and sorting by it stay fast.'),
  search: toggle('Index its texts, so that searching in them stays fast.'),
  private: toggle('Leave it out of every response.'),
  localized: toggle('Give each locale its own value.'),
  default: text('The value where a request sends none.', '<value>'),
  min: text('The smallest value, or the fewest items.', '<number>'),
  max: text('The largest value, or the most items.', '<number>'),
  'min-length': text('The fewest characters.', '<number>'),
  'max-length': text('The most characters.', '<number>'),
  regex: text('The pattern that a value must match.', '<pattern>'),
  enum: text('The values of an enumeration, separated by |.', '<a|b>'),
  'target-field': text('The attribute that a uid is made from.', '<field>'),
  generate: toggle('Make a uid from its target field where a request sends none.'),
  component: text('The component of the attribute.', '<component>'),
  components: text('The components of a dynamic zone, separated by |.', '<a|b>'),
  repeatable: toggle('Take a list of components.'),
  multiple: toggle('Take several files.'),
  'allowed-types': text('The kinds of files, separated by |.', '<images|videos>'),
  relation: text('The kind of relation: manyToOne, manyToMany…', '<kind>'),
  target: text('The type that a relation points to.', '<type>'),
  'inversed-by': text('The attribute of the target that is the other side.', '<field>'),
  'mapped-by': text('The attribute of the target that owns the relation.', '<field>'),
  unset: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    description: 'An option to remove, such as max or inversedBy. May be repeated.',
    helpValue: '<option>',
  }),
};

const NO_OPTIONS: ReadonlySet<string> = new Set(['type', 'unset']);

const camelCase = (flag: string): string =>
  flag.replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Returns what the flags change of an attribute. Null where none is given. */
export function readAttributeEdit(flags: Readonly<Record<string, unknown>>): AttributeEdit | null {
  const options = Object.keys(attributeOptionFlags)
    .filter((name) => !NO_OPTIONS.has(name) && flags[name] !== undefined)
    .map((name) => ({ key: camelCase(name), value: String(flags[name]) }));
  const type = typeof flags['type'] === 'string' ? flags['type'] : undefined;
  const unset = Array.isArray(flags['unset']) ? flags['unset'].map(String) : [];
  return type === undefined && options.length === 0 && unset.length === 0 ? null : { type, options, unset };
}
