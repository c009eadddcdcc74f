import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { requireLocale } from '../../documents/write/write-params.js';
import { createError } from '../../errors/catalogue.js';
import { parseExactJson } from '../../lib/json.js';
import { isRecord } from '../../lib/records.js';
import { componentOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema, ContentType } from '../../model/model.js';
import { resolveAttribute } from '../../project/scaffold/resolve-name.js';
import type { ContentDocument, ContentStore, ContentWrite } from '../../transfer/store/content-store.js';
import { parseDocumentText, parseAttributeText } from '../../transfer/store/document-text.js';
import { resolveData } from '../../transfer/store/references.js';
import { dryRunFlag, repeatable } from '../flags.js';
import type { Outcome } from '../outcome.js';
import { remoteFlag } from '../project/command-target.js';
import type { ContentProject } from '../project/command-target.js';
import type { Warn } from '../project/with-app.js';
import { readStdin } from '../prompts/secret.js';
import type { Terminal } from '../terminal/terminal.js';
import { openContent } from './with-content.js';

type Data = Record<string, unknown>;

const invalidAssignment = (assignment: string, reason: string, remedy: string): Error =>
  createError('cli/invalid-usage', { reason: `--set ${assignment}: ${reason}`, remedy });

/** Runs a parser of JSON in an assignment, and explains its error. */
const parsing = (assignment: string, parse: () => unknown): unknown => {
  try {
    return parse();
  } catch (error) {
    throw invalidAssignment(
      assignment,
      `the value is not JSON (${error instanceof Error ? error.message : String(error)}).`,
      'Quote it for the shell, as in --set \'seo={"metaTitle": "Lamp"}\'.',
    );
  }
};

const attributeAt = (schema: ContentSchema, name: string): Attribute => {
  const attributes = Object.values(schema.attributes);
  const known = resolveAttribute({ uid: schema.uid, attributes }, name);
  return schema.attributes[known] as Attribute;
};

interface Assignment {
  /** The assignment as typed. */
  readonly text: string;
  readonly value: string;
  readonly isJson: boolean;
}

const assign = (
  model: ContentModel,
  target: { readonly schema: ContentSchema; readonly data: Data },
  [name = '', ...rest]: readonly string[],
  assignment: Assignment,
): void => {
  const attribute = attributeAt(target.schema, name);
  if (rest.length === 0) {
    const { text, value, isJson } = assignment;
    target.data[name] = parsing(text, () =>
      isJson ? parseExactJson(value) : parseAttributeText(attribute, value),
    );
    return;
  }
  if (attribute.family !== 'component' || attribute.repeatable)
    throw invalidAssignment(
      assignment.text,
      `${name} is not a single component, so it has no ${rest.join('.')}.`,
      `Set all of it as JSON: --set '${name}=…'.`,
    );
  const existing = target.data[name];
  const data: Data = isRecord(existing) ? existing : {};
  target.data[name] = data;
  assign(model, { schema: componentOf(model, attribute.component), data }, rest, assignment);
};

/**
 * Parses assignments of the command line into the data of a write. In `name=value`, the value has the form of
 * its attribute's type. Commas separate lists. An empty value clears attributes other than texts. In
 * `name:=json`, the value is JSON. Dots are paths into components.
 *
 * @example
 *   parseAssignments(model, article, ['title=Lamp', 'tags=red,blue', 'seo.metaTitle=Lamp', 'price:=null']);
 *
 * @throws `cli/invalid-usage`, `cli/unknown-name`
 */
function parseAssignments(
  model: ContentModel,
  schema: ContentSchema,
  assignments: readonly string[],
): Readonly<Record<string, unknown>> {
  const data: Data = {};
  for (const text of assignments) {
    const match = /^(?<path>[^:=]+)(?<sign>:?=)(?<value>[\s\S]*)$/.exec(text);
    const { path, sign, value } = match?.groups ?? {};
    if (path === undefined || value === undefined)
      throw invalidAssignment(text, 'it has no value.', 'Write it as attribute=value, such as title=Lamp.');
    assign(model, { schema, data }, path.trim().split('.'), { text, value, isJson: sign === ':=' });
  }
  return data;
}

/** The flags that set the values of a document. */
export const dataFlags = {
  set: Flags.string({
    ...repeatable,
    description:
      'Value: title=Lamp, tags=red,blue, author=ada-lovelace, seo.metaTitle=Lamp, or JSON: ' +
      "'price:=null'. Name documents by documentId, uid or a unique value. May be repeated.",
    helpValue: '<attribute=value>',
  }),
  from: Flags.string({
    description: 'File with values: JSON, YAML, or Markdown with front matter; "-" reads standard input.',
    helpValue: '<file|->',
  }),
};

interface DataFlagValues {
  readonly set?: readonly string[] | undefined;
  readonly from?: string | undefined;
}

/**
 * Returns the values of a document from flags, with the documentIds of linked documents. `--set` takes
 * precedence over `--from`.
 *
 * @throws `cli/invalid-usage`, `cli/unknown-name`, `content/invalid-file`, `content/unknown-reference`
 */
export async function readData(
  store: ContentStore,
  type: ContentType,
  { set = [], from }: DataFlagValues,
  terminal: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  const data = { ...(await readFrom(type, from, terminal)), ...parseAssignments(store.model, type, set) };
  return resolveData(store, type, data);
}

const readFrom = async (
  type: ContentType,
  from: string | undefined,
  terminal: Terminal,
): Promise<Readonly<Record<string, unknown>>> => {
  if (from === undefined) return {};
  if (from === '-')
    return parseDocumentText(type, { file: 'standard input', text: await readStdin(terminal) });
  const path = resolve(terminal.cwd, from);
  return parseDocumentText(type, { file: basename(path), text: await readFile(path, 'utf8') });
};

export const ifMatchFlag = {
  'if-match': Flags.string({
    description: 'Write nothing unless this is the updatedAt of the draft.',
    helpValue: '<time>',
  }),
};

/** Returns the part of a write that {@link ifMatchFlag} sets. */
export function withIfMatch({
  'if-match': ifMatch,
}: {
  readonly 'if-match': string | undefined;
}): Pick<ContentWrite, 'ifMatch'> {
  return ifMatch === undefined ? {} : { ifMatch };
}

/** The result of a write, or of its dry run. */
export interface WrittenDocument {
  readonly documentId: string;
  /** Null if it was deleted. */
  readonly document: ContentDocument | null;
}

/**
 * Writes in one transaction. With `isDryRun`, all checks run, and then the transaction is rolled back.
 *
 * @throws the error of the first failed write
 */
export async function runWrites(
  store: ContentStore,
  type: ContentType,
  writes: readonly ContentWrite[],
  isDryRun: boolean,
): Promise<readonly WrittenDocument[]> {
  // The error of a single write does not need its position.
  const outcomes = await store.write(type.uid, writes, { isAtomic: writes.length > 1, isDryRun });
  return outcomes.map((outcome) => {
    if ('error' in outcome) throw outcome.error;
    return outcome;
  });
}

export const saveFlags = {
  locale: Flags.string({ description: 'Locale to write. [default: the default locale]' }),
  publish: Flags.boolean({ description: 'Publish the document after validating it.' }),
  ...remoteFlag,
  ...dryRunFlag,
};

export interface Save {
  readonly type: ContentType;
  /** Composes the write from the flags. */
  readonly compose: (store: ContentStore) => Promise<Omit<ContentWrite, 'locale' | 'status'>>;
  readonly flags: {
    readonly locale: string | undefined;
    readonly publish: boolean;
    readonly 'dry-run': boolean;
  };
  readonly warn: Warn;
  readonly info: (message: string) => void;
}

/**
 * Creates or updates one document, and prints its documentId.
 *
 * @throws `request/invalid-parameter`, and the errors of the write
 */
export async function saveDocument(
  project: ContentProject,
  { type, compose, flags, warn, info }: Save,
): Promise<Outcome> {
  const { locale, publish, 'dry-run': isDryRun } = flags;
  requireLocale(type, locale);
  return openContent(project, { warn, isDryRun }, async (store) => {
    const write: ContentWrite = {
      ...(await compose(store)),
      status: publish ? 'published' : 'draft',
      ...(locale === undefined ? {} : { locale }),
    };
    const [written] = await runWrites(store, type, [write], isDryRun);
    const verb = write.action === 'create' ? 'create' : 'update';
    const suffix = `${locale === undefined ? '' : ` in ${locale}`}${publish ? ' and publish it' : ''}`;
    if (isDryRun) info(`Would ${verb} ${type.uid}${suffix}. All checks have passed.`);
    return {
      json: {
        action: verb,
        type: type.uid,
        document: written?.document ?? null,
        ...(isDryRun ? { dryRun: true } : {}),
      },
      text: isDryRun ? '' : (written?.documentId ?? ''),
    };
  });
}
