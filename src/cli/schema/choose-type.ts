import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import type { NewType } from '../../scaffold/add-type.js';
import { parseAttributeShorthand } from '../../scaffold/attribute-shorthand.js';
import { parseTypeSource } from '../../scaffold/parse-type-source.js';
import { deriveTypeNames, typeUid } from '../../scaffold/type-names.js';
import type { TypeNames } from '../../scaffold/type-names.js';
import type { SchemaProject } from '../../scaffold/schema-project.js';
import { assertTypeNamesAvailable } from '../../scaffold/type-names-available.js';
import { validateWith } from '../prompts/validate-with.js';
import { promptIfMissing } from '../prompts/prompt.js';
import type { Prompter } from '../prompts/prompt.js';
import { promptPlural, typeNameQuestion } from '../prompts/prompt-type-names.js';
import { runWizard } from '../prompts/wizard.js';
import type { Wizard } from '../prompts/wizard.js';
import { askForAttributes } from './choose-attributes.js';
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

const chooseNames = async (
  prompter: Prompter | null,
  edits: SchemaProject,
  givenName: string | undefined,
  flags: TypeFlags,
): Promise<TypeNames> => {
  const isAvailable = (names: TypeNames): true | string =>
    validateWith(() => assertTypeNamesAvailable(edits, names));
  const name = await promptIfMissing(prompter, {
    name: '<name>',
    value: givenName,
    question: typeNameQuestion('Name of the content-type (Blog Post)', isAvailable),
  });
  const plural =
    flags.plural ??
    (givenName === undefined && prompter !== null
      ? await promptPlural(prompter, 'Plural, as in the address', name, isAvailable)
      : undefined);
  const names = deriveTypeNames({ name, plural, displayName: flags['display-name'] });
  // Now, and not once all other questions are answered.
  assertTypeNamesAvailable(edits, names);
  return names;
};

const chooseKind = (prompter: Prompter | null, value: TypeFlags['kind']): Promise<'collection' | 'single'> =>
  promptIfMissing<'collection' | 'single'>(prompter, {
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

const chooseBoolean = (
  prompter: Prompter | null,
  name: string,
  message: string,
  value: boolean | undefined,
): Promise<boolean> =>
  promptIfMissing(prompter, {
    name,
    value,
    fallback: false,
    question: (prompts, screen) => prompts.confirm({ message, default: false }, screen),
  });

/** A new content-type, and the types that were made as targets of its relations. */
interface ChosenType {
  readonly type: NewType;
  readonly newTypes: readonly NewType[];
}

const chooseTypeWith = async (
  wizard: Wizard | null,
  edits: SchemaProject,
  givenName: string | undefined,
  flags: TypeFlags,
): Promise<ChosenType> => {
  const prompter = wizard?.prompter ?? null;
  const names = await chooseNames(prompter, edits, givenName, flags);
  const label = `the content-type ${names.singularName}`;
  wizard?.setDraft(label);
  const kind = await chooseKind(prompter, flags.kind);
  const draftAndPublish = await chooseBoolean(
    prompter,
    'draft-publish',
    'Drafts, published when ready?',
    flags['draft-publish'],
  );
  const localized = await chooseBoolean(prompter, 'localized', 'In several languages?', flags.localized);
  const type: NewType = {
    names,
    kind: `${kind}Type`,
    description: flags.description ?? '',
    draftAndPublish,
    localized,
    attributes: (flags.attribute ?? []).map(parseAttributeShorthand),
  };
  if (wizard === null || flags.attribute !== undefined) return { type, newTypes: [] };
  const { attributes, newTypes } = await askForAttributes(wizard, edits, {
    uid: typeUid(names),
    name: names.singularName,
    names,
    label,
    kind: 'type',
    localized,
    draftAndPublish,
    attributes: [],
  });
  return { type: { ...type, attributes }, newTypes };
};

/**
 * Returns the content-type to add: from a file, from flags, and, on a terminal, from answers to prompts.
 * Attributes are asked for only where no flag gives any.
 *
 * @throws `cli/missing-value`, `scaffold/invalid-name`, `scaffold/name-taken`, `scaffold/invalid-attribute`,
 *   `scaffold/invalid-source`
 */
export async function chooseType(
  deps: AttributePromptDependencies,
  givenName: string | undefined,
  flags: TypeFlags,
): Promise<ChosenType> {
  const { terminal, canPrompt, edits } = deps;
  if (flags.from !== undefined)
    return { type: await loadTypeFromSource(deps, flags.from, givenName, flags), newTypes: [] };
  if (!canPrompt) return chooseTypeWith(null, edits, givenName, flags);
  return runWizard(terminal, (wizard) => chooseTypeWith(wizard, edits, givenName, flags));
}
