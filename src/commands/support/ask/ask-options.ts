import { attributeOptions } from '../../../scaffold/attribute-options.js';
import type { OptionKind } from '../../../scaffold/attribute-options.js';
import { parseAttributeShorthand } from '../../../scaffold/attribute-shorthand.js';
import { isGalleyError } from '../../../errors/galley-error.js';
import type { Asker } from './asker.js';
import type { AttributeSite, Options } from './attribute-draft.js';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  required: 'Publishing without a value is refused.',
  unique: 'No two documents have the same value.',
  private: 'Never leaves the server.',
  localized: 'Each locale has its own value.',
  default: 'Taken where a request says nothing.',
  min: 'Smallest value.',
  max: 'Largest value.',
  minLength: 'Fewest characters.',
  maxLength: 'Most characters.',
  regex: 'Pattern a value must match.',
};

/** Answered by questions of their own, or hardly ever wanted. */
const NOT_OFFERED = new Set(['configurable', 'enum', 'targetField', 'relation', 'target', 'inversedBy', 'mappedBy', 'morphBy', 'multiple', 'allowedTypes', 'component', 'components', 'repeatable']);

const optionsFor = (type: string, site: AttributeSite): readonly (readonly [name: string, kind: OptionKind])[] =>
  Object.entries(attributeOptions(type) ?? {}).filter(([name]) => !NOT_OFFERED.has(name) && (name !== 'localized' || site.localized));

/** The value of an option, read as the shorthand reads it, so that both ways accept the same. */
const readOption = (type: string, given: Options, name: string, text: string): unknown => {
  const base = type === 'enumeration' ? `enum=${[given['enum']].flat().map(String).join('|')},` : '';
  return parseAttributeShorthand(`attribute:${type}:${base}${name}=${text.replaceAll(',', '\\,')}`).json[name];
};

/** Whether a value will do, in the words a question shows. */
export function checkOption(type: string, given: Options, name: string, text: string): true | string {
  try {
    readOption(type, given, name, text);
    return text.trim() === '' ? 'A value, please.' : true;
  } catch (error) {
    return isGalleyError(error) ? error.hint ?? error.message : String(error);
  }
}

const askValue = async (asker: Asker, type: string, given: Options, name: string): Promise<unknown> => {
  if (name === 'default' && type === 'enumeration') {
    const choices = [given['enum']].flat().map((value) => ({ value: String(value) }));
    return asker((prompts, screen) => prompts.select({ message: 'Default', choices }, screen));
  }
  if (name === 'default' && type === 'boolean') return asker((prompts, screen) => prompts.confirm({ message: 'Default', default: false }, screen));
  const text = await asker((prompts, screen) => prompts.input({ message: name, validate: (typed) => checkOption(type, given, name, typed) }, screen));
  return readOption(type, given, name, text);
};

/** Which of the common options the attribute has, in one question, then a value for each that needs one. */
export async function askOptions(asker: Asker, type: string, given: Options, site: AttributeSite): Promise<Options> {
  const offered = optionsFor(type, site);
  const choices = offered.map(([name, kind]) => ({ value: name, name: kind === 'flag' ? name : `${name}…`, description: DESCRIPTIONS[name] ?? '', checked: name === 'localized' }));
  const picked = choices.length === 0 ? [] : await asker((prompts, screen) => prompts.checkbox({ message: 'Options', choices }, screen));
  const options: Record<string, unknown> = {};
  for (const [name, kind] of offered) {
    if (name === 'localized') options['pluginOptions'] = { i18n: { localized: picked.includes(name) } };
    else if (picked.includes(name)) options[name] = kind === 'flag' ? true : await askValue(asker, type, given, name);
  }
  return options;
}
