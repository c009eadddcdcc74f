import { ATTRIBUTE_TYPES } from '../../project/scaffold/attribute-options.js';
import type { AttributePromptContext } from './attribute-prompt-context.js';
import type { PickListChoice } from './pick-list.js';

/** The types in the order in which they are offered, each with what it is for. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Text: {
    string: 'One line.',
    text: 'Several lines of plain text.',
    richtext: 'Markdown.',
    blocks: 'Rich text as a list of blocks.',
    uid: 'Unique id for addresses, such as a slug.',
    email: 'An email address.',
    password: 'Stored as a hash, never shown.',
    enumeration: 'One of a fixed list of values.',
  },
  Numbers: {
    integer: 'Whole numbers.',
    biginteger: 'Whole numbers beyond 2^53.',
    decimal: 'Numbers with a fraction, such as prices.',
    float: 'Numbers with a fraction, such as measurements.',
    boolean: 'True or false.',
  },
  Dates: {
    date: 'A day.',
    time: 'A time of day.',
    datetime: 'A day and a time.',
    timestamp: 'A moment.',
  },
  'Links and structure': {
    relation: 'Links to documents of another type.',
    media: 'Uploaded files.',
    component: 'A group of attributes used in several places.',
    dynamiczone: 'A list of different components.',
    json: 'Any JSON.',
  },
};

const isOffered = (type: string, { components, kind }: AttributePromptContext): boolean => {
  if (!ATTRIBUTE_TYPES.includes(type)) return false;
  if (type === 'dynamiczone') return components.length > 0 && kind === 'type';
  return type !== 'component' || components.length > 0;
};

/** Returns the attribute types that can be chosen, in groups. */
export function attributeTypeChoices(context: AttributePromptContext): readonly PickListChoice[] {
  return Object.entries(GROUPS).flatMap(([group, types]) =>
    Object.entries(types)
      .filter(([type]) => isOffered(type, context))
      .map(([type, description]) => ({ value: type, name: type, description, group })),
  );
}
