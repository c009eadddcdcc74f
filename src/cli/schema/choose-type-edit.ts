import type { ContentTypeDefinition } from '../../content-types/definition.js';
import { createError } from '../../errors/catalogue.js';
import type { TypeEdit } from '../../scaffold/edit-type.js';
import type { Prompter } from '../prompts/prompt.js';

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

const changed = <T>(before: T, after: T): T | undefined => (before === after ? undefined : after);

const promptTypeEdit = async (prompter: Prompter, type: ContentTypeDefinition): Promise<TypeEdit> => {
  const input = (message: string, current: string): Promise<string> =>
    prompter((prompts, screen) => prompts.input({ message, default: current }, screen));
  const confirm = (message: string, current: boolean): Promise<boolean> =>
    prompter((prompts, screen) => prompts.confirm({ message, default: current }, screen));
  const kinds = [
    { value: 'collectionType', name: 'collection' },
    { value: 'singleType', name: 'single' },
  ] as const;
  return {
    displayName: changed(type.displayName, await input('Display name', type.displayName)),
    description: changed(type.description, await input('Description', type.description)),
    pluralName: changed(type.pluralName, await input('Plural, as in the address', type.pluralName)),
    kind: changed(
      type.kind,
      await prompter((prompts, screen) =>
        prompts.select({ message: 'Kind', default: type.kind, choices: kinds }, screen),
      ),
    ),
    draftAndPublish: changed(
      type.draftAndPublish,
      await confirm('Drafts, published when ready?', type.draftAndPublish),
    ),
    localized: changed(type.localized, await confirm('In several languages?', type.localized)),
  };
};

/**
 * Returns what changes of a content-type: from flags, or from answers to prompts.
 *
 * @throws `cli/missing-value`, `cli/declined` where the answers change nothing
 */
export async function chooseTypeEdit(
  prompter: Prompter | null,
  type: ContentTypeDefinition,
  flags: TypeEditFlags,
): Promise<TypeEdit> {
  const edit = editFromFlags(flags);
  if (!isEmpty(edit)) return edit;
  if (prompter === null) throw createError('cli/missing-value', { label: 'an option, such as --localized' });
  const answers = await promptTypeEdit(prompter, type);
  if (isEmpty(answers)) throw createError('cli/declined');
  return answers;
}
