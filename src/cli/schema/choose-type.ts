import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import type { NewType } from '../../scaffold/add-type.js';
import { parseAttributeShorthand } from '../../scaffold/attribute-shorthand.js';
import { parseTypeSource } from '../../scaffold/parse-type-source.js';
import { deriveTypeNames } from '../../scaffold/type-names.js';
import type { TypeNames } from '../../scaffold/type-names.js';
import { promptAttributes } from '../prompts/prompt-attributes.js';
import { createPrompter, promptIfMissing } from '../prompts/prompt.js';
import type { Prompter } from '../prompts/prompt.js';
import { createAttributePromptContext } from '../prompts/attribute-prompt-context.js';
import { printAttribute } from './choose-attributes.js';
import type { AttributePromptDependencies } from './choose-attributes.js';
import { readStdin } from '../prompts/secret.js';
import type { Terminal } from '../terminal/terminal.js';

export interface TypeFlags {
  readonly plural?: string | undefined;
  readonly 'display-name'?: string | undefined;
  readonly description?: string | undefined;
  readonly kind?: 'collection' | 'single' | undefined;
  readonly 'draft-publish'?: boolean | undefined;
  readonly localized?: boolean | undefined;
  readonly attribute?: readonly string[] | undefined;
  readonly from?: string | undefined;
}

const readSource = async (terminal: Terminal, from: string): Promise<string> => {
  if (from === '-') return readStdin(terminal);
  const file = resolve(terminal.cwd, from);
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw createError('scaffold/invalid-source', {
      source: from,
      reason: error instanceof Error ? error.message : String(error),
    });
  });
};

const loadTypeFromSource = async (
  deps: AttributePromptDependencies,
  from: string,
  name: string | undefined,
  flags: TypeFlags,
): Promise<NewType> => {
  const text = await readSource(deps.terminal, from);
  const type = parseTypeSource(text, from === '-' ? 'Standard input' : from, {
    name,
    plural: flags.plural,
    displayName: flags['display-name'],
  });
  return {
    ...type,
    ...(flags.kind === undefined ? {} : { kind: `${flags.kind}Type` }),
    ...(flags.description === undefined ? {} : { description: flags.description }),
    draftAndPublish: flags['draft-publish'] ?? type.draftAndPublish,
    localized: flags.localized ?? type.localized,
    attributes: [...type.attributes, ...(flags.attribute ?? []).map(parseAttributeShorthand)],
  };
};

const validateNames = (names: () => TypeNames): true | string => {
  try {
    names();
    return true;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const promptPlural = (prompter: Prompter, name: string): Promise<string> =>
  prompter((prompts, screen) =>
    prompts.input(
      {
        message: 'Plural, as in the address',
        default: deriveTypeNames({ name }).pluralName,
        validate: (plural) => validateNames(() => deriveTypeNames({ name, plural })),
      },
      screen,
    ),
  );

const promptNames = async (
  deps: AttributePromptDependencies,
  givenName: string | undefined,
  flags: TypeFlags,
): Promise<TypeNames> => {
  const { terminal, canPrompt } = deps;
  const isPrompted = givenName === undefined;
  const name = await promptIfMissing(terminal, canPrompt, {
    name: '<name>',
    value: givenName,
    question: (prompts, screen) =>
      prompts.input(
        {
          message: 'Name of the content-type (Blog Post)',
          validate: (text) => validateNames(() => deriveTypeNames({ name: text })),
        },
        screen,
      ),
  });
  const plural =
    flags.plural ?? (isPrompted ? await promptPlural(createPrompter(terminal), name) : undefined);
  return deriveTypeNames({ name, plural, displayName: flags['display-name'] });
};

const promptKind = (
  { terminal, canPrompt }: AttributePromptDependencies,
  value: TypeFlags['kind'],
): Promise<'collection' | 'single'> =>
  promptIfMissing<'collection' | 'single'>(terminal, canPrompt, {
    name: 'kind',
    value,
    fallback: 'collection',
    question: (prompts, screen) =>
      prompts.select(
        {
          message: 'Kind',
          choices: [
            { value: 'collection', name: 'collection', description: 'Many documents: articles.' },
            { value: 'single', name: 'single', description: 'One document: the homepage.' },
          ],
        },
        screen,
      ),
  });

const promptBoolean = (
  { terminal, canPrompt }: AttributePromptDependencies,
  name: string,
  message: string,
  value: boolean | undefined,
): Promise<boolean> =>
  promptIfMissing(terminal, canPrompt, {
    name,
    value,
    fallback: false,
    question: (prompts, screen) => prompts.confirm({ message, default: false }, screen),
  });

/**
 * Returns the content-type to add: from a file, from flags, and, on a terminal, from answers to prompts.
 * Attributes are asked for only where no flag gives any.
 *
 * @throws `cli/missing-value`, `scaffold/invalid-name`, `scaffold/invalid-attribute`,
 *   `scaffold/invalid-source`
 */
export async function chooseType(
  deps: AttributePromptDependencies,
  givenName: string | undefined,
  flags: TypeFlags,
): Promise<NewType> {
  if (flags.from !== undefined) return loadTypeFromSource(deps, flags.from, givenName, flags);
  const names = await promptNames(deps, givenName, flags);
  const kind = await promptKind(deps, flags.kind);
  const draftAndPublish = await promptBoolean(
    deps,
    'draft-publish',
    'Drafts, published when ready?',
    flags['draft-publish'],
  );
  const localized = await promptBoolean(deps, 'localized', 'In several languages?', flags.localized);
  const type: NewType = {
    names,
    kind: `${kind}Type`,
    description: flags.description ?? '',
    draftAndPublish,
    localized,
    attributes: (flags.attribute ?? []).map(parseAttributeShorthand),
  };
  if (!deps.canPrompt || flags.attribute !== undefined) return type;
  const context = createAttributePromptContext(deps.edits, {
    uid: `api::${names.singularName}.${names.singularName}`,
    name: names.singularName,
    kind: 'type',
    localized,
    attributes: [],
    newType: names,
  });
  return {
    ...type,
    attributes: await promptAttributes(createPrompter(deps.terminal), context, (attribute) =>
      deps.info(printAttribute(attribute)),
    ),
  };
}
