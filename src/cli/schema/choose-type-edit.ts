import type { ContentTypeDefinition } from '../../model/content-types/definition.js';
import { createError } from '../../errors/catalogue.js';
import { editType } from '../../project/scaffold/edit-type.js';
import type { TypeEdit } from '../../project/scaffold/edit-type.js';
import { runForm } from '../prompts/form.js';
import type { FormField, FormFields } from '../prompts/form.js';
import { askConfirm, askSelect, askText } from '../prompts/prompt.js';
import type { Validity } from '../prompts/prompt.js';
import type { Wizard } from '../prompts/wizard.js';
import type { SchemaEditSession } from './schema-edit-session.js';

export interface TypeEditFlags {
  readonly 'display-name'?: string | undefined;
  readonly description?: string | undefined;
  readonly plural?: string | undefined;
  readonly kind?: 'collection' | 'single' | undefined;
  readonly 'draft-publish'?: boolean | undefined;
  readonly localized?: boolean | undefined;
}

const editFromFlags = (flags: TypeEditFlags): TypeEdit => ({
  displayName: flags['display-name'],
  description: flags.description,
  pluralName: flags.plural,
  kind: flags.kind === undefined ? undefined : `${flags.kind}Type`,
  draftAndPublish: flags['draft-publish'],
  localized: flags.localized,
});

const isEmpty = (edit: TypeEdit): boolean => Object.values(edit).every((value) => value === undefined);

interface TypeValues {
  readonly displayName: string;
  readonly description: string;
  readonly pluralName: string;
  readonly kind: ContentTypeDefinition['kind'];
  readonly draftAndPublish: boolean;
  readonly localized: boolean;
}

const KINDS = [
  { value: 'collectionType', name: 'collection' },
  { value: 'singleType', name: 'single' },
] as const;

const changesOf = (type: ContentTypeDefinition, values: Partial<TypeValues>): TypeEdit =>
  Object.fromEntries(
    Object.entries(values).filter(([key, value]) => value !== type[key as keyof TypeValues]),
  );

/** The questions for the options of a type, which propose those that it has. */
const typeFields = (
  { check }: SchemaEditSession,
  type: ContentTypeDefinition,
  info: Wizard['info'],
): FormFields<TypeValues> => {
  const checkEdit = (values: Partial<TypeValues>): Promise<Validity> =>
    check((copy) => editType(copy, type, changesOf(type, values)));
  const field = <T>(label: string, initial: T, ask: FormField<T, TypeValues>['ask']) => ({
    name: label,
    label,
    initial,
    ask,
  });
  const flag = (label: string, message: string, initial: boolean): FormField<boolean, TypeValues> => ({
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
        message: 'Plural, as in the address',
        isRequired: true,
        initial,
        validate: (pluralName) => checkEdit({ pluralName }),
      }),
    ),
    kind: {
      ...field<TypeValues['kind']>('kind', type.kind, async (prompter, { initial }, { pluralName }) => {
        for (;;) {
          const kind = await askSelect(prompter, { message: 'Kind', choices: KINDS, initial });
          const validity = await checkEdit(pluralName === undefined ? { kind } : { kind, pluralName });
          if (validity === true) return kind;
          info(validity);
        }
      }),
      print: (value) => value.replace('Type', ''),
    },
    draftAndPublish: flag('drafts', 'Drafts, published when ready?', type.draftAndPublish),
    localized: flag('several languages', 'In several languages?', type.localized),
  };
};

/**
 * Returns what changes of a content-type: from flags, or from answers to prompts.
 *
 * @throws `cli/missing-value`, `cli/declined` where the answers change nothing
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
    typeFields(session, type, wizard.info),
    () => `the changes of ${type.singularName}`,
    (chosen) => session.check((copy) => editType(copy, type, changesOf(type, chosen))),
  );
  const answers = changesOf(type, values);
  if (isEmpty(answers)) throw createError('cli/declined');
  return answers;
}
