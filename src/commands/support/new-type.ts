import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fail } from '../../errors/catalogue.js';
import type { NewType } from '../../scaffold/add-type.js';
import { parseAttributeShorthand } from '../../scaffold/attribute-shorthand.js';
import { parseTypeSource } from '../../scaffold/parse-type-source.js';
import { deriveTypeNames } from '../../scaffold/type-names.js';
import type { TypeNames } from '../../scaffold/type-names.js';
import { askAttributes } from './ask/ask-attributes.js';
import { createAsker } from './ask/asker.js';
import type { Asker } from './ask/asker.js';
import { siteOf } from './ask/attribute-site.js';
import { describeAnswer } from './new-attributes.js';
import type { AttributeAsking } from './new-attributes.js';
import { promptOr } from './prompts.js';
import { readStdin } from './secret.js';
import type { Terminal } from './terminal.js';

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
    throw fail('scaffold/invalid-source', { source: from, reason: error instanceof Error ? error.message : String(error) });
  });
};

const fromSource = async (asking: AttributeAsking, from: string, name: string | undefined, flags: TypeFlags): Promise<NewType> => {
  const text = await readSource(asking.terminal, from);
  const type = parseTypeSource(text, from === '-' ? 'Standard input' : from, { name, plural: flags.plural, displayName: flags['display-name'] });
  return {
    ...type,
    ...(flags.kind === undefined ? {} : { kind: `${flags.kind}Type` }),
    ...(flags.description === undefined ? {} : { description: flags.description }),
    draftAndPublish: flags['draft-publish'] ?? type.draftAndPublish,
    localized: flags.localized ?? type.localized,
    attributes: [...type.attributes, ...(flags.attribute ?? []).map(parseAttributeShorthand)],
  };
};

const checked = (names: () => TypeNames): true | string => {
  try {
    names();
    return true;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const askPlural = (asker: Asker, name: string): Promise<string> =>
  asker((prompts, screen) => prompts.input({ message: 'Plural, as in the address', default: deriveTypeNames({ name }).pluralName, validate: (plural) => checked(() => deriveTypeNames({ name, plural })) }, screen));

const askNames = async (asking: AttributeAsking, given: string | undefined, flags: TypeFlags): Promise<TypeNames> => {
  const { terminal, canPrompt } = asking;
  const wasAsked = given === undefined;
  const name = await promptOr(terminal, canPrompt, {
    name: '<name>',
    value: given,
    ask: (prompts, screen) => prompts.input({ message: 'Name of the content-type (Blog Post)', validate: (text) => checked(() => deriveTypeNames({ name: text })) }, screen),
  });
  const plural = flags.plural ?? (wasAsked ? await askPlural(createAsker(terminal), name) : undefined);
  return deriveTypeNames({ name, plural, displayName: flags['display-name'] });
};

const askKind = ({ terminal, canPrompt }: AttributeAsking, value: TypeFlags['kind']): Promise<'collection' | 'single'> =>
  promptOr<'collection' | 'single'>(terminal, canPrompt, {
    name: 'kind',
    value,
    fallback: 'collection',
    ask: (prompts, screen) => prompts.select({
      message: 'Kind',
      choices: [{ value: 'collection', name: 'collection', description: 'Many documents: articles.' }, { value: 'single', name: 'single', description: 'One document: the homepage.' }],
    }, screen),
  });

const askSwitch = ({ terminal, canPrompt }: AttributeAsking, name: string, message: string, value: boolean | undefined): Promise<boolean> =>
  promptOr(terminal, canPrompt, { name, value, fallback: false, ask: (prompts, screen) => prompts.confirm({ message, default: false }, screen) });

/**
 * The content-type somebody wants: from a file, from flags, and for the rest, on a terminal, from answers.
 * Whoever names attributes by flags is asked for no more of them.
 *
 * @throws `cli/missing-value`, `scaffold/invalid-…`
 */
export async function chooseType(asking: AttributeAsking, given: string | undefined, flags: TypeFlags): Promise<NewType> {
  if (flags.from !== undefined) return fromSource(asking, flags.from, given, flags);
  const names = await askNames(asking, given, flags);
  const kind = await askKind(asking, flags.kind);
  const draftAndPublish = await askSwitch(asking, 'draft-publish', 'Drafts, published when ready?', flags['draft-publish']);
  const localized = await askSwitch(asking, 'localized', 'In several languages?', flags.localized);
  const type: NewType = { names, kind: `${kind}Type`, description: flags.description ?? '', draftAndPublish, localized, attributes: (flags.attribute ?? []).map(parseAttributeShorthand) };
  if (!asking.canPrompt || flags.attribute !== undefined) return type;
  const site = siteOf(asking.edits, { uid: `api::${names.singularName}.${names.singularName}`, name: names.singularName, kind: 'type', localized, attributes: [], newType: names });
  return { ...type, attributes: await askAttributes(createAsker(asking.terminal), site, (attribute) => asking.info(describeAnswer(attribute))) };
}
