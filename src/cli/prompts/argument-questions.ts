import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openProject } from '../../project/open/open-project.js';
import { findProjectRoot } from '../../config/project-root.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { Administration } from '../../api/administration/administration.js';
import type { ContentStore } from '../../transfer/store/content-store.js';
import { createError } from '../../errors/catalogue.js';
import type { Uid } from '../../lib/ids.js';
import { resolveSchema, resolveType } from '../../project/scaffold/resolve-name.js';
import type { CompletionKind } from '../completion/command-spec.js';
import { loadDefinitions, openProjectNames } from '../completion/project-names.js';
import { openContentProject } from '../project/command-target.js';
import { findTargets } from '../content/prompt-value.js';
import { readContent } from '../content/with-content.js';
import { askPick, askSeveral, askText, searchQuestion } from './prompt.js';
import type { Choice, Prompter, Validate } from './prompt.js';

/** A required argument that was not given. */
export interface ArgumentQuestion {
  readonly name: string;
  readonly description: string;
  readonly isMultiple: boolean;
  readonly kind: CompletionKind | undefined;
}

export interface ArgumentSource {
  readonly cwd: string;
  /** The arguments so far, and the flags. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly flags: Readonly<Record<string, unknown>>;
  /** Validates typed text, if there is no list of choices. */
  readonly validate: Validate;
}

/** The command that creates an object of a kind. */
const MADE_BY: Partial<Readonly<Record<CompletionKind, readonly [kind: string, command: string]>>> = {
  type: ['content-type', 'cms type add'],
  schema: ['content-type or component', 'cms type add'],
  component: ['component', 'cms component add'],
  field: ['attribute', 'cms field add'],
  role: ['role', 'cms role create'],
  locale: ['locale', 'cms locale add'],
  remote: ['remote', 'cms remote add'],
  token: ['token', 'cms token create'],
  user: ['user', 'cms user create'],
  webhook: ['webhook', 'cms webhook add'],
  provider: ['provider', 'cms provider set'],
};

const asChoices = (names: readonly string[]): readonly Choice<string>[] =>
  names.map((value) => ({ value, name: value }));

/** The names that a server stores, by kind. */
const STORED_NAMES: Partial<
  Readonly<Record<CompletionKind, (administration: Administration) => Promise<readonly string[]>>>
> = {
  role: async ({ roles }) => (await roles.list({})).map(({ type }) => type),
  locale: async ({ locales }) => (await locales.list({})).map(({ code }) => code),
  token: async ({ tokens }) => (await tokens.list({})).map(({ name }) => name),
  user: async ({ users }) => (await users.list({})).map(({ username }) => username),
  webhook: async ({ webhooks }) => (await webhooks.list({})).map(({ name }) => name),
  provider: async ({ providers }) => (await providers.list({})).map(({ name }) => name),
};

const SILENT = { info: () => undefined, warn: () => undefined };

/** Loads the names that the project's database or the server in `--remote` stores. */
const loadStoredNames = async (
  root: string,
  remote: unknown,
  load: NonNullable<(typeof STORED_NAMES)[CompletionKind]>,
): Promise<readonly string[]> => {
  const { withAdministration } = await import('../administration.js');
  const flags = { remote: typeof remote === 'string' ? remote : undefined };
  return withAdministration(await openContentProject(root, flags, SILENT), SILENT.warn, load);
};

const loadSchemaChoices = async (root: string, kind: CompletionKind): Promise<readonly Choice<string>[]> => {
  const { types, components } = await loadDefinitions(root);
  const ofTypes = types
    .filter(({ origin }) => origin === 'project')
    .map(({ singularName, displayName }) => ({
      value: singularName,
      name: singularName,
      description: displayName,
    }));
  const ofComponents = components.map(({ uid, displayName }) => ({
    value: uid,
    name: uid,
    description: displayName,
  }));
  if (kind === 'type') return ofTypes;
  return kind === 'component' ? ofComponents : [...ofTypes, ...ofComponents];
};

/** Loads the choices. Null if the user must type the value. */
const loadChoices = async (
  root: string,
  kind: CompletionKind,
  { args: { type }, flags: { remote } }: ArgumentSource,
): Promise<readonly Choice<string>[] | null> => {
  const load = STORED_NAMES[kind];
  if (load !== undefined) return asChoices(await loadStoredNames(root, remote, load));
  const names = openProjectNames(root);
  switch (kind) {
    case 'type':
    case 'component':
    case 'schema':
      return loadSchemaChoices(root, kind);
    case 'field':
      return resolveSchema(await loadDefinitions(root), String(type)).attributes.map((attribute) => ({
        value: attribute.name,
        name: attribute.name,
        description: attribute.type,
      }));
    case 'grantable':
      return asChoices((await names.grantables()).filter((name) => !name.startsWith('api::')));
    case 'action':
      return asChoices(await names.actions(String(type)));
    case 'remote':
      return asChoices(await names.remotes());
    default:
      return null;
  }
};

const askChoice = async (
  prompter: Prompter,
  { name, isMultiple, kind = 'path' }: ArgumentQuestion,
  choices: readonly Choice<string>[],
): Promise<string | readonly string[]> => {
  if (choices.length === 0) {
    const [what, command] = MADE_BY[kind] ?? [name, 'cms help'];
    throw createError('cli/nothing-to-choose', { argument: `<${name}>`, kind: what, command });
  }
  const message = `Which ${name}?`;
  if (isMultiple) return askSeveral(prompter, { message, choices, isRequired: true });
  return askPick(prompter, {
    message,
    choices: choices.map(({ value, description = '' }) => ({ value, name: value, description })),
  });
};

/** Asks for a document or a file, which the user searches by typing. */
const askForDocument = (
  prompter: Prompter,
  { name, isMultiple }: ArgumentQuestion,
  { root, uid, remote }: { readonly root: string; readonly uid: Uid; readonly remote: unknown },
): Promise<string | readonly string[]> =>
  prompter(async (prompts, screen) => {
    const project = await openContentProject(
      root,
      { remote: typeof remote === 'string' ? remote : undefined },
      SILENT,
    );
    const ask = (store: ContentStore): Promise<string> =>
      searchQuestion(`Which ${name}? Type to search`, (typed) => findTargets(store, uid, typed))(
        prompts,
        screen,
      );
    const documentId = await readContent(project, ask);
    return isMultiple ? [documentId] : documentId;
  });

/** Returns the type of the document to choose. Undefined if the command needs no document. */
const documentType = async (root: string, { args, flags }: ArgumentSource): Promise<Uid | undefined> => {
  const { model } = await openProject(root);
  const type = resolveType(model.types, String(args['type']));
  const isFiltered = flags['filter'] !== undefined || flags['query'] !== undefined;
  return type.kind === 'singleType' || isFiltered ? undefined : type.uid;
};

/** Asks for an argument: from a list if the project has one, otherwise as text. */
export async function askForArgument(
  prompter: Prompter,
  question: ArgumentQuestion,
  source: ArgumentSource,
): Promise<string | readonly string[] | undefined> {
  const { kind, isMultiple, description } = question;
  const { cwd, flags, validate } = source;
  if (kind !== undefined && kind !== 'path') {
    const root = findProjectRoot(cwd);
    if (root === undefined) throw createError('cli/project-not-found', { folder: cwd });
    if (kind === 'document' || kind === 'file') {
      const uid = kind === 'file' ? FILE_UID : await documentType(root, source);
      return uid === undefined
        ? undefined
        : askForDocument(prompter, question, { root, uid, remote: flags['remote'] });
    }
    const choices = await loadChoices(root, kind, source);
    if (choices !== null) return askChoice(prompter, question, choices);
  }
  const text = await askText(prompter, {
    message: description,
    isRequired: true,
    validate: (typed) =>
      kind !== 'path' || existsSync(resolve(cwd, typed)) ? validate(typed) : `There is no ${typed}.`,
  });
  return isMultiple ? [text] : text;
}
