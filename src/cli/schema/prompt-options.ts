import { isGalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import { readScalarOptions } from '../../model/content-types/scalar-options.js';
import { FIELD_TYPES, isScalarTypeName } from '../../model/fields/registry.js';
import { MEDIA_KINDS } from '../../model/model.js';
import { attributeOptions } from '../../project/scaffold/attribute-options.js';
import type { OptionKind } from '../../project/scaffold/attribute-options.js';
import { parseAttributeShorthand } from '../../project/scaffold/attribute-shorthand.js';
import type { AttributeJson } from '../../project/scaffold/attribute-shorthand.js';
import type { AttributeOptions, AttributePromptContext } from './attribute-prompt-context.js';
import { promptItemLimits } from './prompt-relation.js';
import { askConfirm, askSelect, askSeveral, askText } from '../prompts/prompt.js';
import type { Prompter, Validity } from '../prompts/prompt.js';

const componentChoices = (context: AttributePromptContext) =>
  context.components.map(({ uid, displayName }) => ({ value: uid, name: uid, description: displayName }));

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

export async function promptComponent(
  prompter: Prompter,
  context: AttributePromptContext,
  current: AttributeJson,
): Promise<AttributeOptions> {
  const component = await askSelect(prompter, {
    message: 'Component',
    choices: componentChoices(context),
    initial: typeof current['component'] === 'string' ? current['component'] : undefined,
  });
  const repeatable = await askConfirm(prompter, 'Allow several?', current['repeatable'] === true);
  return { component, repeatable, ...(repeatable ? await promptItemLimits(prompter, current) : {}) };
}

export async function promptDynamicZone(
  prompter: Prompter,
  context: AttributePromptContext,
  current: AttributeJson,
): Promise<AttributeOptions> {
  const components = await askSeveral(prompter, {
    message: 'Components',
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
  const multiple = await askConfirm(prompter, 'Allow several files?', current['multiple'] === true);
  const kinds = textsOf(current['allowedTypes']);
  const allowedTypes = await askSeveral(prompter, {
    message: 'File types',
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

/** Asks for the optional text attribute from which a missing unique id is generated. */
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
    message: 'Generate from',
    choices: [...sourceAttributes.map((value) => ({ value, name: value })), { value: '', name: '(none)' }],
    initial: hasNone ? '' : typeof present === 'string' ? present : sourceAttributes[0],
  });
  return targetField === '' ? {} : { targetField, generate: true };
}

const OPTION_DESCRIPTIONS: Readonly<Record<string, string>> = {
  required: 'Reject saving without a value; for types with drafts, publishing.',
  unique: 'Reject the same value in two documents.',
  private: 'Omit it from every response.',
  localized: 'Store a value for each locale.',
  default: 'Used if a request has no value.',
  min: 'Minimum value.',
  max: 'Maximum value.',
  minLength: 'Minimum number of characters.',
  maxLength: 'Maximum number of characters.',
  regex: 'Regular expression that values must match.',
};

/** Options with a separate prompt, and rarely used ones. */
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

/** Options of content-types only: components store their values in the JSON of the owner. */
const TYPE_OPTIONS: ReadonlySet<string> = new Set(['index', 'search']);

const findAvailableOptions = (
  type: string,
  { localized, kind }: AttributePromptContext,
): readonly (readonly [name: string, kind: OptionKind])[] =>
  Object.entries(attributeOptions(type) ?? {}).filter(
    ([name]) =>
      !HIDDEN_OPTIONS.has(name) &&
      (name !== 'localized' || localized) &&
      (kind === 'type' || !TYPE_OPTIONS.has(name)) &&
      // The prompt of the components asks for the numbers of items.
      !((type === 'component' || type === 'dynamiczone') && (name === 'min' || name === 'max')) &&
      // Few relations have one, and it has only one value.
      !(type === 'relation' && name === 'default'),
  );

/** Parses an option with the parser of the shorthand, so that both accept the same values. */
const parseOption = (type: string, typeOptions: AttributeOptions, name: string, text: string): unknown => {
  const prerequisite =
    type === 'enumeration' ? `enum=${[typeOptions['enum']].flat().map(String).join('|')},` : '';
  return parseAttributeShorthand(`attribute:${type}:${prerequisite}${name}=${text.replaceAll(',', '\\,')}`)
    .json[name];
};

/** Returns true for a value that is valid with the other options, otherwise the message for the prompt. */
const validateOption = (type: string, chosen: AttributeOptions, name: string, text: string): Validity => {
  try {
    const value = parseOption(type, chosen, name, text);
    if (!isScalarTypeName(type)) return true;
    const options = { ...chosen, [name]: value };
    const { issues } = readScalarOptions(
      { name, type, options, line: 1, optionLines: {} },
      FIELD_TYPES[type],
    );
    return issues[0]?.message ?? true;
  } catch (error) {
    return isGalleyError(error) ? (error.hint ?? error.message) : String(error);
  }
};

/** Returns the value of an option in its typed form. Undefined if it is not set. */
const optionText = (value: unknown): string | undefined => {
  if (value === undefined || typeof value === 'string') return value;
  return Array.isArray(value) ? value.join('|') : JSON.stringify(value);
};

const promptOptionValue = async (
  prompter: Prompter,
  type: string,
  chosen: AttributeOptions,
  { name, current }: { readonly name: string; readonly current: unknown },
): Promise<unknown> => {
  if (name === 'default' && type === 'enumeration')
    return askSelect(prompter, {
      message: 'Default',
      choices: [chosen['enum']].flat().map((value) => ({ value: String(value) })),
      initial: optionText(current),
    });
  if (name === 'default' && type === 'boolean') return askConfirm(prompter, 'Default', current === true);
  const text = await askText(prompter, {
    message: name,
    isRequired: true,
    initial: optionText(current),
    validate: (typed) => validateOption(type, chosen, name, typed),
  });
  return parseOption(type, chosen, name, text);
};

const isLocalized = ({ pluginOptions }: AttributeJson): boolean =>
  isRecord(pluginOptions) && isRecord(pluginOptions['i18n']) && pluginOptions['i18n']['localized'] === true;

/** Returns the `localized` option. An attribute that was never localized gets none. */
const localizedOption = (current: AttributeJson, localized: boolean): AttributeOptions => {
  const { type, pluginOptions } = current;
  if (type !== undefined && pluginOptions === undefined && !localized) return {};
  return { pluginOptions: { ...(isRecord(pluginOptions) ? pluginOptions : {}), i18n: { localized } } };
};

const isTicked = (current: AttributeJson, name: string, kind: OptionKind): boolean => {
  if (name === 'localized') return current['type'] === undefined || isLocalized(current);
  return kind === 'flag' ? current[name] === true : Object.hasOwn(current, name);
};

/** Asks for the options of the attribute, then for the value of each option that needs one. */
export async function promptOptions(
  prompter: Prompter,
  typeOptions: AttributeOptions & { readonly type: string },
  context: AttributePromptContext,
  current: AttributeJson,
): Promise<AttributeOptions> {
  const { type } = typeOptions;
  const availableOptions = findAvailableOptions(type, context);
  const selected =
    availableOptions.length === 0
      ? []
      : await askSeveral(prompter, {
          message: 'Options',
          choices: availableOptions.map(([name, kind]) => ({
            value: name,
            name: kind === 'flag' ? name : `${name}…`,
            description: OPTION_DESCRIPTIONS[name] ?? '',
          })),
          initial: availableOptions
            .filter(([name, kind]) => isTicked(current, name, kind))
            .map(([name]) => name),
        });
  const options: Record<string, unknown> = {};
  for (const [name, kind] of availableOptions) {
    if (name === 'localized') Object.assign(options, localizedOption(current, selected.includes(name)));
    else if (selected.includes(name))
      options[name] =
        kind === 'flag'
          ? true
          : await promptOptionValue(
              prompter,
              type,
              { ...typeOptions, ...options },
              { name, current: current[name] },
            );
  }
  return options;
}
