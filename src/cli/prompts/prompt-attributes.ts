import { isAttributeName, reservedScope } from '../../content-types/attribute-names.js';
import { ATTRIBUTE_TYPES } from '../../scaffold/attribute-options.js';
import { orderAttribute } from '../../scaffold/attribute-shorthand.js';
import type { NamedAttribute } from '../../scaffold/attribute-shorthand.js';
import { promptOptions } from './prompt-options.js';
import { promptRelation } from './prompt-relation.js';
import {
  promptComponent,
  promptDynamicZone,
  promptEnumeration,
  promptMedia,
  promptUid,
} from './prompt-type-options.js';
import { promptOptionalText } from './prompt.js';
import type { Prompter } from './prompt.js';
import type { AttributePromptContext, AttributeOptions } from './attribute-prompt-context.js';

const TYPE_HINTS: Readonly<Record<string, string>> = {
  string: 'One line of text.',
  text: 'Several lines of plain text.',
  richtext: 'Markdown.',
  blocks: 'Rich text as a list of blocks.',
  uid: 'Unique id for addresses, such as a slug.',
  enumeration: 'One of a fixed list of values.',
  biginteger: 'Whole numbers beyond 2^53.',
  relation: 'Links to documents of another type.',
  media: 'Uploaded files.',
  component: 'A group of attributes used in several places.',
  dynamiczone: 'A list of different components.',
};

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

const needsComponents = (type: string): boolean => type === 'component' || type === 'dynamiczone';

const validateName =
  (context: AttributePromptContext) =>
  (name: string): true | string => {
    if (!isAttributeName(name)) return 'Letters, digits and _ only, a letter first.';
    const reserved = reservedScope(name);
    if (reserved === 'always' || (reserved === 'in-types' && context.kind === 'type'))
      return `${name} is reserved for the system.`;
    return (
      context.existingAttributes.every((attribute) => attribute.name !== name) ||
      `${context.schemaName} has ${name} already.`
    );
  };

const promptType = (prompter: Prompter, context: AttributePromptContext): Promise<string> => {
  const offeredTypes = ATTRIBUTE_TYPES.filter(
    (type) =>
      (context.components.length > 0 || !needsComponents(type)) &&
      (context.kind === 'type' || type !== 'dynamiczone'),
  );
  const choices = offeredTypes.map((type) => ({
    value: type,
    name: type,
    description: TYPE_HINTS[type] ?? '',
  }));
  // Typing the first letters jumps to a type.
  return prompter((prompts, screen) =>
    prompts.select({ message: 'Type', choices, pageSize: 12, loop: false }, screen),
  );
};

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
  if (name === undefined) return null;
  const type = await promptType(prompter, context);
  const typeOptions = await (TYPE_PROMPTS[type]?.(prompter, context) ?? Promise.resolve({}));
  const options = await promptOptions(prompter, type, typeOptions, context);
  return { name, json: orderAttribute({ type, ...typeOptions, ...options }) };
}

/** Asks for attributes until a name is left empty. */
export async function promptAttributes(
  prompter: Prompter,
  context: AttributePromptContext,
  onAttribute: (attribute: NamedAttribute) => void,
): Promise<readonly NamedAttribute[]> {
  const attributes: NamedAttribute[] = [];
  for (;;) {
    const attribute = await promptAttribute(prompter, {
      ...context,
      existingAttributes: [...context.existingAttributes, ...attributes],
    });
    if (attribute === null) return attributes;
    attributes.push(attribute);
    onAttribute(attribute);
  }
}
