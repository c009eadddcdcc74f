import { ATTRIBUTE_TYPES, attributeOptions } from '../../project/scaffold/attribute-options.js';
import { orderAttribute } from '../../project/scaffold/attribute-shorthand.js';
import type { AttributeJson, NamedAttribute } from '../../project/scaffold/attribute-shorthand.js';
import { checkAttributeName } from './attribute-prompt-context.js';
import type { AttributeOptions, AttributePromptContext } from './attribute-prompt-context.js';
import type { PickListChoice } from '../prompts/pick-list.js';
import {
  promptComponent,
  promptDynamicZone,
  promptEnumeration,
  promptMedia,
  promptOptions,
  promptUid,
} from './prompt-options.js';
import { promptRelation } from './prompt-relation.js';
import { askOptionalText, askPick, askText } from '../prompts/prompt.js';
import type { Prompter, Validity } from '../prompts/prompt.js';
import { review } from '../prompts/wizard.js';
import type { Review, ReviewAction, Wizard } from '../prompts/wizard.js';

/** The attribute types in the order of the prompt, each with its purpose. */
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

/** Returns the attribute types for the prompt, in groups. */
function attributeTypeChoices(context: AttributePromptContext): readonly PickListChoice[] {
  return Object.entries(GROUPS).flatMap(([group, types]) =>
    Object.entries(types)
      .filter(([type]) => isOffered(type, context))
      .map(([type, description]) => ({ value: type, name: type, description, group })),
  );
}

const TYPE_PROMPTS: Readonly<
  Record<
    string,
    (prompter: Prompter, context: AttributePromptContext, current: AttributeJson) => Promise<AttributeOptions>
  >
> = {
  relation: promptRelation,
  media: promptMedia,
  component: promptComponent,
  dynamiczone: promptDynamicZone,
  enumeration: promptEnumeration,
  uid: promptUid,
};

const validateName =
  ({ kind, existingAttributes, schemaName }: AttributePromptContext) =>
  (name: string): Validity => {
    const validity = checkAttributeName(name, kind);
    if (validity !== true) return validity;
    return (
      existingAttributes.every((attribute) => attribute.name !== name) || `${schemaName} has ${name} already.`
    );
  };

/** Returns the present options without a question. */
const unaskedOptions = (type: string, current: AttributeJson): AttributeJson => {
  const asked = Object.keys(attributeOptions(type) ?? {}).filter((name) => name !== 'configurable');
  const isAsked = new Set(['type', ...asked]);
  return Object.fromEntries(Object.entries(current).filter(([key]) => !isAsked.has(key)));
};

/** Returns the present options that the new type may have. Drops the default, a value of the former type. */
const presentOptions = (type: string, current: AttributeJson): AttributeJson => {
  if (current['type'] === type) return current;
  const { default: _former, ...others } = current;
  return others;
};

/** Asks for the type of an attribute and for its options, with the present ones as default answers. */
export async function promptAttributeJson(
  prompter: Prompter,
  context: AttributePromptContext,
  current: AttributeJson = {},
): Promise<AttributeJson> {
  const type = await askPick(prompter, {
    message: 'Type',
    choices: attributeTypeChoices(context),
    default: typeof current['type'] === 'string' ? current['type'] : undefined,
  });
  const present = presentOptions(type, current);
  const typeOptions = await (TYPE_PROMPTS[type]?.(prompter, context, present) ?? Promise.resolve({}));
  const options = await promptOptions(prompter, { ...typeOptions, type }, context, present);
  const kept = type === current['type'] ? unaskedOptions(type, current) : {};
  return orderAttribute({ ...kept, type, ...typeOptions, ...options });
}

/** Asks for one attribute. Returns null if the name is empty. */
const promptAttribute = async (
  prompter: Prompter,
  context: AttributePromptContext,
): Promise<NamedAttribute | null> => {
  const isFirst = context.existingAttributes.length === 0;
  const name = await askOptionalText(prompter, {
    message: isFirst ? 'First attribute (Enter: none)' : 'Next attribute (Enter: done)',
    validate: validateName(context),
  });
  return name === undefined ? null : { name, json: await promptAttributeJson(prompter, context) };
};

/** Asks again for an attribute, with its present definition as default answers. */
const promptChangedAttribute = async (
  prompter: Prompter,
  context: AttributePromptContext,
  { name, json }: NamedAttribute,
): Promise<NamedAttribute> => {
  const newName = await askText(prompter, {
    message: 'Name',
    isRequired: true,
    initial: name,
    validate: validateName(context),
  });
  return { name: newName, json: await promptAttributeJson(prompter, context, json) };
};

/** Options whose values need no label. */
const SELF_EVIDENT: ReadonlySet<string> = new Set([
  'relation',
  'target',
  'component',
  'components',
  'enum',
  'allowedTypes',
]);

const printOption = (key: string, value: unknown): readonly string[] => {
  const text = [value].flat().map(String).join('|');
  if (value === false) return [];
  if (value === true) return [key];
  return [SELF_EVIDENT.has(key) ? text : `${key} ${text}`];
};

/** Prints an attribute for people: `slug: uid, targetField title`. */
export const printSummary = ({ name, json: { type, pluginOptions, ...options } }: NamedAttribute): string => {
  const parts = Object.entries(options).flatMap(([key, value]) => printOption(key, value));
  const localized = JSON.stringify(pluginOptions)?.includes('true') === true ? ['localized'] : [];
  return `  ${name}: ${[String(type), ...parts, ...localized].join(', ')}`;
};

/**
 * Returns the attributes with one replaced or removed. References to it in `targetField` are renamed or
 * removed as well.
 */
const replaceAttribute = (
  attributes: readonly NamedAttribute[],
  name: string,
  replacement: readonly NamedAttribute[],
): readonly NamedAttribute[] => {
  const newName = replacement[0]?.name;
  return attributes.flatMap((attribute) => {
    if (attribute.name === name) return replacement;
    if (attribute.json['targetField'] !== name) return attribute;
    const { targetField: _dropped, generate: _unfounded, ...json } = attribute.json;
    return {
      ...attribute,
      json: newName === undefined ? json : { ...attribute.json, targetField: newName },
    };
  });
};

/** The dependencies of the questions for the attributes of a schema. */
export interface AttributeQuestions {
  /** Returns the context of the prompts for an attribute; `others` are the attributes entered so far. */
  readonly contextOf: (others: readonly NamedAttribute[]) => AttributePromptContext;
  /** Returns true if the schema files would be valid, otherwise the first mistake. */
  readonly check: (attributes: readonly NamedAttribute[]) => Promise<Validity>;
  readonly onChange: (attributes: readonly NamedAttribute[]) => void;
  /** Returns the other content of the review, for the present attributes. */
  readonly review: (attributes: readonly NamedAttribute[]) => Review;
}

/**
 * Asks for attributes until a name is empty, then shows all for review: to save, add, edit and remove.
 * Returns the final ones.
 */
export async function promptAttributes(
  wizard: Wizard,
  { contextOf, check, onChange, review: describe }: AttributeQuestions,
): Promise<readonly NamedAttribute[]> {
  const { prompter, info } = wizard;
  let attributes: readonly NamedAttribute[] = [];
  const change = (changed: readonly NamedAttribute[]): void => {
    attributes = changed;
    onChange(attributes);
  };
  /**
   * Asks until the attribute is valid. After an error, asks its questions again, with the answers as
   * defaults.
   */
  const askValid = async (
    replaced: NamedAttribute | null,
    place: (attribute: NamedAttribute) => readonly NamedAttribute[],
  ): Promise<NamedAttribute | null> => {
    let proposal = replaced;
    for (;;) {
      const context = contextOf(attributes.filter((other) => other !== replaced));
      const attribute =
        proposal === null
          ? await promptAttribute(prompter, context)
          : await promptChangedAttribute(prompter, context, proposal);
      if (attribute === null) return null;
      const validity = await check(place(attribute));
      if (validity === true) return attribute;
      info(validity);
      proposal = attribute;
    }
  };
  const add = async (): Promise<boolean> => {
    const attribute = await askValid(null, (added) => [...attributes, added]);
    if (attribute === null) return false;
    change([...attributes, attribute]);
    info(printSummary(attribute));
    return true;
  };
  const edit = async (attribute: NamedAttribute): Promise<void> => {
    const replace = (by: NamedAttribute): readonly NamedAttribute[] =>
      replaceAttribute(attributes, attribute.name, [by]);
    const edited = await askValid(attribute, replace);
    if (edited !== null) change(replace(edited));
  };
  const actions = (): readonly ReviewAction[] => [
    { name: 'Add an attribute', run: async () => void (await add()) },
    ...attributes.map((attribute) => ({ name: `Edit ${attribute.name}`, run: () => edit(attribute) })),
    ...attributes.map(({ name }) => ({
      name: `Remove ${name}`,
      run: async () => change(replaceAttribute(attributes, name, [])),
    })),
  ];
  while (await add());
  await review(
    wizard,
    () => {
      const { summary, actions: others } = describe(attributes);
      const lines = [summary, ...attributes.map(printSummary)].filter((line) => line !== '');
      return { summary: lines.join('\n'), actions: [...actions(), ...others] };
    },
    () => check(attributes),
  );
  return attributes;
}
