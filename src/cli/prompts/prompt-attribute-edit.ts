import { isGalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/is-record.js';
import { ATTRIBUTE_TYPES, attributeOptions } from '../../scaffold/attribute-options.js';
import type { OptionKind } from '../../scaffold/attribute-options.js';
import { parseAttributeOption } from '../../scaffold/attribute-shorthand.js';
import type { AttributeJson, AttributeOption } from '../../scaffold/attribute-shorthand.js';
import type { AttributeEdit } from '../../scaffold/edit-attribute.js';
import type { Prompter } from './prompt.js';

const isLocalized = ({ pluginOptions }: AttributeJson): boolean =>
  isRecord(pluginOptions) && isRecord(pluginOptions['i18n']) && pluginOptions['i18n']['localized'] === true;

/** The value of an option as it is typed; empty where it is not set. */
const currentText = (json: AttributeJson, key: string): string => {
  const value = key === 'localized' ? isLocalized(json) : json[key];
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join('|');
  return JSON.stringify(value);
};

const validateOption = (type: string, key: string, text: string): true | string => {
  try {
    if (text !== '') parseAttributeOption(`attribute:${type}`, type, { key, value: text });
    return true;
  } catch (error) {
    return isGalleyError(error) ? (error.hint ?? error.message) : String(error);
  }
};

const promptType = (prompter: Prompter, current: string): Promise<string> =>
  prompter((prompts, screen) =>
    prompts.select(
      { message: 'Type', default: current, choices: ATTRIBUTE_TYPES.map((value) => ({ value })) },
      screen,
    ),
  );

const promptOption = async (
  prompter: Prompter,
  type: string,
  [key, kind]: readonly [string, OptionKind],
  current: string,
): Promise<AttributeOption> => {
  if (kind === 'flag') {
    const value = await prompter((prompts, screen) =>
      prompts.confirm({ message: key, default: current !== 'true' }, screen),
    );
    return { key, value: String(value) };
  }
  const value = await prompter((prompts, screen) =>
    prompts.input(
      {
        message: current === '' ? key : `${key} (now ${current}; empty removes it)`,
        validate: (text) => validateOption(type, key, text),
      },
      screen,
    ),
  );
  return { key, value };
};

/** Asks what changes of an attribute: its type, and any of its options. */
export async function promptAttributeEdit(prompter: Prompter, json: AttributeJson): Promise<AttributeEdit> {
  const type = await promptType(prompter, String(json['type']));
  const table = Object.entries(attributeOptions(type) ?? {}).filter(([key]) => key !== 'configurable');
  const choices = table.map(([key]) => {
    const current = currentText(json, key);
    return { value: key, name: current === '' ? key : `${key} (${current})` };
  });
  const chosen = await prompter((prompts, screen) =>
    prompts.checkbox({ message: 'Options to change', choices }, screen),
  );
  const answers: AttributeOption[] = [];
  for (const [key, kind] of table)
    if (chosen.includes(key))
      answers.push(await promptOption(prompter, type, [key, kind], currentText(json, key)));
  return {
    ...(type === json['type'] ? {} : { type }),
    options: answers.filter(({ value }) => value !== ''),
    unset: answers.filter(({ key, value }) => value === '' && Object.hasOwn(json, key)).map(({ key }) => key),
  };
}
