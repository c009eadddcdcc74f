import { attributeOptions } from '../../scaffold/attribute-options.js';
import type { OptionKind } from '../../scaffold/attribute-options.js';
import { parseAttributeShorthand } from '../../scaffold/attribute-shorthand.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { Prompter } from './prompt.js';
import type { AttributePromptContext, AttributeOptions } from './attribute-prompt-context.js';

const OPTION_DESCRIPTIONS: Readonly<Record<string, string>> = {
  required: 'Publishing without a value is refused.',
  unique: 'No two documents have the same value.',
  private: 'Never part of a response.',
  localized: 'Each locale has its own value.',
  default: 'Used when a request sends no value.',
  min: 'Smallest value.',
  max: 'Largest value.',
  minLength: 'Fewest characters.',
  maxLength: 'Most characters.',
  regex: 'Pattern a value must match.',
};

/** Options that have a prompt of their own or are rarely used. */
const HIDDEN_OPTIONS = new Set([
  'configurable',
  'enum',
  'targetField',
  'generate',
  'relation',
  'target',
  'inversedBy',
  'mappedBy',
  'morphBy',
  'multiple',
  'allowedTypes',
  'component',
  'components',
  'repeatable',
]);

const findAvailableOptions = (
  type: string,
  context: AttributePromptContext,
): readonly (readonly [name: string, kind: OptionKind])[] =>
  Object.entries(attributeOptions(type) ?? {}).filter(
    ([name]) => !HIDDEN_OPTIONS.has(name) && (name !== 'localized' || context.localized),
  );

/** Parses an option with the parser of the shorthand, so that both accept the same values. */
const parseOption = (type: string, typeOptions: AttributeOptions, name: string, text: string): unknown => {
  const prerequisite =
    type === 'enumeration' ? `enum=${[typeOptions['enum']].flat().map(String).join('|')},` : '';
  return parseAttributeShorthand(`attribute:${type}:${prerequisite}${name}=${text.replaceAll(',', '\\,')}`)
    .json[name];
};

/** Returns true for a valid value, else the message that the prompt shows. */
function validateOption(
  type: string,
  typeOptions: AttributeOptions,
  name: string,
  text: string,
): true | string {
  try {
    parseOption(type, typeOptions, name, text);
    return text.trim() === '' ? 'Enter a value.' : true;
  } catch (error) {
    return isGalleyError(error) ? (error.hint ?? error.message) : String(error);
  }
}

const promptOptionValue = async (
  prompter: Prompter,
  type: string,
  typeOptions: AttributeOptions,
  name: string,
): Promise<unknown> => {
  if (name === 'default' && type === 'enumeration') {
    const choices = [typeOptions['enum']].flat().map((value) => ({ value: String(value) }));
    return prompter((prompts, screen) => prompts.select({ message: 'Default', choices }, screen));
  }
  if (name === 'default' && type === 'boolean')
    return prompter((prompts, screen) => prompts.confirm({ message: 'Default', default: false }, screen));
  const text = await prompter((prompts, screen) =>
    prompts.input(
      { message: name, validate: (typed) => validateOption(type, typeOptions, name, typed) },
      screen,
    ),
  );
  return parseOption(type, typeOptions, name, text);
};

/** Asks which options the attribute has, then for the value of each option that needs one. */
export async function promptOptions(
  prompter: Prompter,
  type: string,
  typeOptions: AttributeOptions,
  context: AttributePromptContext,
  current: AttributeOptions = {},
): Promise<AttributeOptions> {
  const availableOptions = findAvailableOptions(type, context);
  const choices = availableOptions.map(([name, kind]) => ({
    value: name,
    name: kind === 'flag' ? name : `${name}…`,
    description: OPTION_DESCRIPTIONS[name] ?? '',
    checked: name === 'localized' || Object.hasOwn(current, name),
  }));
  const selected =
    choices.length === 0
      ? []
      : await prompter((prompts, screen) => prompts.checkbox({ message: 'Options', choices }, screen));
  const options: Record<string, unknown> = {};
  for (const [name, kind] of availableOptions) {
    if (name === 'localized') options['pluginOptions'] = { i18n: { localized: selected.includes(name) } };
    else if (selected.includes(name))
      options[name] = kind === 'flag' ? true : await promptOptionValue(prompter, type, typeOptions, name);
  }
  return options;
}
