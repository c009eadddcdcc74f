import { MEDIA_KINDS } from '../../project/scaffold/attribute-options.js';
import type { AttributeJson } from '../../project/scaffold/attribute-shorthand.js';
import { askConfirm, askSelect, askSeveral, askText } from './prompt.js';
import type { Prompter } from './prompt.js';
import { promptItemLimits } from './prompt-relation.js';
import type { AttributePromptContext, AttributeOptions } from './attribute-prompt-context.js';

const componentChoices = (context: AttributePromptContext) =>
  context.components.map(({ uid, displayName }) => ({ value: uid, name: uid, description: displayName }));

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

export async function promptComponent(
  prompter: Prompter,
  context: AttributePromptContext,
  current: AttributeJson,
): Promise<AttributeOptions> {
  const component = await askSelect(prompter, {
    message: 'Which component',
    choices: componentChoices(context),
    initial: typeof current['component'] === 'string' ? current['component'] : undefined,
  });
  const repeatable = await askConfirm(prompter, 'A list of them?', current['repeatable'] === true);
  return { component, repeatable, ...(repeatable ? await promptItemLimits(prompter, current) : {}) };
}

export async function promptDynamicZone(
  prompter: Prompter,
  context: AttributePromptContext,
  current: AttributeJson,
): Promise<AttributeOptions> {
  const components = await askSeveral(prompter, {
    message: 'Which components',
    choices: componentChoices(context),
    initial: textsOf(current['components']),
    isRequired: true,
  });
  return { components, ...(await promptItemLimits(prompter, current)) };
}

export async function promptMedia(
  prompter: Prompter,
  _context: AttributePromptContext,
  current: AttributeJson,
): Promise<AttributeOptions> {
  const multiple = await askConfirm(prompter, 'Several files?', current['multiple'] === true);
  const kinds = textsOf(current['allowedTypes']);
  const allowedTypes = await askSeveral(prompter, {
    message: 'Which files',
    choices: MEDIA_KINDS.map((value) => ({ value })),
    initial: MEDIA_KINDS.filter((kind) => kinds.length === 0 || kinds.includes(kind)),
    isRequired: true,
  });
  return { multiple, allowedTypes };
}

const parseValues = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[,|]/)
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  ),
];

export async function promptEnumeration(
  prompter: Prompter,
  _context: AttributePromptContext,
  current: AttributeJson,
): Promise<AttributeOptions> {
  const text = await askText(prompter, {
    message: 'Values, separated by commas',
    isRequired: true,
    initial: textsOf(current['enum']).join(', '),
    validate: (typed) => parseValues(typed).length > 0 || 'Enter at least one value.',
  });
  return { enum: parseValues(text) };
}

/** Asks for the text attribute from which the unique id is made where a request has none. It is optional. */
export async function promptUid(
  prompter: Prompter,
  context: AttributePromptContext,
  current: AttributeJson,
): Promise<AttributeOptions> {
  const sourceAttributes = context.existingAttributes
    .filter(({ json }) => json['type'] === 'string' || json['type'] === 'text')
    .map(({ name }) => name);
  if (sourceAttributes.length === 0) return {};
  const { targetField: present } = current;
  const hasNone = current['type'] === 'uid' && present === undefined;
  const targetField = await askSelect(prompter, {
    message: 'Derived from',
    choices: [...sourceAttributes.map((value) => ({ value, name: value })), { value: '', name: '(none)' }],
    initial: hasNone ? '' : typeof present === 'string' ? present : sourceAttributes[0],
  });
  return targetField === '' ? {} : { targetField, generate: true };
}
