import { isAttributeName, reservedScope } from '../../content-types/attribute-names.js';
import { orderAttribute } from '../../scaffold/attribute-shorthand.js';
import type { AttributeJson, NamedAttribute } from '../../scaffold/attribute-shorthand.js';
import { attributeTypeChoices } from './attribute-type-choices.js';
import type { PickListChoice } from './pick-list.js';
import { promptOptions } from './prompt-options.js';
import { promptRelation } from './prompt-relation.js';
import {
  promptComponent,
  promptDynamicZone,
  promptEnumeration,
  promptMedia,
  promptUid,
} from './prompt-type-options.js';
import { promptOptionalText, promptPick } from './prompt.js';
import type { Prompter } from './prompt.js';
import type { AttributePromptContext, AttributeOptions } from './attribute-prompt-context.js';

const TYPE_PROMPTS: Readonly<
  Record<string, (prompter: Prompter, context: AttributePromptContext) => Promise<AttributeOptions>>
> = {
  relation: promptRelation,
  media: promptMedia,
  component: promptComponent,
  dynamiczone: promptDynamicZone,
  enumeration: promptEnumeration,
  uid: promptUid,
};

const validateName =
  (context: AttributePromptContext) =>
  (name: string): true | string => {
    if (!isAttributeName(name)) return 'Letters, digits and _ only, a letter first.';
    const reserved = reservedScope(name);
    if (reserved === 'always' || (reserved !== null && context.kind === 'type'))
      return `${name} is reserved for the system.`;
    return (
      context.existingAttributes.every((attribute) => attribute.name !== name) ||
      `${context.schemaName} has ${name} already.`
    );
  };

/** Asks for the type of an attribute and for its options. */
async function promptAttributeJson(
  prompter: Prompter,
  context: AttributePromptContext,
  current?: AttributeJson,
): Promise<AttributeJson> {
  const type = await promptPick(prompter, {
    message: 'Type',
    choices: attributeTypeChoices(context),
    default: current === undefined ? undefined : String(current['type']),
  });
  const typeOptions = await (TYPE_PROMPTS[type]?.(prompter, context) ?? Promise.resolve({}));
  const options = await promptOptions(prompter, type, typeOptions, context, current);
  return orderAttribute({ type, ...typeOptions, ...options });
}

/** Asks for one attribute. Returns null where the name is left empty. */
async function promptAttribute(
  prompter: Prompter,
  context: AttributePromptContext,
): Promise<NamedAttribute | null> {
  const name = await promptOptionalText(
    prompter,
    context.existingAttributes.length === 0
      ? 'First attribute (Enter: none)'
      : 'Next attribute (Enter: done)',
    validateName(context),
  );
  return name === undefined ? null : { name, json: await promptAttributeJson(prompter, context) };
}

/** Asks again for an attribute that was just answered. */
async function promptChangedAttribute(
  prompter: Prompter,
  context: AttributePromptContext,
  { name, json }: NamedAttribute,
): Promise<NamedAttribute> {
  const newName = await prompter((prompts, screen) =>
    prompts.input({ message: 'Name', default: name, validate: validateName(context) }, screen),
  );
  return { name: newName, json: await promptAttributeJson(prompter, context, json) };
}

/** Options whose values say what they are. */
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

/** An attribute for people: `slug: uid, targetField title`. */
const printSummary = ({ name, json: { type, pluginOptions, ...options } }: NamedAttribute): string => {
  const parts = Object.entries(options).flatMap(([key, value]) => printOption(key, value));
  const localized = JSON.stringify(pluginOptions)?.includes('true') === true ? ['localized'] : [];
  return `  ${name}: ${[String(type), ...parts, ...localized].join(', ')}`;
};

const reviewChoices = (attributes: readonly NamedAttribute[]): readonly PickListChoice[] => [
  { value: 'save', name: 'Save' },
  { value: 'add', name: 'Add an attribute' },
  ...attributes.map(({ name }) => ({ value: `edit ${name}`, name: `Edit ${name}` })),
  ...attributes.map(({ name }) => ({ value: `drop ${name}`, name: `Drop ${name}` })),
];

/** What refers to an attribute that is dropped or renamed follows it. */
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

/** What the questions for attributes tell while they are asked. */
export interface AttributeProgress {
  readonly onAttribute: (summary: string) => void;
  readonly onDraft: (attributes: readonly NamedAttribute[]) => void;
  readonly onReview: (summary: string) => void;
}

/** Asks for attributes until a name is left empty, then shows them all: to save, add, edit and drop. */
export async function promptAttributes(
  prompter: Prompter,
  context: AttributePromptContext,
  { onAttribute, onDraft, onReview }: AttributeProgress,
): Promise<readonly NamedAttribute[]> {
  let attributes: readonly NamedAttribute[] = [];
  const withExisting = (others: readonly NamedAttribute[]): AttributePromptContext => ({
    ...context,
    existingAttributes: [...context.existingAttributes, ...others],
  });
  const add = async (): Promise<boolean> => {
    const attribute = await promptAttribute(prompter, withExisting(attributes));
    if (attribute === null) return false;
    attributes = [...attributes, attribute];
    onAttribute(printSummary(attribute));
    onDraft(attributes);
    return true;
  };
  while (await add());
  for (;;) {
    if (attributes.length > 0) onReview(attributes.map(printSummary).join('\n'));
    const choice = await promptPick(prompter, { message: 'Review', choices: reviewChoices(attributes) });
    if (choice === 'save') return attributes;
    const attribute = attributes.find(({ name }) => choice.endsWith(` ${name}`));
    if (attribute === undefined) await add();
    else {
      const others = withExisting(attributes.filter((other) => other !== attribute));
      const replacement = choice.startsWith('edit')
        ? [await promptChangedAttribute(prompter, others, attribute)]
        : [];
      attributes = replaceAttribute(attributes, attribute.name, replacement);
      onDraft(attributes);
    }
  }
}
