import { MEDIA_KINDS } from '../../scaffold/attribute-options.js';
import { promptConfirm } from './prompt.js';
import type { Prompter } from './prompt.js';
import { promptItemLimits } from './prompt-relation.js';
import type { AttributePromptContext, AttributeOptions } from './attribute-prompt-context.js';

const componentChoices = (context: AttributePromptContext) =>
  context.components.map(({ uid, displayName }) => ({ value: uid, name: uid, description: displayName }));

export async function promptComponent(
  prompter: Prompter,
  context: AttributePromptContext,
): Promise<AttributeOptions> {
  const component = await prompter((prompts, screen) =>
    prompts.select({ message: 'Which component', choices: componentChoices(context), pageSize: 12 }, screen),
  );
  const repeatable = await promptConfirm(prompter, 'A list of them?', false);
  return { component, repeatable, ...(repeatable ? await promptItemLimits(prompter) : {}) };
}

export async function promptDynamicZone(
  prompter: Prompter,
  context: AttributePromptContext,
): Promise<AttributeOptions> {
  const components = await prompter((prompts, screen) =>
    prompts.checkbox(
      { message: 'Which components', choices: componentChoices(context), required: true, pageSize: 12 },
      screen,
    ),
  );
  return { components, ...(await promptItemLimits(prompter)) };
}

export async function promptMedia(prompter: Prompter): Promise<AttributeOptions> {
  const multiple = await promptConfirm(prompter, 'Several files?', false);
  const allowedTypes = await prompter((prompts, screen) =>
    prompts.checkbox(
      {
        message: 'Which files',
        choices: MEDIA_KINDS.map((value) => ({ value, checked: true })),
        required: true,
      },
      screen,
    ),
  );
  return { multiple, allowedTypes };
}

export async function promptEnumeration(prompter: Prompter): Promise<AttributeOptions> {
  const parseValues = (text: string): readonly string[] =>
    text
      .split(/[,|]/)
      .map((value) => value.trim())
      .filter((value) => value !== '');
  const text = await prompter((prompts, screen) =>
    prompts.input(
      {
        message: 'Values, separated by commas',
        validate: (typed) => parseValues(typed).length > 0 || 'Enter at least one value.',
      },
      screen,
    ),
  );
  return { enum: [...new Set(parseValues(text))] };
}

/** Asks for the text attribute from which the unique id is made where a request has none. It is optional. */
export async function promptUid(
  prompter: Prompter,
  context: AttributePromptContext,
): Promise<AttributeOptions> {
  const sourceAttributes = context.existingAttributes
    .filter(({ json }) => json['type'] === 'string' || json['type'] === 'text')
    .map(({ name }) => name);
  if (sourceAttributes.length === 0) return {};
  const choices = [
    ...sourceAttributes.map((value) => ({ value, name: value })),
    { value: '', name: '(none)' },
  ];
  const targetField = await prompter((prompts, screen) =>
    prompts.select({ message: 'Derived from', choices }, screen),
  );
  return targetField === '' ? {} : { targetField, generate: true };
}
