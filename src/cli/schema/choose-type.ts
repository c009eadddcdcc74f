import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import type { ContentTypeDefinition } from '../../model/content-types/definition.js';
import { addType, parseTypeSource } from '../../project/scaffold/add-schema.js';
import type { NewType } from '../../project/scaffold/add-schema.js';
import { parseAttributeShorthand } from '../../project/scaffold/attribute-shorthand.js';
import type { NamedAttribute } from '../../project/scaffold/attribute-shorthand.js';
import { editType } from '../../project/scaffold/edit-schema.js';
import type { TypeEdit } from '../../project/scaffold/edit-schema.js';
import { assertTypeNamesAvailable, deriveTypeNames, typeUid } from '../../project/scaffold/type-names.js';
import type { TypeNames } from '../../project/scaffold/type-names.js';
import { askConfirm, askSelect, askText } from '../prompts/prompt.js';
import type { Validity } from '../prompts/prompt.js';
import { readStdin } from '../prompts/secret.js';
import { createForm, review, runForm } from '../prompts/wizard.js';
import type { FormField, FormFields, Review, Wizard } from '../prompts/wizard.js';
import type { Terminal } from '../terminal/terminal.js';
import { promptPlural, promptTypeName } from './attribute-prompt-context.js';
import { askForAttributes } from './choose-attributes.js';
import type { SchemaEditSession } from './schema-command.js';

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

interface TypeValues {
  readonly name: string;
  readonly plural: string;
  readonly kind: 'collection' | 'single';
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
}

const typeNamesOf = ({ name, plural }: Pick<TypeValues, 'name' | 'plural'>, flags: TypeFlags): TypeNames =>
  deriveTypeNames({ name, plural, displayName: flags['display-name'] });

const newTypeOf = (values: TypeValues, flags: TypeFlags, attributes: readonly NamedAttribute[]): NewType => ({
  names: typeNamesOf(values, flags),
  kind: `${values.kind}Type`,
  description: flags.description ?? '',
  draftAndPublish: values.draftAndPublish,
  localized: values.localized,
  attributes,
});

const KIND_CHOICES = [
  { value: 'collection', name: 'collection', description: 'Many documents: articles.' },
  { value: 'single', name: 'single', description: 'One document: the homepage.' },
] as const;

type CheckNames = (names: TypeNames, kind?: TypeValues['kind']) => Promise<Validity>;

/** Validates names by adding a type with them. */
const createNameCheck =
  (session: SchemaEditSession, flags: TypeFlags): CheckNames =>
  ({ singularName: name, pluralName: plural }, kind = 'collection') =>
    session.check((copy) => {
      const values = { name, plural, kind, draftAndPublish: false, localized: false };
      return addType(copy, newTypeOf(values, flags, []));
    });

/** The questions for the names of a content-type. */
const nameFields = (
  check: CheckNames,
  given: { readonly name: string | undefined; readonly plural: string | undefined },
  assertGiven: (values: Partial<TypeValues>) => Promise<void>,
): Pick<FormFields<TypeValues>, 'name' | 'plural'> => ({
  name: {
    name: '<name>',
    label: 'name',
    given: given.name,
    assert: (_name, values) => assertGiven(values),
    ask: (prompter, { initial }) =>
      promptTypeName(prompter, {
        message: 'Name of the content-type (Blog Post)',
        initial,
        // The plural is the next question, so a plural that is not available is no reason to reject the name.
        isAvailable: async (names) => {
          const validity = await check(names);
          if (validity === true || given.plural !== undefined) return validity;
          const other = await check({ ...names, pluralName: `${names.singularName}-list` });
          return other === true ? true : validity;
        },
      }),
  },
  plural: {
    name: 'plural',
    label: 'plural',
    given: given.plural,
    fallback: ({ name = '' }) => deriveTypeNames({ name }).pluralName,
    ask: (prompter, { initial }, { name = '' }) =>
      promptPlural(prompter, name, { message: 'Plural, as in the URL', initial, isAvailable: check }),
  },
});

const booleanField = (
  name: string,
  {
    message,
    ...field
  }: { readonly label: string; readonly message: string; readonly given: boolean | undefined },
): FormField<boolean, TypeValues> => ({
  ...field,
  name,
  fallback: () => false,
  ask: (prompter, { initial = false }) => askConfirm(prompter, message, initial),
  print: (value) => (value ? 'yes' : 'no'),
});

/** The questions for a new content-type, apart from its attributes. */
const typeFields = async (
  wizard: Wizard | null,
  session: SchemaEditSession,
  givenName: string | undefined,
  flags: TypeFlags,
): Promise<FormFields<TypeValues>> => {
  const check = createNameCheck(session, flags);
  const derived =
    givenName === undefined ? undefined : deriveTypeNames({ name: givenName, plural: flags.plural });
  const isUsable = derived === undefined || wizard === null || (await check(derived, flags.kind)) === true;
  const plural = flags.plural ?? (isUsable ? derived?.pluralName : undefined);
  const assertGiven = async ({ name = '', plural: given }: Partial<TypeValues>): Promise<void> =>
    assertTypeNamesAvailable(session.edits, deriveTypeNames({ name, plural: given }));
  return {
    ...nameFields(check, { name: givenName, plural }, assertGiven),
    kind: {
      name: 'kind',
      label: 'kind',
      given: flags.kind,
      fallback: () => 'collection',
      ask: async (prompter, { initial }, { name = '', plural: chosen }) => {
        for (;;) {
          const kind = await askSelect(prompter, { message: 'Kind', choices: KIND_CHOICES, initial });
          const validity = await check(deriveTypeNames({ name, plural: chosen }), kind);
          if (validity === true) return kind;
          wizard?.info(validity);
        }
      },
    },
    draftAndPublish: booleanField('draft-publish', {
      label: 'drafts',
      message: 'Enable drafts and publishing?',
      given: flags['draft-publish'],
    }),
    localized: booleanField('localized', {
      label: 'several languages',
      message: 'Enable several languages?',
      given: flags.localized,
    }),
  };
};

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
  terminal: Terminal,
  from: string,
  name: string | undefined,
  flags: TypeFlags,
): Promise<NewType> => {
  const text = await readSource(terminal, from);
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

/** A new content-type, and the new types for the targets of its relations. */
interface ChosenType {
  readonly type: NewType;
  readonly newTypes: readonly NewType[];
}

/**
 * Returns the content-type to add: from a file, from flags and, on a terminal, from answers to prompts. Asks
 * for attributes only if no flag defines any.
 *
 * @throws `cli/missing-value`, `scaffold/invalid-name`, `scaffold/name-taken`, `scaffold/invalid-attribute`,
 *   `scaffold/invalid-source`
 */
export async function chooseType(
  wizard: Wizard | null,
  session: SchemaEditSession,
  givenName: string | undefined,
  flags: TypeFlags & { readonly terminal: Terminal },
): Promise<ChosenType> {
  if (flags.from !== undefined)
    return { type: await loadTypeFromSource(flags.terminal, flags.from, givenName, flags), newTypes: [] };
  const labelOf = (name: string): string => `the content-type ${deriveTypeNames({ name }).singularName}`;
  const form = createForm(wizard, await typeFields(wizard, session, givenName, flags), ({ name }) =>
    name === undefined ? null : labelOf(name),
  );
  await form.fill();
  const reviewForm = (): Review => ({ summary: form.summary(), actions: form.edits() });
  if (wizard === null || flags.attribute !== undefined) {
    if (wizard !== null && form.hasAsked()) await review(wizard, reviewForm);
    const given = (flags.attribute ?? []).map(parseAttributeShorthand);
    return { type: newTypeOf(form.values(), flags, given), newTypes: [] };
  }
  const { attributes, newTypes } = await askForAttributes(wizard, {
    session,
    subject: () => {
      const { localized } = form.values();
      const names = typeNamesOf(form.values(), flags);
      const { singularName: name } = names;
      const label = labelOf(name);
      return { uid: typeUid(names), name, names, label, kind: 'type', localized, attributes: [] };
    },
    apply: (edits, chosen) =>
      addType(edits, newTypeOf(form.values(), flags, chosen.attributes), chosen.newTypes),
    review: reviewForm,
  });
  return { type: newTypeOf(form.values(), flags, attributes), newTypes };
}

interface TypeEditFlags {
  readonly 'display-name'?: string | undefined;
  readonly description?: string | undefined;
  readonly plural?: string | undefined;
  readonly kind?: 'collection' | 'single' | undefined;
  readonly 'draft-publish'?: boolean | undefined;
  readonly localized?: boolean | undefined;
}

interface TypeEditValues {
  readonly displayName: string;
  readonly description: string;
  readonly pluralName: string;
  readonly kind: ContentTypeDefinition['kind'];
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
}

const EDIT_KIND_CHOICES = KIND_CHOICES.map(
  ({ value, ...choice }) => ({ ...choice, value: `${value}Type` }) as const,
);

const changesOf = (type: ContentTypeDefinition, values: Partial<TypeEditValues>): TypeEdit =>
  Object.fromEntries(
    Object.entries(values).filter(([key, value]) => value !== type[key as keyof TypeEditValues]),
  );

/** The questions for the options of a type, with the present ones as default answers. */
const typeEditFields = (
  { check }: SchemaEditSession,
  type: ContentTypeDefinition,
  info: Wizard['info'],
): FormFields<TypeEditValues> => {
  const checkEdit = (values: Partial<TypeEditValues>): Promise<Validity> =>
    check((copy) => editType(copy, type, changesOf(type, values)));
  const field = <T>(label: string, initial: T, ask: FormField<T, TypeEditValues>['ask']) => ({
    name: label,
    label,
    initial,
    ask,
  });
  const flag = (label: string, message: string, initial: boolean): FormField<boolean, TypeEditValues> => ({
    ...field(label, initial, (prompter, { initial: proposed = false }) =>
      askConfirm(prompter, message, proposed),
    ),
    print: (value) => (value ? 'yes' : 'no'),
  });
  return {
    displayName: field('display name', type.displayName, (prompter, { initial }) =>
      askText(prompter, { message: 'Display name', isRequired: true, initial }),
    ),
    description: field('description', type.description, (prompter, { initial }) =>
      askText(prompter, { message: 'Description', initial }),
    ),
    pluralName: field('plural', type.pluralName, (prompter, { initial }) =>
      askText(prompter, {
        message: 'Plural, as in the URL',
        isRequired: true,
        initial,
        validate: (pluralName) => checkEdit({ pluralName }),
      }),
    ),
    kind: {
      ...field<TypeEditValues['kind']>('kind', type.kind, async (prompter, { initial }, { pluralName }) => {
        for (;;) {
          const kind = await askSelect(prompter, { message: 'Kind', choices: EDIT_KIND_CHOICES, initial });
          const validity = await checkEdit(pluralName === undefined ? { kind } : { kind, pluralName });
          if (validity === true) return kind;
          info(validity);
        }
      }),
      print: (value) => value.replace('Type', ''),
    },
    draftAndPublish: flag('drafts', 'Enable drafts and publishing?', type.draftAndPublish),
    localized: flag('several languages', 'Enable several languages?', type.localized),
  };
};

const editFromFlags = (flags: TypeEditFlags): TypeEdit => ({
  displayName: flags['display-name'],
  description: flags.description,
  pluralName: flags.plural,
  kind: flags.kind === undefined ? undefined : `${flags.kind}Type`,
  draftAndPublish: flags['draft-publish'],
  localized: flags.localized,
});

const isEmpty = (edit: TypeEdit): boolean => Object.values(edit).every((value) => value === undefined);

/**
 * Returns the changes of a content-type, from flags or from answers to prompts.
 *
 * @throws `cli/missing-value`, `cli/declined` if the answers change nothing
 */
export async function chooseTypeEdit(
  wizard: Wizard | null,
  session: SchemaEditSession,
  type: ContentTypeDefinition,
  flags: TypeEditFlags,
): Promise<TypeEdit> {
  const edit = editFromFlags(flags);
  if (!isEmpty(edit)) return edit;
  if (wizard === null) throw createError('cli/missing-value', { label: 'an option, such as --localized' });
  const values = await runForm(
    wizard,
    typeEditFields(session, type, wizard.info),
    () => `the changes of ${type.singularName}`,
    (chosen) => session.check((copy) => editType(copy, type, changesOf(type, chosen))),
  );
  const answers = changesOf(type, values);
  if (isEmpty(answers)) throw createError('cli/declined');
  return answers;
}
